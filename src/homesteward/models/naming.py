"""Names and schemas that every provider accepts: one odd tool must not make a provider refuse all of them."""

import logging
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256

import jsonschema_rs
from pydantic_ai.tools import ToolDefinition

from homesteward.core.json import plain
from homesteward.tools import ToolSpec

LONGEST_NAME = 64
UNSAFE = re.compile(r"[^A-Za-z0-9_-]+")

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class OfferedTools:
    """Tools as a provider is told of them, and the way back from its names to ours."""

    definitions: tuple[ToolDefinition, ...]
    originals: Mapping[str, str]

    def original(self, offered: str) -> str:
        """Return our name for the one a model used; a name that was never offered stays as it is."""
        return self.originals.get(offered, offered)


def offered(specs: Iterable[ToolSpec]) -> OfferedTools:
    """Return `specs` with distinct names of 1 to 64 letters, digits, `_` and `-`.

    A tool whose parameters are no JSON Schema of an object is left out, with one warning in the life of the process.
    """
    definitions: dict[str, ToolDefinition] = {}
    originals: dict[str, str] = {}
    kept = [spec for spec in specs if _expressible(spec)]
    taken = {spec.name for spec in kept if _safe(spec.name) == spec.name}
    for spec in kept:
        name = spec.name if spec.name in taken and spec.name not in definitions else _free(spec.name, taken)
        taken.add(name)
        originals[name] = spec.name
        definitions[name] = ToolDefinition(
            name=name, description=spec.description, parameters_json_schema=_object_schema(spec)
        )
    return OfferedTools(tuple(definitions.values()), originals)


def _safe(name: str) -> str:
    """Return `name` in plain letters; a name of which none is left is told apart by a short hash."""
    ascii_only = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    kept = UNSAFE.sub("_", ascii_only)[:LONGEST_NAME]
    return kept if re.search(r"[A-Za-z0-9]", kept) else f"tool_{sha256(name.encode()).hexdigest()[:8]}"


def _free(name: str, taken: set[str]) -> str:
    base, n = _safe(name), 1
    candidate = base
    while candidate in taken:
        n += 1
        candidate = f"{base[: LONGEST_NAME - len(str(n)) - 1]}_{n}"
    return candidate


def _expressible(spec: ToolSpec) -> bool:
    schema = _object_schema(spec)
    if schema.get("type") == "object" and jsonschema_rs.meta.is_valid(schema):
        return True
    _warn_once(spec.name)
    return False


@cache
def _warn_once(name: str) -> None:
    _LOG.warning("tool %r is not offered to the model: its parameters are no JSON Schema of an object", name)


def _object_schema(spec: ToolSpec) -> dict[str, object]:
    """Return the parameters; none at all is an object without properties, which is how every provider takes it."""
    schema: dict[str, object] = plain(spec.parameters)
    return {"type": "object", "properties": {}} | schema if schema.get("type", "object") == "object" else schema
