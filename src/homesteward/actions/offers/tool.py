"""A tool as its source describes it: what carries it out, on what, and which arguments it takes. Nothing in it is believed beyond that."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Protocol

from homesteward.core.json import JsonObject, JsonValue, canonical, countable
from homesteward.home.calls import ENTITY_ID

MOST_TOOLS = 500  # of one source; what it lists beyond that is counted, not kept
MAX_SCHEMA = 16 * 1024
MAX_NAME, MAX_TITLE, MAX_DESCRIPTION = 120, 120, 500
NO_ARGUMENTS: JsonObject = {"type": "object", "properties": {}, "required": []}


@dataclass(frozen=True, slots=True)
class Tool:
    """One thing that a source offers: `name` is its own for it, `title` what people read, `schema` the JSON Schema of its arguments."""

    name: str
    title: str
    service: str
    """What carries it out: `domain.service`."""
    entity_id: str = ""
    """What it acts on, empty where it names nothing."""
    schema: JsonObject = field(default_factory=lambda: NO_ARGUMENTS)
    description: str = ""
    exposed: bool = True
    """Whether Home Assistant shows it to its assistants."""

    @property
    def fingerprint(self) -> str:
        """Return what is another as soon as what carries it out, what it acts on or its arguments are others."""
        return sha256(canonical([self.service, self.entity_id, self.schema])).hexdigest()


class ToolSource(Protocol):
    """Where tools come from: Home Assistant's scripts, or an external server."""

    @property
    def name(self) -> str:
        """Return the id of the source, the same after every restart."""
        ...

    @property
    def connected(self) -> bool:
        """Return whether what it lists is what it offers now."""
        ...

    @property
    def revision(self) -> int:
        """Return a number that is another whenever what it offers may be."""
        ...

    def tools(self) -> tuple[Tool, ...]:
        """Return what it offers, as it is known at this moment. It must be quick."""
        ...


def keepable(tools: Iterable[Tool]) -> tuple[tuple[Tool, ...], int]:
    """Return the tools that can be kept, cut to a bounded size, and how many were left out. Of two of one name the first counts."""
    kept: dict[str, Tool] = {}
    left = 0
    for tool in tools:
        if len(kept) == MOST_TOOLS or tool.name in kept or not _is_sound(tool):
            left += 1
            continue
        title = legible(tool.title, MAX_TITLE) or legible(tool.name, MAX_TITLE)
        kept[tool.name] = replace(tool, title=title, description=legible(tool.description, MAX_DESCRIPTION))
    return tuple(kept.values()), left


def legible(text: str, most: int) -> str:
    """Return `text` on one line, without what cannot be shown, and not longer than `most`."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())[:most]


def properties_of(schema: JsonObject) -> Mapping[str, JsonValue]:
    """Return the arguments that a schema describes, by name."""
    found = schema.get("properties")
    return found if isinstance(found, Mapping) else {}


def required_of(schema: JsonObject) -> tuple[str, ...]:
    """Return the names of the arguments that a schema cannot do without."""
    found = schema.get("required")
    return tuple(str(name) for name in found) if isinstance(found, list | tuple) else ()


def _is_sound(tool: Tool) -> bool:
    """Return whether the tool has names that can be looked up and a schema of a size that can be kept and compared."""
    named = bool(tool.name) and legible(tool.name, MAX_NAME) == tool.name
    aimed = not tool.entity_id or ENTITY_ID.fullmatch(tool.entity_id)
    if not (named and aimed and ENTITY_ID.fullmatch(tool.service) and countable(tool.schema)):
        return False
    try:
        return len(canonical(tool.schema)) <= MAX_SCHEMA
    except (TypeError, ValueError):  # fmt: skip
        return False
