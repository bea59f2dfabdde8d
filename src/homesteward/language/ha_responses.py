"""Answers in the languages that we have no words for: by Home Assistant's own response templates, in a sandbox of ours.

A template sees the states that the question was about and nothing else. One that asks for more, or for what only Home Assistant has, tells
nothing, and the answer is worded by us.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from itertools import islice
from typing import Any

from hassil.recognize import RecognizeResult
from hassil.sample import sample_expression
from home_assistant_intents import get_intents
from jinja2 import Template, TemplateError
from jinja2.sandbox import ImmutableSandboxedEnvironment

from homesteward.core.json import JsonObject
from homesteward.home.model import State
from homesteward.language.grammar import grammar, supported

LONGEST = 600  # characters of an answer
NOW = {"HassGetCurrentTime": ("time", datetime.time), "HassGetCurrentDate": ("date", datetime.date)}


@dataclass(frozen=True, slots=True)
class Shown:
    """A state as Home Assistant's templates see it, its state in the language's own word where the grammar has one."""

    entity_id: str
    name: str
    domain: str
    state: str
    state_with_unit: str
    attributes: JsonObject


def told_by_ha(
    result: RecognizeResult, language: str, states: Sequence[State], matched: Sequence[State], now: datetime
) -> str | None:
    """Return the answer to what the grammar read, about `states`, of which `matched` are as asked; None where no template tells it."""
    template = _template(language, result.intent.name, result.response or "default")
    if template is None or len(states) > MOST:
        return None
    shown = {state.entity_id: _shown(state, language) for state in states}
    of_state = [shown[state.entity_id] for state in matched]
    first = next(iter([*of_state, *shown.values()]), None)
    slots: dict[str, Any] = {name: entity.text.strip() for name, entity in result.entities.items()}
    if result.intent.name in NOW:
        slot, read = NOW[result.intent.name]
        slots[slot] = read(now)
    elif first is None:
        return None
    query = {"matched": of_state, "unmatched": [one for one in shown.values() if one not in of_state]}
    attribute = _attribute_of(shown)
    try:
        text = template.render(slots=slots, state=first, query=query, state_attr=attribute)
    except TemplateError, TypeError, ValueError, AttributeError, KeyError, IndexError:
        return None
    return " ".join(text.split())[:LONGEST] or None


MOST = 200  # states that one answer looks at


def _shown(state: State, language: str) -> Shown:
    unit = state.attributes.get("unit_of_measurement") or state.attributes.get("temperature_unit")
    words = _state_words(language, _list_of(state))
    word = words.get(state.state, state.state)
    with_unit = f"{state.state} {unit}" if unit and word == state.state else word
    return Shown(state.entity_id, state.name, state.domain, word, with_unit, state.attributes)


def _attribute_of(shown: Mapping[str, Shown]) -> Any:  # noqa: ANN401 - a function for templates
    def state_attr(entity_id: str, name: str) -> object:
        return shown[entity_id].attributes.get(name) if entity_id in shown else None

    return state_attr


@cache
def _template(language: str, intent: str, response: str) -> Template | None:
    known = (get_intents(supported(language) or "") or {}).get("responses", {}).get("intents", {})
    written = known.get(intent, {}).get(response)
    try:
        return _SANDBOX.from_string(written) if written else None
    except TemplateError:
        return None


def _list_of(state: State) -> str:
    """Return the name of the grammar's list of words for the states of such a thing."""
    if state.domain == "binary_sensor":
        return f"bs_{state.attributes.get('device_class')}_states"
    return f"{state.domain}_states" if state.domain in {"cover", "lock"} else "on_off_states"


@cache
def _state_words(language: str, name: str) -> Mapping[str, str]:
    """Return the grammar's own word for each state of a list, the first that it gives."""
    words: dict[str, str] = {}
    for value in getattr(grammar(language).slot_lists.get(name), "values", ()):
        said = next(islice(sample_expression(value.text_in), 1), "")
        words.setdefault(str(value.value_out), said.strip())
    return {state: word for state, word in words.items() if word}


_SANDBOX = ImmutableSandboxedEnvironment(autoescape=False)
