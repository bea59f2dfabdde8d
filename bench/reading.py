"""A sentence understood without a model, in a small home and a large one; beside plain hassil with the same names."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import cache
from statistics import median

from hassil.intents import Intents, SlotList, TextSlotList
from hassil.recognize import recognize
from home_assistant_intents import get_intents

from bench.homes import furnished
from bench.sample import Effort, Row, Sample, ms_of
from bench.sentences import SENTENCES
from homesteward.core import SystemClock
from homesteward.home.model import Area, Floor
from homesteward.home.simulation import SimulatedHome
from homesteward.home.view import HomeView, names_of
from homesteward.language import Understander

SIZES = {"sentence_200": 200, "sentence_5000": 5000}
JUDGED = tuple(SIZES)
PEER = "hassil alone, first match"


async def measure(effort: Effort) -> list[Row]:
    """Return, per size of home, how long a sentence takes, and the one after the home's names have changed."""
    rows: list[Row] = []
    for bar, entities in SIZES.items():
        home = furnished(entities)
        rows += [_sentences(bar, entities, home, effort), _after_a_change(entities, home, effort)]
    return rows


def _sentences(bar: str, entities: int, home: SimulatedHome, effort: Effort) -> Row:
    understander = Understander(home, SystemClock())
    lists = hassil_lists(home)
    kinds = Counter(type(understander.read(text, language)).__name__ for language, text in SENTENCES)
    for language, text in SENTENCES:
        hassil_reads(text, language, lists)  # it reads parts of its grammar when they are first wanted
    times: dict[str, list[float]] = defaultdict(list)
    alone: list[float] = []
    for _ in range(effort.times(40)):
        for language, text in SENTENCES:
            times[text].append(ms_of(understander.read, text, language))
            alone.append(ms_of(hassil_reads, text, language, lists))
    slowest = sorted(((median(found), text) for text, found in times.items()), reverse=True)[:3]
    read = ", ".join(f"{number} {kind}" for kind, number in kinds.most_common())
    return Row(
        f"a sentence, {entities:,} entities",
        Sample.of(value for found in times.values() for value in found),
        PEER,
        Sample.of(alone),
        bar,
        note=f"{len(SENTENCES)} sentences, en and de, read as {read}; slowest by median: "
        + "; ".join(f'"{text[:48]}" {value:.2f} ms' for value, text in slowest),
    )


def _after_a_change(entities: int, home: SimulatedHome, effort: Effort) -> Row:
    """Measure the sentence that finds the home's names changed: what is known of them is made anew."""
    language, text = SENTENCES[0]
    understander = Understander(home, SystemClock())
    understander.read(text, language)
    ours, alone = [], []
    for _ in range(effort.times(30)):
        home.revision += 1
        ours.append(ms_of(understander.read, text, language))
        alone.append(ms_of(lambda: hassil_reads(text, language, hassil_lists(home))))
    return Row(
        f"the first sentence after a registry change, {entities:,} entities", Sample.of(ours), PEER, Sample.of(alone)
    )


def hassil_lists(home: HomeView) -> dict[str, SlotList]:
    """Return the names of the exposed entities, the areas and the floors, as hassil takes them."""
    names = [
        (name, name, {"domain": entity_id.partition(".")[0]})
        for entity_id in sorted(home.exposed)
        for name in names_of(home, entity_id)
    ]
    return {
        "name": TextSlotList.from_tuples(names, allow_template=False, name="name"),
        "area": _places("area", home.areas.values()),
        "floor": _places("floor", home.floors.values()),
    }


def _places(kind: str, places: Iterable[Area | Floor]) -> SlotList:
    names = [(name, place.name) for place in places for name in (place.name, *place.aliases)]
    return TextSlotList.from_tuples(names, allow_template=False, name=kind)


def hassil_reads(text: str, language: str, lists: dict[str, SlotList]) -> object:
    """Recognise `text` with Home Assistant's whole grammar of `language` and nothing of ours."""
    return recognize(text, hassil_grammar(language), slot_lists=lists, language=language)


@cache
def hassil_grammar(language: str) -> Intents:
    """Return Home Assistant's grammar as its package has it."""
    raw = get_intents(language)
    if raw is None:
        raise ValueError(f"no grammar for {language}")
    return Intents.from_dict(raw)
