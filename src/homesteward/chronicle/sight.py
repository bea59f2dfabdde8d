"""How much of the house somebody may see, put over every row before it leaves: what is not seen is not hinted at either."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache

from homesteward.chronicle.record import Act, Call, Context, Run, StateChange
from homesteward.chronicle.rows import Row
from homesteward.core.json import JsonObject, JsonValue
from homesteward.home.model import EMPTY

type Visible = Callable[[str], bool]
"""Whether an entity exists for whoever asks."""

NOT_SHOWN = "something"
_NAMED = re.compile(r"\b[a-z][a-z0-9_]*\.[a-z0-9_]+\b")


class Sight:
    """What one caller sees. Without a `visible` it is the whole house, and rows pass as they are."""

    def __init__(self, visible: Visible | None = None) -> None:
        """See the entities that `visible` lets through."""
        self.whole = visible is None
        self.sees: Visible = cache(visible) if visible is not None else lambda _: True

    def row(self, row: Row) -> Row | None:
        """Return the row as this caller may see it, None where it is about nothing that they see."""
        if self.whole:
            return row
        record = row.record
        context = replace(row.context, parent_id=None) if row.context else None
        match record:
            case StateChange() if self.sees(record.entity_id):
                attributes = self._object(record.attributes)
                return replace(row, record=replace(record, attributes=attributes, context=context), context=context)
            case Run() if self.sees(record.entity_id):
                return replace(row, record=replace(self._run(record), context=context), context=context)
            case Call() | Act():
                return self._asked(row, record, context)
        return None

    def text(self, text: str) -> str:
        """Return `text` without the ids of entities that are not seen."""
        if self.whole:
            return text
        return _NAMED.sub(lambda found: found[0] if self.sees(found[0]) else NOT_SHOWN, text)

    def _run(self, run: Run) -> Run:
        seen = run.trigger_entity_id is not None and self.sees(run.trigger_entity_id)
        if run.trigger_entity_id is not None and not seen:
            return replace(run, trigger="", trigger_entity_id=None)
        return replace(run, trigger=self.text(run.trigger))

    def _asked(self, row: Row, record: Call | Act, context: Context | None) -> Row | None:
        """Leave what was asked of things that are seen; of a request that also went elsewhere, not even the data."""
        seen = tuple(entity_id for entity_id in record.entity_ids if self.sees(entity_id))
        if not seen:
            return None
        data = self._object(record.data) if len(seen) == len(record.entity_ids) else EMPTY
        if isinstance(record, Act):  # a request in words may be about anything
            return replace(row, record=replace(record, entity_ids=seen, data=data, request=""), context=context)
        return replace(row, record=replace(record, entity_ids=seen, data=data, context=context), context=context)

    def _object(self, value: JsonObject) -> JsonObject:
        return {key: self._value(each) for key, each in value.items() if self.text(key) == key}

    def _value(self, value: JsonValue) -> JsonValue:
        if isinstance(value, str):  # a sentence may name things by any name
            return NOT_SHOWN if " " in value else self.text(value)
        if isinstance(value, Mapping):
            return self._object(value)
        if isinstance(value, Sequence):
            return [self._value(each) for each in value]
        return value
