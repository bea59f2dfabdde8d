"""How a Home Assistant is reached: its addresses, what it lets us in by, and whom its certificate must be from."""

import os
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field

from homesteward.core.errors import HomestewardError
from homesteward.settings.settings import HomeAssistantKind, HomeAssistantSettings

SUPERVISOR_TOKEN = "SUPERVISOR_TOKEN"  # noqa: S105 - the name of the variable that an add-on is given it in
SUPERVISOR = "http://supervisor/core"


class BadCertificateFileError(HomestewardError):
    """The file of a certificate cannot be used."""

    code = "bad_settings"


@dataclass(frozen=True, slots=True)
class Refresh:
    """A refresh token, and the address of the client that Home Assistant gave it to."""

    token: str = field(repr=False)
    client_id: str = ""


@dataclass(frozen=True, slots=True)
class Access:
    """Where a Home Assistant is, the same for its socket and its REST interface."""

    url: str
    """What its home is known by; empty where none is set up."""
    socket: str = ""
    rest: str = ""
    token: str = field(default="", repr=False)
    """A token that was made for good; empty where `refresh` gives short ones."""
    tls: ssl.SSLContext | bool = True
    refresh: Refresh | None = None


def access_of(settings: HomeAssistantSettings, environ: Mapping[str, str] = os.environ) -> Access:
    """Return how to reach the home that is set up; raise BadCertificateFileError for a certificate that cannot be read.

    Inside an add-on the Supervisor gives the token and passes everything on; an address that is set wins, unless `kind` says otherwise.
    A refresh token wins over a long-lived one.
    """
    given = environ.get(SUPERVISOR_TOKEN, "")
    kind = settings.kind
    if kind is HomeAssistantKind.SUPERVISOR or (kind is HomeAssistantKind.AUTO and given and not settings.url):
        return Access(SUPERVISOR, f"{socket_scheme(SUPERVISOR)}/websocket", f"{SUPERVISOR}/api", given)
    url = settings.url.rstrip("/")
    refresh, token = settings.refresh_token.get_secret_value(), settings.token.get_secret_value()
    return Access(
        settings.url,
        url,
        f"{url}/api",
        "" if refresh else token,
        _tls(settings),
        Refresh(refresh, settings.client_id) if refresh else None,
    )


def socket_scheme(url: str) -> str:
    """Return an http address as the ws address of the same place."""
    return url.replace("http", "ws", 1)


def _tls(settings: HomeAssistantSettings) -> ssl.SSLContext | bool:
    if not settings.verify_tls:
        return False
    if settings.ca_file is None:
        return True
    try:
        return ssl.create_default_context(cafile=settings.ca_file)
    except (OSError, ssl.SSLError) as error:
        raise BadCertificateFileError(
            f"The certificate file {settings.ca_file} cannot be used ({type(error).__name__}).",
            next="Set ha.ca_file to a PEM file of the certificate, or of whoever signed it.",
        ) from error
