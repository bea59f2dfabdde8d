"""Sign-ins under way: a browser was sent to Home Assistant and is to come back with the state it was given, once and soon."""

import base64
import hashlib
import hmac
import secrets
from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime, timedelta

from homesteward.core import Clock

GOOD_FOR = timedelta(minutes=10)
MOST = 1000  # under way at once; the oldest is forgotten, and its browser begins anew


@dataclass(frozen=True, slots=True)
class Pending:
    """One sign-in under way. `base` is the address it began at, and `onward` the page that was wanted."""

    state: str
    verifier: str
    base: str
    onward: str
    began: datetime

    @property
    def challenge(self) -> str:
        """Return the S256 challenge of the verifier (RFC 7636)."""
        digest = hashlib.sha256(self.verifier.encode()).digest()
        return base64.urlsafe_b64encode(digest).decode().rstrip("=")


class PendingSignIns:
    """Keep the sign-ins under way, each by the cookie of the browser that began it. A restart forgets them."""

    def __init__(self, clock: Clock) -> None:
        """Start with none."""
        self._clock = clock
        self._pending: OrderedDict[str, Pending] = OrderedDict()

    def begin(self, base: str, onward: str) -> tuple[str, Pending]:
        """Return the cookie for the browser, and what it belongs to."""
        cookie = secrets.token_urlsafe(32)
        made = Pending(secrets.token_urlsafe(32), secrets.token_urlsafe(48), base, onward, self._clock.now())
        self._pending[_key(cookie)] = made
        while len(self._pending) > MOST:
            self._pending.popitem(last=False)
        return cookie, made

    def take(self, cookie: str, state: str) -> Pending | None:
        """Return the sign-in that the browser with this cookie comes back from, and forget it; None if it is not that one."""
        found = self._pending.pop(_key(cookie), None)
        if found is None or self._clock.now() - found.began > GOOD_FOR:
            return None
        return found if hmac.compare_digest(found.state.encode(), state.encode()) else None


def _key(cookie: str) -> str:
    return hashlib.sha256(cookie.encode()).hexdigest()
