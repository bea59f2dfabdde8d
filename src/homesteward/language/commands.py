"""Reading one clause as a request, by the shapes of its language."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from homesteward.language.acts import ACTS, Act, Said
from homesteward.language.dictated import ITEM
from homesteward.language.lexicon import Lexicon, number
from homesteward.language.proposals import Proposals
from homesteward.language.reading import Acts, Declines, Reading
from homesteward.language.resolution import Choice, Found, Missing, Resolution
from homesteward.language.shapes import Match, matches
from homesteward.language.targets import Targets

# Which list a slot's words come from.
LISTS = {
    "percent": "percent",
    "number": "number",
    "kelvin": "number",
    "kelvin_name": "color_temperature_names",
    "color_name": "color",
    "hvac_mode": "mode",
    "unit": "unit",
}
URGENCY = ("not_exposed", "ambiguous", "unsupported", "unknown_area", "unknown_entity")  # which refusal says most


@dataclass(frozen=True, slots=True)
class _Candidate:
    """One way to read the clause."""

    act: str
    said: Said
    target: Resolution
    clear: bool
    words: int


class Commands:
    """Read requests in one language about one home."""

    def __init__(
        self,
        words: Lexicon,
        targets: Targets,
        proposals: Proposals,
        temperature_unit: str,
        subject: Found | None = None,
    ) -> None:
        """Match the shapes of `words`, find things by `targets`, word the outcome by `proposals`, give degrees in the home's unit.

        `subject` is what was spoken of last: a pronoun means it, and so does a request that names nothing ("brighter").
        """
        self._subject = subject
        self.pointed_back = False
        """Whether anything that was read so far may mean what was spoken of last: said at another time, it may mean another thing."""
        self._words = words
        self._unit = temperature_unit
        self._targets = targets
        self._proposals = proposals

    def fits(self, text: str) -> bool:
        """Return whether the tidy clause has the shape of a request, whatever its target."""
        return next(matches(self._words.commands, text), None) is not None

    def read(self, text: str, area_id: str | None, *, refuse: bool = True) -> Reading | None:
        """Return what the tidy clause asks for, None if no shape of a request fits it.

        `refuse` also tells why nothing can be done where a shape fits and its target means nothing.
        """
        candidates = list(self._candidates(text, area_id))
        found = [one for one in candidates if isinstance(one.target, Found | Choice)]
        if found:
            return self._best(found)
        missing = [one for one in candidates if isinstance(one.target, Missing) and one.clear and ACTS[one.act].refuses]
        if not missing or not refuse:
            return None
        one = min(missing, key=_weight)
        return self._proposals.propose(one.act, one.said, one.target)

    def _candidates(self, text: str, area_id: str | None) -> Iterator[_Candidate]:
        for match in matches(self._words.commands, text):
            said = self._said(match)
            phrase = " ".join(filter(None, (match.slots.get("target"), match.slots.get("place"))))
            if said is None:
                continue
            name = "closed_to" if match.act == "position" and self._closes(text, match) else match.act
            act = ACTS[name]
            target = self._spoken_of(phrase, act) or (
                self._targets.resolve(phrase, act.scope, area_id=area_id, bare_place=act.bare_place)
                if phrase
                else self._targets.unnamed(act.bare_place or "", area_id)
            )
            yield _Candidate(name, said, target, match.clear, len(phrase.split()))

    def _closes(self, text: str, match: Match) -> bool:
        """Return whether the share that was said is one of how far it is closed; a word of the name says nothing of it."""
        return self._words.closing.search(text.replace(match.slots.get("target", ""), " ", 1)) is not None

    def _spoken_of(self, phrase: str, act: Act) -> Found | None:
        """Return what was spoken of last, where the words mean just that and all of it is of the act's kind."""
        subject = self._subject
        points_back = phrase in self._words.pronouns if phrase else act.bare_place is not None
        self.pointed_back = self.pointed_back or points_back
        if subject is None or not points_back:
            return None
        return subject if {name.partition(".")[0] for name in subject.entity_ids} <= act.services.keys() else None

    def _said(self, match: Match) -> Said | None:
        """Return the values of the slots, None if one of them is no value after all."""
        said: dict[str, float | str] = {}
        for slot, text in match.slots.items():
            if slot in LISTS:
                value = number(text.strip(), self._words.values[LISTS[slot]], self._words.minus)
                if value is None:
                    return None
                said[slot] = value
            elif slot == ITEM:
                said[slot] = text
        return said | {"home_unit": self._unit} if "unit" in said else said

    def _best(self, found: list[_Candidate]) -> Reading:
        """Take the best fit. Where two acts fit different things equally well, ask which is meant."""
        fit = min(one.target.fit for one in found if not isinstance(one.target, Missing))
        best = [one for one in found if not isinstance(one.target, Missing) and one.target.fit is fit]
        readings = [self._proposals.propose(one.act, one.said, one.target) for one in best]
        able = [pair for pair in zip(best, readings, strict=True) if not isinstance(pair[1], Declines)]
        if not able:
            return readings[0]
        things: dict[str, tuple[_Candidate, Reading]] = {}
        for one, reading in able:
            for entity_id in one.target.entity_ids if not isinstance(one.target, Missing) else ():
                things.setdefault(entity_id, (one, reading))
        first = able[0]
        if all(pair[0] is first[0] for pair in things.values()):
            sole = len(able) == len(best)  # else another state of the home would have it read otherwise
            return first[1] if sole or not isinstance(first[1], Acts) else replace(first[1], asked=())
        return self._proposals.which(
            tuple(things), {name: (ACTS[pair[0].act], pair[0].said) for name, pair in things.items()}
        )


def _weight(one: _Candidate) -> tuple[int, int]:
    code = one.target.code if isinstance(one.target, Missing) else ""
    return URGENCY.index(code) if code in URGENCY else len(URGENCY), one.words
