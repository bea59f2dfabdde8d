"""Questions of Home Assistant's grammar: states, temperatures, the weather, the time. Used where no shape of ours fits."""

from collections.abc import Iterable, Mapping
from datetime import datetime

from hassil.intents import SlotList
from hassil.recognize import RecognizeResult

from homesteward.home.view import HomeView
from homesteward.knowledge import NameIndex
from homesteward.language.answers import Answers
from homesteward.language.grammar import recognise, supported
from homesteward.language.ha_responses import NOW, told_by_ha
from homesteward.language.names import state_word
from homesteward.language.reading import Says
from homesteward.language.recognise import reached
from homesteward.language.resolution import Missing
from homesteward.language.states import MEANINGS, MEASURES, Meaning
from homesteward.language.tables import table
from homesteward.language.texts import Texts
from homesteward.language.weather import weather_text

KINDS = {"one": "state", "one_yesno": "is", "any": "any", "all": "all", "which": "which", "how_many": "how_many"}


def answer_by_grammar(
    text: str,
    language: str,
    view: HomeView,
    index: NameIndex,
    lists: Mapping[str, SlotList],
    said: Texts,
    area_id: str | None,
    now: datetime,
) -> Says | None:
    """Return the first answer that the grammar's reading of `text` has in this home, None if it has none."""
    if supported(language) is None:
        return None
    worded = table("replies", language) is not None
    for result in recognise(text, language, dict(lists), area_id):
        told = None if worded else _in_its_words(result, language, view, index, now)
        if found := told or _answer(result, view, index, said, now):
            return found
    return None


def _in_its_words(
    result: RecognizeResult, language: str, view: HomeView, index: NameIndex, now: datetime
) -> Says | None:
    """Return the answer in a language that we have no words for, by Home Assistant's templates; None where they tell nothing."""
    ids = reached(result, index) if result.intent.name not in NOW else ()
    states = [view.states[name] for name in ids]
    wanted = result.entities.get("state")
    meaning = _meaning(str(wanted.value), ids) if wanted else None
    matched = [state for state in states if state.available and (meaning is None or meaning.holds(state))]
    if any(not state.available for state in states):
        return None  # no template tells of what cannot be reached
    text = told_by_ha(result, language, states, matched, now)
    return Says(text, ids) if text else None


def _answer(result: RecognizeResult, view: HomeView, index: NameIndex, said: Texts, now: datetime) -> Says | None:
    match result.intent.name:
        case "HassGetCurrentTime":
            return Says(said("answer.time", time=now.strftime(said("format.time"))))
        case "HassGetCurrentDate":
            return Says(said("answer.date", date=now.strftime(said("format.date"))))
        case "HassGetWeather":
            return _weather(result, view, index, said)
        case "HassClimateGetTemperature":
            return _temperature(result, view, index, said)
        case "HassGetState":
            return _state(result, view, index, said)
        case _:
            return None


def _weather(result: RecognizeResult, view: HomeView, index: NameIndex, said: Texts) -> Says | None:
    ids = index.within({"weather": ()}, reached(result, index))
    state = view.states.get(ids[0]) if ids else None
    if state is None or not state.available:
        return None
    return weather_text(state, view, said)


def _temperature(result: RecognizeResult, view: HomeView, index: NameIndex, said: Texts) -> Says | None:
    ids = reached(result, index)
    for source in MEASURES["temperature"]:
        found = [
            (view.states[name], value)
            for name in index.within(source.scope, ids)
            if (value := source.read(view.states[name]))
        ]
        if found:
            told = " ".join(said("answer.value", name=state.name, state=value) for state, value in found)
            return Says(told, tuple(state.entity_id for state, _ in found))
    return None


def _state(result: RecognizeResult, view: HomeView, index: NameIndex, said: Texts) -> Says | None:
    ids, kind = reached(result, index), KINDS.get(result.response or "")
    wanted = result.entities.get("state")
    if not ids or not kind:
        return None
    if wanted is None:
        states = [view.states[name] for name in ids]
        told = [said("answer.state", name=state.name, state=state_word(state, view, said)) for state in states]
        return Says(" ".join(told), ids)
    word = str(wanted.value)
    meaning = _meaning(word, ids)
    return Answers(view, _nothing, said, {}, {}).told(kind, ids, meaning, word)


def _meaning(word: str, ids: Iterable[str]) -> Meaning:
    return MEANINGS.get(word) or Meaning({name.partition(".")[0]: frozenset({word}) for name in ids}, {})


def _nothing(phrase: str, *_: object) -> Missing:
    return Missing("unknown_entity", phrase)
