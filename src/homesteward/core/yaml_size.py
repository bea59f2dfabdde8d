"""How much a text in YAML comes to once its aliases are written out: measured before anything is built of it.

A few lines may stand for more than a machine holds (ten anchors, each of nine of the one before). Whoever reads YAML from outside
measures it first; what is measured here is read event by event, and nothing is kept of it.
"""

import re
from dataclasses import dataclass
from typing import Any

import yaml

LOADER: Any = getattr(
    yaml, "CSafeLoader", yaml.SafeLoader
)  # libyaml is ten times as fast, where PyYAML was built with it
MAX_NODES = 20_000
MAX_DEPTH = 60
MAX_ALIASES = 100  # a few anchors are a convenience
MAX_NUMBER = 100  # characters; YAML counts `1:1:1:...` by sixties, which takes ever longer
NUMBER = re.compile(r"[-+0-9_:.]*")


class TooMuchYamlError(ValueError):
    """The text is nested deeper, or comes to more, than any of its sort."""


@dataclass(slots=True)
class _Amount:
    """What one node comes to, with everything in it."""

    nodes: int = 1
    characters: int = 1

    def add(self, other: _Amount) -> None:
        self.nodes += other.nodes
        self.characters += other.characters


def require_bounded(text: str, characters: int, nodes: int = MAX_NODES, depth: int = MAX_DEPTH) -> None:
    """Raise TooMuchYamlError where `text`, written out, has more characters or nodes or is deeper; yaml.YAMLError where it is none."""
    stack = [(_Amount(0, 0), "")]
    anchors: dict[str, _Amount] = {}
    aliases = 0
    total = _Amount(0, 0)
    for event in yaml.parse(text, LOADER):
        if isinstance(event, yaml.CollectionStartEvent):
            stack.append((_Amount(), event.anchor or ""))
            total.add(_Amount())
            if len(stack) - 1 > depth:
                raise TooMuchYamlError(f"it is nested deeper than {depth} levels")
            anchors.pop(event.anchor or "", None)  # nothing may be within itself
        elif isinstance(event, yaml.CollectionEndEvent):
            amount, anchor = stack.pop()
            stack[-1][0].add(amount)
            anchors |= {anchor: amount} if anchor else {}
        elif isinstance(event, yaml.ScalarEvent):
            _require_no_long_number(event)
            amount = _Amount(1, len(event.value) + 1)
            stack[-1][0].add(amount)
            total.add(amount)
            anchors |= {event.anchor: amount} if event.anchor else {}
        elif isinstance(event, yaml.AliasEvent):
            aliases += 1
            if aliases > MAX_ALIASES or event.anchor not in anchors:
                raise TooMuchYamlError("it repeats more than any such text, or itself")
            stack[-1][0].add(anchors[event.anchor])
            total.add(anchors[event.anchor])
        if total.nodes > nodes or total.characters > characters:
            raise TooMuchYamlError("written out, it repeats more than any such text holds")


def _require_no_long_number(event: yaml.ScalarEvent) -> None:
    if len(event.value) > MAX_NUMBER and event.implicit[0] and NUMBER.fullmatch(event.value):
        raise TooMuchYamlError("it holds a number longer than any")
