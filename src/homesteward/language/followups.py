"""Sentences that hang on the one before: "the same in the kitchen", "and the bedroom", "no, the other one", "I meant the kitchen one".

Their shapes are data (`data/followups.<language>.yaml`). What was asked before is asked of another thing, for the same time; a correction takes
the first back, and one of the time alone ("no, in twenty minutes") asks for it again.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import cast

from homesteward.knowledge import NameIndex
from homesteward.language.acts import ACTS
from homesteward.language.proposals import Proposals
from homesteward.language.reading import Acts, Asked, Asks, at_times
from homesteward.language.resolution import Choice, Fit, Found, Missing, Resolution
from homesteward.language.shapes import Match, Shape, compile_shape, matches
from homesteward.language.spelling import unmarked
from homesteward.language.tables import table
from homesteward.language.targets import Targets


@dataclass(frozen=True, slots=True)
class Followed:
    """What a sentence means after the one before. `corrects`: what was done then is to be taken back first."""

    reading: Acts | Asks
    corrects: bool = False


class Followups:
    """Read what hangs on the request before, in one language about one home."""

    def __init__(self, language: str, targets: Targets, proposals: Proposals, index: NameIndex) -> None:
        """Match the shapes of `language`, find things by `targets` and `index`, word the outcome by `proposals`."""
        self._words = followup_words(language)
        self._targets, self._proposals, self._index = targets, proposals, index

    def read(self, text: str, last: Asked, area_id: str | None) -> Followed | None:
        """Return what the tidy text asks for after `last`, None if it does not hang on it or means nothing by it."""
        for match in matches(self._words.shapes, text) if self._words else ():
            reading = self._proposals.propose(last.act, last.said, self._aimed(match, last, area_id))
            if isinstance(reading, Acts | Asks):
                return Followed(at_times(reading, last.at, last.until), corrects=match.act in CORRECTING)
        return None

    def retimed(self, last: Asked) -> Followed | None:
        """Return the request before for other times than it was first asked for, which takes the first back."""
        reading = self._proposals.propose(last.act, last.said, last.target)
        if not isinstance(reading, Acts | Asks):
            return None
        return Followed(at_times(reading, last.at, last.until), corrects=True)

    def _aimed(self, match: Match, last: Asked, area_id: str | None) -> Resolution:
        if match.act == "other":
            return self._other(last)
        scope = dict.fromkeys({name.partition(".")[0] for name in last.target.entity_ids}, ())
        domain = ACTS[last.act].bare_place or next(iter(scope))
        found = self._targets.resolve(match.slots["target"], scope, area_id=area_id, bare_place=domain)
        same = not isinstance(found, Missing) and set(found.entity_ids) == set(last.target.entity_ids)
        return Missing("unknown_entity", match.slots["target"]) if same else found

    def _other(self, last: Asked) -> Resolution:
        """Return the other one of the kind: beside it in its room, else in the home; several are a choice."""
        if len(last.target.entity_ids) != 1:
            return Missing("unknown_entity", "")
        [one] = last.target.entity_ids
        alike = [name for name in self._index.within({one.partition(".")[0]: ()}) if name != one]
        here = [name for name in alike if self._index.entities[name].area_id == self._index.entities[one].area_id]
        ids = tuple(here or alike)
        if not ids:
            return Missing("unknown_entity", "")
        return Found(ids, Fit.EXACT) if len(ids) == 1 else Choice(ids, Fit.EXACT)


CORRECTING = frozenset({"other", "correction"})


@dataclass(frozen=True, slots=True)
class FollowupWords:
    """The shapes of one language, and how its verbs carry a pronoun at their end."""

    shapes: tuple[Shape, ...]
    clitic: re.Pattern[str] | None

    def apart(self, text: str) -> str:
        """Return the tidy text with a pronoun that its first word carries as a word of its own ("spegnila")."""
        match = self.clitic.match(text) if self.clitic else None
        return f"{unmarked(match[1])} {match[2]}{text[match.end() :]}" if match else text


@cache
def followup_words(language: str) -> FollowupWords | None:
    """Return the words of `language` (`de-AT` counts as `de`), None where there are none of ours."""
    raw = table("followups", language)
    if raw is None:
        return None
    clitic = str(raw.get("clitic") or "")
    return FollowupWords(tuple(_shapes(raw)), re.compile(clitic) if clitic else None)


def _shapes(raw: Mapping[str, object]) -> Iterator[Shape]:
    for kind in ("correction", "other", "again"):
        for template in cast("list[str]", raw[kind]):
            yield replace(compile_shape(kind, template, {}, lambda _: None), clear=True)
