"""The fingerprint that an approval is bound to."""

from collections.abc import Iterable
from hashlib import sha256

from homesteward.core.json import canonical
from homesteward.home.calls import ResolvedCall


def hash_of(calls: Iterable[ResolvedCall]) -> str:
    """Return the SHA-256, in hex, of exactly these resolved calls in this order, and of nothing else."""
    return sha256(canonical([_parts(call) for call in calls])).hexdigest()


def _parts(call: ResolvedCall) -> list[object]:
    return [call.domain, call.service, list(call.entity_ids), dict(call.data)]
