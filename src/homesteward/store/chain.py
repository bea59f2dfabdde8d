"""The chain of the audit: what the hash of an entry is made of, and what an unbroken row of them looks like. Nothing here does I/O."""

import hmac
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from homesteward.core.json import canonical

START = ""  # what the first entry of a home is chained to
BROKEN = "audit.broken"  # the entry that says that an end had been cut off before it
MAX_BREAKS = 100


@dataclass(frozen=True, slots=True)
class Link:
    """One entry exactly as the database holds it: the moment in microseconds, the data as text."""

    n: int
    at: int
    kind: str
    actor: str
    subject: str
    data: str
    hash: str


def hashed(home_id: str, link: Link, before: str, key_id: str, key: bytes) -> str:
    """Return the hash of an entry that stands behind the one with the hash `before`: the id of the key, a dot, an HMAC-SHA256."""
    body = canonical([home_id, link.n, link.at, link.kind, link.actor, link.subject, link.data, before, key_id])
    return f"{key_id}.{hmac.digest(key, body, 'sha256').hex()}"


def key_id_of(entry_hash: str) -> str:
    """Return the id of the key that an entry was chained with."""
    return entry_hash.partition(".")[0]


class Inspection:
    """Goes along a chain, entry by entry, and remembers the first that is wrong."""

    def __init__(self, home_id: str, keys: Mapping[str, bytes]) -> None:
        """Know the chain's home, and by their ids all keys that it was ever chained with."""
        self._home_id, self._keys = home_id, keys
        self._replaced: set[str] = set()
        self.checked = 0
        """How many entries stand as they were written; the number of the last of them as well."""
        self.hash = START
        """The hash of the last of them."""
        self.problem = ""
        """What is wrong with the entry after those; empty where nothing is."""
        self.breaks: tuple[int, ...] = ()
        """The entries that say that an end was cut off before them; at most 100."""

    def follow(self, links: Iterable[Link]) -> int | None:
        """Go on along `links`; return the number of the first that is wrong, None while all are as they were written."""
        for link in links:
            self.problem = self._problem_of(link)
            if self.problem:
                return min(link.n, self.checked + 1)
            self.checked, self.hash = link.n, link.hash
            if link.kind == BROKEN and len(self.breaks) < MAX_BREAKS:
                self.breaks = (*self.breaks, link.n)
        return None

    def _problem_of(self, link: Link) -> str:
        key_id = key_id_of(link.hash)
        if link.n != self.checked + 1:
            return (
                f"entry {self.checked + 1} is missing"
                if link.n > self.checked
                else f"entry {link.n} was put in before the first"
            )
        if key_id not in self._keys:
            return f"it was chained with the store key {key_id!r}, which is not here, or was changed"
        if key_id in self._replaced:
            return "it was chained with a key that had been replaced before it"
        if not hmac.compare_digest(hashed(self._home_id, link, self.hash, key_id, self._keys[key_id]), link.hash):
            return "it, or the entry before it, is not what was written there"
        if self.hash and key_id_of(self.hash) != key_id:
            self._replaced.add(key_id_of(self.hash))
        return ""
