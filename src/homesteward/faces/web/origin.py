"""Requests that a browser makes for somebody else: what changes something must come from a page of ours, and prove that it does."""

import hashlib
import hmac
import secrets

from starlette.requests import HTTPConnection

from homesteward.core.errors import HomestewardError
from homesteward.faces.web.address import Seen

SAFE_METHODS = frozenset({"GET", "HEAD"})
HEADER = "x-homesteward-csrf"
FIELD = "csrf"
MAX_ONWARD = 300  # characters


class ForeignRequestError(HomestewardError):
    """The request was not made by a page of ours."""

    code = "foreign_request"


class Csrf:
    """Make the tokens that only a page of ours can read and send back. With a key that is kept, pages outlive a restart."""

    def __init__(self, key: bytes | None = None) -> None:
        """Make them with `key`, or with one that is gone with this process."""
        self._key = key or secrets.token_bytes(32)

    def token(self, of: str) -> str:
        """Return the token of a session, or of a person behind ingress."""
        return hmac.new(self._key, of.encode(), hashlib.sha256).hexdigest()

    def require(self, of: str, given: str) -> None:
        """Raise ForeignRequestError unless `given` is the token of `of`."""
        if not hmac.compare_digest(self.token(of).encode(), given.encode()):
            raise ForeignRequestError(
                "The page is too old, or not ours: what it sent does not belong to your session.",
                next=f"Load the page again. A program reads the token at /api/v1/me and sends it as {HEADER}.",
            )


def require_same_origin(connection: HTTPConnection, seen: Seen) -> None:
    """Raise ForeignRequestError unless the browser says that a page of our own origin makes the request."""
    origin, site = connection.headers.get("origin"), connection.headers.get("sec-fetch-site")
    told = origin == seen.origin if origin is not None else site == "same-origin"
    if not told or site not in {None, "same-origin"}:
        raise ForeignRequestError(
            "The request comes from another site.", next="Do it on Homesteward's own page, or use a token."
        )


def safe_onward(given: str) -> str:
    """Return a page of ours to go on to, the front page where `given` is not plainly one."""
    plain = given.startswith("/") and not given.startswith("//") and len(given) <= MAX_ONWARD
    if (
        not plain
        or ".." in given
        or not all(sign.isascii() and (sign.isalnum() or sign in "/-_.?=&") for sign in given)
    ):
        return "/"
    return "/" if given.startswith(("/auth/", "/api/", "/static/")) else given
