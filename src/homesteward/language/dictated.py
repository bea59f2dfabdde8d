"""What somebody dictates for a list: words of their own, kept as they were said, which are no part of the sentence around them."""

import re
from dataclasses import replace

from homesteward.home.calls import Call
from homesteward.language.guards import MASK
from homesteward.language.reading import Acts

ITEM = "item"
DICTATED = frozenset({"list_add", "list_done"})


def item_of(acts: Acts) -> str:
    """Return what the first of the calls adds to a list or ticks off on it, nothing where none does."""
    items = (str(call.data[ITEM]) for call in acts.calls if call.domain == "todo" and ITEM in call.data)
    return next(items, "")


def without_item(text: str, item: str) -> str:
    """Return the text with one mark for the item: a guard's word in it ("call me tomorrow") forbids nothing."""
    return _pattern(item).sub(MASK, text, count=1)


def as_written(acts: Acts, text: str) -> Acts:
    """Return the reading with its items in the letters of `text`."""
    if not item_of(acts):
        return acts
    return replace(acts, calls=tuple(_as_written(call, text) for call in acts.calls), asked=())


def _as_written(call: Call, text: str) -> Call:
    item = call.data.get(ITEM) if call.domain == "todo" else None
    found = _pattern(str(item)).search(text) if item else None
    return replace(call, data={**call.data, ITEM: " ".join(found[0].split())}) if found else call


def _pattern(item: str) -> re.Pattern[str]:
    return re.compile(r"[\s_\-]+".join(map(re.escape, item.split())), re.IGNORECASE)
