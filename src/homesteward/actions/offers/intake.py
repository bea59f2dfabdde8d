"""What finding a tool makes of its offer: something new is proposed, something changed is proposed again, and nothing is ever enabled."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from homesteward.actions.offers.offer import Offer, OfferState, Usage
from homesteward.actions.offers.tool import Tool, properties_of, required_of
from homesteward.core import new_id
from homesteward.core.json import canonical

MAX_CHANGED = 500


def taken_in(known: Offer | None, source: str, tool: Tool, effect: str, now: datetime) -> Offer:
    """Return the offer as finding `tool` leaves it: a disabled one stays disabled, an enabled one stays so only as what it was."""
    if known is None:
        return Offer(new_id("offer"), source, tool, OfferState.PROPOSED, now, Usage((tool.title,)), effect)
    found = replace(known, tool=tool, effect=effect, gone=None)
    if known.enabling is None:  # nobody gave it a name of their own yet
        found = replace(found, usage=replace(found.usage, phrases=(tool.title,)))
    if known.tool.fingerprint == tool.fingerprint:
        return found
    told = "; ".join(part for part in (known.changed, *differences(known.tool, tool)) if part)[:MAX_CHANGED]
    if known.enabled:
        return replace(found, state=OfferState.PROPOSED, changed=told)
    return replace(found, changed=told) if known.enabling else found


def not_found(known: Offer, now: datetime) -> Offer | None:
    """Return the offer as it is kept while its source does not list it, None for one about which nobody ever decided."""
    if known.state is OfferState.PROPOSED and known.enabling is None:
        return None
    return known if known.gone else replace(known, gone=now)


def differences(old: Tool, new: Tool) -> Iterator[str]:
    """Yield in words what is another about a tool: what carries it out, what it acts on, and each argument."""
    if old.service != new.service:
        yield f"it is carried out by {new.service}, before by {old.service}"
    if old.entity_id != new.entity_id:
        yield f"it acts on {new.entity_id or 'nothing by name'}, before on {old.entity_id or 'nothing by name'}"
    before, after = properties_of(old.schema), properties_of(new.schema)
    needed_before, needed = required_of(old.schema), required_of(new.schema)
    argued = len(before.keys() ^ after.keys())
    for name in sorted(after.keys() - before.keys()):
        yield f"it {'needs' if name in needed else 'takes'} {name!r} now"
    for name in sorted(before.keys() - after.keys()):
        yield f"it takes {name!r} no more"
    for name in sorted(before.keys() & after.keys()):
        if (name in needed) != (name in needed_before):
            argued += 1
            yield f"{name!r} is {'needed' if name in needed else 'needed no more'}"
        elif canonical(before[name]) != canonical(after[name]):
            argued += 1
            yield f"{name!r} is described otherwise"
    if not argued and canonical(old.schema) != canonical(new.schema):
        yield "its arguments are described otherwise"
