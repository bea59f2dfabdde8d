"""Our cookies: their names and how closely each is kept, by how the browser sees us."""

from starlette.requests import HTTPConnection
from starlette.responses import Response

from homesteward.faces.web.address import Seen

SESSION = "session"
SIGNING_IN = "sign-in"
LOOK = "look"
LOOKS = ("light", "dark")  # the browser's own choice is neither
LOOK_S = 400 * 24 * 3600  # as long as a browser keeps any
MAX_COOKIE = 512  # characters; ours have about a hundred


def cookie_name(kind: str, seen: Seen) -> str:
    """Return the cookie's name. One without TLS names the port: a browser shares it among all ports of a host."""
    if not seen.secure:
        return f"homesteward-{kind}-{_port(seen)}"
    return f"{'__Secure-' if seen.prefix else '__Host-'}homesteward-{kind}"


def cookie_of(connection: HTTPConnection, kind: str, seen: Seen) -> str:
    """Return what the browser sent, empty if nothing or nothing of ours."""
    value = connection.cookies.get(cookie_name(kind, seen), "")
    return value if len(value) <= MAX_COOKIE else ""


def look_of(connection: HTTPConnection, seen: Seen) -> str:
    """Return the look that the browser chose, one of `LOOKS`; empty where it goes by its device."""
    chosen = cookie_of(connection, LOOK, seen)
    return chosen if chosen in LOOKS else ""


def set_cookie(response: Response, kind: str, value: str, seen: Seen, *, max_age: int | None = None) -> None:
    """Give the browser the cookie, for `max_age` seconds, or until it closes.

    Lax, since the way back from Home Assistant is a navigation from another site, which a strict one does not survive.
    """
    response.set_cookie(
        cookie_name(kind, seen),
        value,
        max_age=max_age,
        path=f"{seen.prefix}/",
        secure=seen.secure,
        httponly=True,
        samesite="lax",
    )


def written_cookie(kind: str, value: str, seen: Seen, *, max_age: int) -> str:
    """Return the header by which a browser is given the cookie."""
    answer = Response()
    set_cookie(answer, kind, value, seen, max_age=max_age)
    return answer.headers["set-cookie"]


def drop_cookie(response: Response, kind: str, seen: Seen) -> None:
    """Take the cookie back."""
    set_cookie(response, kind, "", seen, max_age=0)


def _port(seen: Seen) -> str:
    tail = seen.host.rpartition("]")[2] if seen.host.startswith("[") else seen.host
    return tail.rpartition(":")[2] if ":" in tail else "80"
