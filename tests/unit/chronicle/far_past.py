"""What a Home Assistant far away has recorded, and how it answers when it is asked: as the real one does, with its gaps and refusals."""

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from homesteward.core.json import JsonObject, JsonValue
from homesteward.home.errors import HaError, HomeError, NotConnectedError

type Told = tuple[datetime, str, JsonObject]


class FarPast:
    """The recorder of a far Home Assistant: states, calls and runs, of which it has forgotten what is before `begins`."""

    def __init__(self) -> None:
        self.states: dict[str, list[Told]] = {}
        self.calls: list[dict[str, Any]] = []
        self.log: list[dict[str, Any]] = []
        self.begins: datetime | None = None
        self.asked: list[str] = []
        self.refuses: dict[str, HomeError] = {}
        self.cut_after: int | None = None
        """After how many questions the connection is cut."""
        self.backlog = 0
        self.cut = asyncio.Event()

    def tell(self, entity_id: str, at: datetime, state: str, **attributes: JsonValue) -> None:
        self.states.setdefault(entity_id, []).append((at, state, attributes))

    def ran(
        self, at: datetime, entity_id: str, source: str = "", context_id: str = "A", user_id: str | None = None
    ) -> None:
        domain = entity_id.partition(".")[0]
        word = {"automation": f"triggered by {source}", "script": "started"}[domain]
        row = {
            "when": at.timestamp(),
            "entity_id": entity_id,
            "name": entity_id,
            "message": word,
            "domain": domain,
            "source": source,
        }
        self.log.append({**row, "item_id": "1", "run_id": "r1", "context_id": context_id, "context_user_id": user_id})

    def called(self, at: datetime, service: str, context_id: str = "A", **data: JsonValue) -> None:
        domain, _, name = service.partition(".")
        row = {
            "when": at.timestamp(),
            "domain": domain,
            "service": name,
            "service_data": data,
            "context_id": context_id,
        }
        self.calls.append(row)

    async def send(self, kind: str, /, **fields: Any) -> JsonValue:
        self.asked.append(kind)
        await asyncio.sleep(0)
        if self.cut_after is not None and len(self.asked) > self.cut_after:
            self.cut.set()
            raise NotConnectedError
        if refusal := self.refuses.get(kind):
            raise refusal
        return ANSWERS[kind](self, fields)


def _history(past: FarPast, fields: Mapping[str, Any]) -> JsonValue:
    since, until = _window(fields)
    return {entity_id: _rows(past, entity_id, since, until) for entity_id in fields["entity_ids"]}


def _rows(past: FarPast, entity_id: str, since: datetime, until: datetime) -> list[JsonObject]:
    """Return the state that held at the beginning, as if it were of that moment, and those after it."""
    kept = [told for told in past.states.get(entity_id, []) if past.begins is None or told[0] >= past.begins]
    held = [told for told in kept if told[0] < since][-1:]
    inside = [told for told in kept if since < told[0] < until]
    rows = [(max(at, since), state, attributes) for at, state, attributes in [*held, *inside]]
    return [{"s": state, "a": attributes, "lu": at.timestamp()} for at, state, attributes in rows]


def _listed(rows: list[dict[str, Any]], past: FarPast, fields: Mapping[str, Any]) -> JsonValue:
    since, until = _window(fields)
    begins = past.begins.timestamp() if past.begins else 0
    return [row for row in rows if since.timestamp() < row["when"] < until.timestamp() and row["when"] >= begins]


def _window(fields: Mapping[str, Any]) -> tuple[datetime, datetime]:
    since, until = (datetime.fromisoformat(fields[name]).astimezone(UTC) for name in ("start_time", "end_time"))
    return since, until


ANSWERS = {
    "history/history_during_period": _history,
    "logbook/get_events": lambda past, fields: _listed(past.log, past, fields),
    "logbook/get_action_calls": lambda past, fields: _listed(past.calls, past, fields),
    "recorder/info": lambda past, _fields: {"backlog": past.backlog, "recording": True},
}

UNKNOWN = HaError("unknown_command", "Unknown command.")
