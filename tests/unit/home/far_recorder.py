"""A recorder at the far end of a line: it answers about a made-up past as Home Assistant does, and forgets as it does."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from homesteward.home.errors import HaError

HOUR, FIVE = timedelta(hours=1), timedelta(minutes=5)
EPOCH = datetime(2026, 5, 4, 0, 0, tzinfo=UTC)  # a Monday

type Shown = tuple[datetime, str]


@dataclass
class FarMeter:
    """One entity's states, in order, and what it is."""

    shown: Sequence[Shown]
    unit: str | None = "kWh"
    state_class: str | None = "total_increasing"
    statistics: bool = True

    @property
    def attributes(self) -> dict[str, Any]:
        named = {"unit_of_measurement": self.unit, "state_class": self.state_class}
        return {key: value for key, value in named.items() if value}

    def number(self, at: datetime) -> float | None:
        """Return what it showed just before `at`, None where that is no number."""
        index = bisect_left([moment for moment, _ in self.shown], at)
        if index == 0:
            return None
        try:
            return float(self.shown[index - 1][1])
        except ValueError:
            return None

    def sums(self) -> list[tuple[datetime, float]]:
        """Return the running sum after each reading, as statistics count it."""
        total, last, found = 0.0, None, []
        for at, text in self.shown:
            try:
                value = float(text)
            except ValueError:
                continue
            if last is not None:
                total += value if value < 0.9 * last else value - last
            found.append((at, total))
            last = value
        return found

    def counted(self, at: datetime) -> float:
        """Return the running sum just before `at`."""
        before = [total for moment, total in self.sums() if moment < at]
        return before[-1] if before else 0.0


@dataclass
class FarRecorder:
    """A Line. States are kept from `states_from` on, five-minute rows too; hours for good. Nothing is compiled while `off`."""

    meters: Mapping[str, FarMeter]
    now: datetime
    states_from: datetime = EPOCH
    off: tuple[datetime, datetime] | None = None
    missing: frozenset[str] = frozenset()
    forbidden: frozenset[str] = frozenset()
    asked: list[tuple[str, dict[str, Any]]] = field(default_factory=list)

    async def send(self, kind: str, /, **fields: Any) -> Any:
        del fields["timeout_s"]
        self.asked.append((kind, fields))
        if kind in self.missing:
            raise HaError("unknown_command", "Unknown command.")
        if kind in self.forbidden:
            raise HaError("unauthorized", "Unauthorized")
        match kind:
            case "history/history_during_period":
                return self._history(fields)
            case "recorder/statistics_during_period":
                return self._statistics(fields)
            case "recorder/get_statistics_metadata":
                return [self._metadata(name) for name in self._named(fields.get("statistic_ids"))]
        raise HaError("unknown_command", kind)

    def _history(self, fields: Mapping[str, Any]) -> dict[str, Any]:
        start, end = (datetime.fromisoformat(fields[key]) for key in ("start_time", "end_time"))
        found: dict[str, Any] = {}
        for entity_id in fields["entity_ids"]:
            meter = self.meters.get(entity_id)
            kept = [(at, text) for at, text in meter.shown if at >= self.states_from] if meter else []
            held = [(start, text) for at, text in kept if at < start][-1:]
            rows = [*held, *((at, text) for at, text in kept if start < at < end)]
            attributes = {} if fields["no_attributes"] or not meter else {"a": meter.attributes}
            if rows:
                found[entity_id] = [{"s": text, "lu": at.timestamp(), **attributes} for at, text in rows]
        return found

    def _statistics(self, fields: Mapping[str, Any]) -> dict[str, Any]:
        start, end = (datetime.fromisoformat(fields[key]) for key in ("start_time", "end_time"))
        length = FIVE if fields["period"] == "5minute" else HOUR
        found = {}
        for name in self._named(fields["statistic_ids"]):
            compiled = list(self._rows(self.meters[name], length))
            before = [row["sum"] for row in compiled if row["at"] < start]
            last, rows = before[-1] if before else 0.0, []
            for row in compiled:
                if start <= row["at"] < end:
                    rows.append(self._row(row, length, row["sum"] - last))
                    last = row["sum"]
            if rows:
                found[name] = rows
        return found

    def _rows(self, meter: FarMeter, length: timedelta) -> Iterator[dict[str, Any]]:
        at = self._floor(meter.shown[0][0], length)
        while at + length <= self.now:
            end = at + length
            kept = length == HOUR or at >= self.states_from
            dark = self.off is not None and at >= self.off[0] and end <= self.off[1]
            value = meter.number(end)
            if kept and not dark and value is not None:
                yield {"at": at, "state": value, "sum": meter.counted(end)}
            at = end

    @staticmethod
    def _row(row: Mapping[str, Any], length: timedelta, change: float) -> dict[str, Any]:
        start = round(row["at"].timestamp() * 1000)
        end = start + round(length.total_seconds() * 1000)
        return {"start": start, "end": end, "state": row["state"], "sum": row["sum"], "change": change}

    def _metadata(self, name: str) -> dict[str, Any]:
        unit = self.meters[name].unit
        return {
            "statistic_id": name,
            "display_unit_of_measurement": unit,
            "statistics_unit_of_measurement": unit,
            "has_sum": (self.meters[name].state_class or "").startswith("total"),
            "name": None,
            "source": "recorder",
            "unit_class": None,
        }

    def _named(self, names: Sequence[str] | None) -> list[str]:
        kept = [name for name, meter in self.meters.items() if meter.statistics]
        return [name for name in names if name in kept] if names else kept

    @staticmethod
    def _floor(at: datetime, length: timedelta) -> datetime:
        return at - (at - EPOCH) % length


def counting(*readings: tuple[float, float], start: datetime = EPOCH) -> FarMeter:
    """Return a meter that showed these numbers, each so many minutes after `start`."""
    return FarMeter([(start + timedelta(minutes=minutes), f"{value:g}") for minutes, value in readings])
