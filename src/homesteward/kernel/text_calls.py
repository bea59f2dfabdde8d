"""Tool calls that a small model wrote as text: seen, checked like any other, and never shown to a person."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from homesteward.core.json import JsonObject, JsonValue, loads, plain
from homesteward.core.text import forms
from homesteward.home.view import HomeView, names_of

WRAPPED = re.compile(r"```[a-z_]*\s*([\[{].*?)\s*```|<tool_call>\s*(.*?)\s*(?:</tool_call>|\Z)", re.DOTALL)
ARGUMENTS = ("arguments", "parameters", "args")
NOT_A_TARGET = frozenset({"domain", "service", "action"})
ENTITY_ID = re.compile(r"[a-z0-9_]+\.[a-z0-9_]+")
WORD = re.compile(r"\w{2,}")


@dataclass(frozen=True, slots=True)
class TextCall:
    """A tool call found in text."""

    name: str
    arguments: JsonObject | str


def text_calls(text: str) -> tuple[TextCall, ...]:
    """Return the tool calls written in `text`, in any of the shapes small models use; prose gives none."""
    return tuple(call for value in _values(text) for call in _calls(value))


def is_json(text: str) -> bool:
    """Return whether `text` is, or carries, something for machines: a JSON object or list, or a written tool call."""
    return any(isinstance(value, dict | list) for value in _values(text))


def asks_for_json(request: str) -> bool:
    """Return whether the person wants to read JSON: then text that looks like a call is the answer, not a proposal."""
    return "json" in request.casefold()


def about(call: TextCall, request: str, home: HomeView) -> bool:
    """Return whether `call` names anything that the request names. One that does not was not asked for and is not run."""
    said = _words([request])
    named = list(_texts(plain(call.arguments)))
    names = [name for text in named if ENTITY_ID.fullmatch(text) for name in names_of(home, text)]
    return bool(_words([*named, *names]) & said)


def _values(text: str) -> Iterator[JsonValue]:
    """Yield what is JSON in `text`: each marked block, else everything from the first bracket on."""
    blocks = [found[1] or found[2] for found in WRAPPED.finditer(text)]
    opened = min((at for at in (text.find("{"), text.find("[")) if at >= 0), default=None)
    for block in blocks or ([text[opened:].strip()] if opened is not None else []):
        try:
            yield loads(block)
        except ValueError:
            continue


def _calls(value: JsonValue) -> Iterator[TextCall]:
    if isinstance(value, list):
        for item in value:
            yield from _calls(item)
    elif isinstance(value, Mapping):
        for key in ("tool_calls", "function", "tool_call"):
            if isinstance(value.get(key), list | Mapping):
                yield from _calls(value[key])
                return
        yield from _plain(value)


def _plain(value: JsonObject) -> Iterator[TextCall]:
    name = value.get("name") or value.get("tool")
    arguments = next((value[key] for key in ARGUMENTS if key in value), None)
    if isinstance(name, str) and isinstance(arguments, str | Mapping):
        yield TextCall(name, arguments)


def _texts(value: JsonValue) -> Iterator[str]:
    if isinstance(value, str):
        try:
            parsed = loads(value) if value.startswith(("{", "[")) else None
        except ValueError:
            parsed = None
        if parsed is None:
            yield value
        else:
            yield from _texts(parsed)
    elif isinstance(value, Mapping):
        for key, item in value.items():
            if key not in NOT_A_TARGET:
                yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)


def _words(texts: Iterable[str]) -> set[str]:
    return {word for text in texts for form in forms(text.replace(".", " ")) for word in WORD.findall(form)}
