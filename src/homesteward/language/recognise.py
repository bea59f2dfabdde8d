"""Reading a sentence by Home Assistant's grammar: every language it has, word for word, with the names of the home."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from hassil.intents import SlotList
from hassil.recognize import RecognizeResult

from homesteward.core.text import fold
from homesteward.knowledge import NameIndex
from homesteward.language.acts import ACTS, Said
from homesteward.language.grammar import recognise
from homesteward.language.guards import guard_words
from homesteward.language.proposals import Proposals
from homesteward.language.reading import Reading
from homesteward.language.resolution import Choice, Fit, Found
from homesteward.language.units import CELSIUS, unit_in

# What turning on and off means for things that are opened, locked or pressed, as Home Assistant has it.
TURN_ON = {"cover": "open", "valve": "open", "lock": "lock", "button": "press", "input_button": "press"}
TURN_OFF = {"cover": "close", "valve": "close", "lock": "unlock"}
PLAIN = {
    "HassSetPosition": "position",
    "HassClimateSetTemperature": "temperature",
    "HassFanSetSpeed": "fan_speed",
    "HassMediaPause": "pause",
    "HassMediaUnpause": "play",
    "HassMediaNext": "next",
    "HassMediaPrevious": "previous",
    "HassMediaPlayerMute": "mute",
    "HassMediaPlayerUnmute": "unmute",
    "HassSetVolume": "volume",
    "HassVacuumStart": "clean",
    "HassVacuumReturnToBase": "dock",
    "HassLawnMowerStartMowing": "clean",
    "HassLawnMowerDock": "dock",
}
ASKING = frozenset({"HassGetState", "HassClimateGetTemperature", "HassGetWeather"})
OPPOSITES = (frozenset({"on", "off"}), frozenset({"open", "close"}), frozenset({"lock", "unlock"}))
LONGEST_NAME = 8  # words
VOLUME_STEPS = {"up": "louder", "down": "quieter"}
# The grammar's slot -> ours, for values.
VALUES = {
    "brightness": "percent",
    "position": "percent",
    "percentage": "percent",
    "volume_level": "percent",
    "color": "color_name",
}


@dataclass(frozen=True, slots=True)
class Place:
    """Where a sentence was said: the room, if it is known, and the unit of temperature there."""

    area_id: str | None = None
    temperature_unit: str = CELSIUS


@dataclass(frozen=True, slots=True)
class Recognised:
    """One result of the grammar in our terms. `score` sorts the best first: the longest name, then the most literal words."""

    act: str
    said: Said
    entity_ids: tuple[str, ...]
    named: bool
    score: tuple[int, int]


def read_by_grammar(
    text: str,
    language: str,
    index: NameIndex,
    lists: Mapping[str, SlotList],
    proposals: Proposals,
    place: Place,
    *,
    named: bool = False,
) -> Reading | None:
    """Return what the grammar takes `text` for, None if it is no sentence of it or means nothing in this home.

    `named` counts only what names an entity, not what names a kind in a place. What the grammar takes for two opposite requests is
    none; nor is, where no words of ours tell a question, what it may take for one.
    """
    results = [result for result in recognised(text, language, index, lists, place) if result.named or not named]
    if not results or (guard_words(language) is None and _asks(text, language, lists, place)):
        return None
    best = min(result.score for result in results)
    top = [result for result in results if result.score == best]
    if any(pair <= {result.act for result in top} for pair in OPPOSITES):
        return None
    first = top[0]
    ids = tuple(dict.fromkeys(name for result in top if result.act == first.act for name in result.entity_ids))
    several = len(ids) > 1 and first.named
    target = Choice(ids, Fit.EXACT) if several else Found(ids, Fit.EXACT, wide=not first.named)
    return proposals.propose(first.act, first.said, target)


def _asks(text: str, language: str, lists: Mapping[str, SlotList], place: Place) -> bool:
    found = recognise(text, language, dict(lists), place.area_id)
    return any(result.intent.name in ASKING for result in found)


def hidden_name(text: str, index: NameIndex) -> str | None:
    """Return the name of two words or more in `text` that only something not exposed has."""
    words = fold(text).split()
    for size in range(min(len(words), LONGEST_NAME), 1, -1):
        for start in range(len(words) - size + 1):
            name = " ".join(words[start : start + size])
            if name in index.hidden and not (name in index.exact or name in index.areas or name in index.floors):
                return name
    return None


def recognised(
    text: str, language: str, index: NameIndex, lists: Mapping[str, SlotList], place: Place
) -> Iterator[Recognised]:
    """Yield each result of the grammar that names an act of ours and reaches something in the home."""
    # The grammar reads over the unit, or takes it for granted.
    spoken = {"unit": unit, "home_unit": place.temperature_unit} if (unit := unit_in(text)) else {}
    for result in recognise(text, language, dict(lists), place.area_id):
        values = _values(result)
        ids = reached(result, index)
        for act, said in _acts(result, values, ids):
            fitting = index.within(ACTS[act].scope, ids)
            if fitting:
                name = result.entities.get("name")
                score = (-len(name.text) if name else 0, -result.text_chunks_matched)
                yield Recognised(act, {**said, **spoken}, fitting, name is not None, score)


def reached(result: RecognizeResult, index: NameIndex) -> tuple[str, ...]:
    """Return the entities that the slots name: one by its name, else those of a domain and class in a place."""
    values = _values(result)
    if "name" in values:
        chosen: Iterable[str] = (values["name"],)
    else:
        domains, classes = _listed(values.get("domain")), _listed(values.get("device_class"))
        everyone = index.by_domain if not domains else {name: index.by_domain.get(name, ()) for name in domains}
        scope = dict.fromkeys(everyone, classes)
        chosen = [name for name in index.within(scope) if index.entities[name].wide]
    return tuple(name for name in chosen if _at(name, values, index))


def _acts(result: RecognizeResult, values: Mapping[str, Any], ids: Iterable[str]) -> Iterator[tuple[str, Said]]:
    said = _said(values)
    match result.intent.name:
        case "HassTurnOn" | "HassTurnOff" as turn:
            table, plain = (TURN_ON, "on") if turn == "HassTurnOn" else (TURN_OFF, "off")
            domains = {name.partition(".")[0] for name in ids}
            yield from ((act, said) for act in dict.fromkeys(table.get(domain, plain) for domain in sorted(domains)))
        case "HassLightSet":
            yield from _light(said, values)
        case "HassSetVolumeRelative":
            step = VOLUME_STEPS.get(str(values.get("volume_step")))
            yield from [(step, said)] if step else []
        case name if name in PLAIN:
            yield PLAIN[name], said


def _light(said: Said, values: Mapping[str, Any]) -> Iterator[tuple[str, Said]]:
    if "brightness" in values:
        yield "brightness", said
    elif "color" in values:
        yield "color", said
    elif "temperature" in values:
        yield "color_temperature", {"kelvin": values["temperature"]}


def _said(values: Mapping[str, Any]) -> Said:
    said = {ours: values[theirs] for theirs, ours in VALUES.items() if theirs in values}
    return said | ({"number": values["temperature"]} if "temperature" in values else {})


def _values(result: RecognizeResult) -> dict[str, Any]:
    return {name: entity.value for name, entity in result.entities.items()}


def _at(entity_id: str, values: Mapping[str, Any], index: NameIndex) -> bool:
    area, floor = values.get("area"), values.get("floor")
    entity = index.entities[entity_id]
    return (not area or entity.area_id == area) and (not floor or entity.floor_id == floor)


def _listed(value: object) -> tuple[str, ...]:
    if value is None:
        return ()
    return (value,) if isinstance(value, str) else tuple(str(one) for one in value) if isinstance(value, list) else ()
