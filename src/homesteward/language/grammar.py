"""Home Assistant's own grammar of a language: which of its sentences we act on, loaded once, and the names of a home for it."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from hassil.intents import Intents, SlotList, TextSlotList
from hassil.recognize import RecognizeResult, recognize_all
from home_assistant_intents import get_intents, get_languages

from homesteward.core.text import fold
from homesteward.knowledge import NameIndex

LONGEST_ARTICLE = 4  # letters
# Intents with a meaning for us. Timers, lists, broadcasts and small talk are not requests to the house.
HANDLED = frozenset(
    {
        "HassTurnOn",
        "HassTurnOff",
        "HassLightSet",
        "HassSetPosition",
        "HassClimateSetTemperature",
        "HassClimateGetTemperature",
        "HassFanSetSpeed",
        "HassMediaPause",
        "HassMediaUnpause",
        "HassMediaNext",
        "HassMediaPrevious",
        "HassMediaPlayerMute",
        "HassMediaPlayerUnmute",
        "HassSetVolume",
        "HassSetVolumeRelative",
        "HassVacuumStart",
        "HassVacuumReturnToBase",
        "HassLawnMowerStartMowing",
        "HassLawnMowerDock",
        "HassGetState",
        "HassGetWeather",
        "HassGetCurrentTime",
        "HassGetCurrentDate",
    }
)


def supported(language: str) -> str | None:
    """Return the language of the grammar that serves `language`: itself, else its base, None if there is none."""
    known = {name.lower(): name for name in get_languages()}
    return known.get(language.lower()) or known.get(language.split("-", maxsplit=1)[0].lower())


@cache
def grammar(language: str) -> Intents:
    """Return the compiled grammar; raise KeyError for a language that has none.

    Sentences with a wildcard are left out: a slot that takes any words would act on words that nobody understood.
    """
    name = supported(language)
    raw = get_intents(name) if name else None
    if raw is None:
        raise KeyError(language)
    wild = {key for key, value in raw["lists"].items() if value.get("wildcard")}
    kept = {key: value for key, value in raw["intents"].items() if key in HANDLED}
    intents = Intents.from_dict(raw | {"intents": {key: _tame(value, wild) for key, value in kept.items()}})
    for intent in intents.intents.values():
        for block in intent.data:
            _ = block.sentences  # parsed now, not within the first sentence
    return intents


def slot_lists(index: NameIndex, text: str) -> dict[str, SlotList]:
    """Return the names, areas and floors of the home that stand in `text` as lists of the grammar. A name's value is the entity's id.

    What does not stand in it cannot be meant by it: a home of thousands of names costs a sentence no more than a small one.
    """
    said = fold(text)
    names = [
        (spelling, name, {"domain": name.partition(".")[0]})
        for spelling, ids in index.standing_in(said)
        for name in ids
    ]
    return {
        "name": TextSlotList.from_tuples(names, allow_template=False, name="name"),
        "area": _place_list("area", index.areas, said),
        "floor": _place_list("floor", index.floors, said),
    }


def recognise(
    text: str, language: str, lists: dict[str, SlotList], area_id: str | None = None
) -> Iterator[RecognizeResult]:
    """Yield every way in which the whole of `text` is a sentence of the grammar."""
    context = {"area": {"value": area_id, "text": ""}} if area_id else None
    for result in recognize_all(
        text, grammar(language), slot_lists=lists, intent_context=context, language=supported(language)
    ):
        if not _only_a_name(result, language):
            yield result


def _only_a_name(result: RecognizeResult, language: str) -> bool:
    """Return whether little more than a name was said, which is no request; a scene's name is all that people say.

    A sentence that needs no word of its own may still have had one: a script is run by "run X", not by "the X".
    """
    sentence, domain = result.intent_sentence, result.context.get("domain")
    if sentence is None or sentence.get_required_clauses(grammar(language).expansion_rules) or domain == "scene":
        return False
    return domain != "script" or result.text_chunks_matched <= LONGEST_ARTICLE


def _place_list(name: str, places: Mapping[str, tuple[str, ...]], said: str) -> TextSlotList:
    values = [(spelling, place_id) for spelling, ids in places.items() if spelling in said for place_id in ids]
    return TextSlotList.from_tuples(values, allow_template=False, name=name)


def _tame(intent: dict[str, Any], wild: set[str]) -> dict[str, Any]:
    blocks = []
    for block in intent["data"]:
        sentences = [text for text in block["sentences"] if not any(f"{{{name}" in text for name in wild)]
        if sentences:
            blocks.append(block | {"sentences": sentences})
    return intent | {"data": blocks}
