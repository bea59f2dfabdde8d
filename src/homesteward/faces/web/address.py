"""How the other end sees the service: by which scheme, name and path, from which address. Only what is trusted is believed about it."""

import re
from dataclasses import dataclass
from ipaddress import ip_address

from starlette.datastructures import Headers
from starlette.types import Scope

from homesteward.core.errors import HomestewardError
from homesteward.settings.settings import WebSettings

LOOPBACK = ("localhost", "127.0.0.1", "::1")
EVERYWHERE = frozenset({"0.0.0.0", "::"})  # noqa: S104 - where to listen; as a name for us, only a trick has it
PORTS = {"http": "80", "https": "443"}
HOST = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:[0-9]{1,5})?")  # it goes into cookies and addresses
MAX_PREFIX = 200  # characters
FORWARDING = ("x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "forwarded", "x-real-ip", "via")


class UnknownHostError(HomestewardError):
    """The request is for a name that is not ours."""

    code = "unknown_host"


@dataclass(frozen=True, slots=True)
class Seen:
    """The service as the other end of one request sees it."""

    scheme: str
    host: str
    """As a browser writes it: with the port, where that is not the scheme's own."""
    prefix: str = ""
    """The path that everything lies under, such as `/api/hassio_ingress/x`; without a slash at its end."""
    peer: str = ""
    """The address that asks."""
    ingress: bool = False
    """Whether Home Assistant's ingress stands between, whose word counts for who it is."""
    local: bool = False
    """Whether it comes from this machine, and nobody passed it on."""

    @property
    def origin(self) -> str:
        """Return the origin, as a browser names it in `Origin`."""
        return f"{self.scheme}://{self.host}"

    @property
    def base(self) -> str:
        """Return the address of the front page."""
        return f"{self.origin}{self.prefix}/"

    @property
    def secure(self) -> bool:
        """Return whether nobody on the way can read it."""
        return self.scheme == "https"


class Addresses:
    """Tell how a request sees the service, by what is set up."""

    def __init__(self, settings: WebSettings) -> None:
        """Serve the names of `settings`, beside this machine's own."""
        names = {name.lower() for name in (*LOOPBACK, settings.host, *settings.hosts)}
        self._hosts = frozenset(names - EVERYWHERE)
        self._proxies = frozenset(settings.proxies)
        self._ingress_from = frozenset(settings.ingress_from if settings.ingress else ())

    def seen(self, scope: Scope) -> Seen:
        """Return how the request sees us; raise UnknownHostError for a name that is not ours.

        A page elsewhere could otherwise reach the service by giving its own name this address.
        """
        headers, (peer, _) = Headers(scope=scope), scope.get("client") or ("", 0)
        if peer in self._ingress_from and "x-ingress-path" in headers:
            return _passed_on(scope, headers, peer, headers["x-ingress-path"], ingress=True)  # Home Assistant's name
        if peer in self._proxies:
            seen = _passed_on(scope, headers, peer, headers.get("x-forwarded-prefix", ""))
        else:
            local = _is_loopback(peer) and not any(name in headers for name in FORWARDING)
            seen = Seen(scope["scheme"], _host(headers.get("host", ""), scope["scheme"]), peer=peer, local=local)
        self._require_ours(seen.host, scope)
        return seen

    def _require_ours(self, host: str, scope: Scope) -> None:
        name = name_of(host)
        if name in self._hosts or (_is_address(name) and name == (scope.get("server") or ("",))[0]):
            return
        raise UnknownHostError(
            "The service is not set up to be reached by this name.",
            next="Add the name to web.hosts in the settings, or use the machine's address.",
        )


def name_of(host: str) -> str:
    """Return the name or address in a host with or without a port."""
    return host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]


def _passed_on(scope: Scope, headers: Headers, peer: str, prefix: str, *, ingress: bool = False) -> Seen:
    """Return what a proxy that is trusted says of the request it passes on."""
    said = headers.get("x-forwarded-proto", scope["scheme"]).partition(",")[0].strip().lower()
    scheme = said if said in PORTS else scope["scheme"]
    host = headers.get("x-forwarded-host") or headers.get("host", "")
    # The last one is what the proxy saw itself; those before it are anybody's word.
    asking = headers.get("x-forwarded-for", peer).rpartition(",")[2].strip()
    return Seen(scheme, _host(host.partition(",")[0], scheme), _prefix(prefix), asking or peer, ingress)


def _host(host: str, scheme: str) -> str:
    """Return the host as a browser writes it; raise UnknownHostError for a text that is none."""
    host = host.strip().lower()
    if not HOST.fullmatch(host):
        raise UnknownHostError(
            "The request names no host that could be ours.", next="Use the machine's name or address, and a port."
        )
    return host.removesuffix(f":{PORTS.get(scheme, '')}")


def _prefix(given: str) -> str:
    """Return the path prefix, none where it is not a plain path: it goes into cookies and addresses."""
    plain = given.rstrip("/")
    fits = plain.startswith("/") and not plain.startswith("//") and len(plain) <= MAX_PREFIX
    return plain if fits and all(sign.isalnum() or sign in "/_-." for sign in plain) and ".." not in plain else ""


def _is_loopback(peer: str) -> bool:
    return _is_address(peer) and ip_address(peer).is_loopback


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True
