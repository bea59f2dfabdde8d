"""Telling single records: names from the home as it is, times as its clocks show them, changes in words of one language."""

import re
from dataclasses import dataclass
from datetime import datetime, tzinfo

from homesteward.chronicle.record import Run, StateChange
from homesteward.chronicle.sight import Sight
from homesteward.chronicle.wording import ANY, Phrase, Wording
from homesteward.core.json import JsonObject, JsonValue
from homesteward.home.effects.effect import MEASURES, number, shown
from homesteward.home.model import EMPTY
from homesteward.home.view import HomeView, device_class_of

MOMENT = re.compile(r"\d{4}-(0\d|1[0-2])-([0-2]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,6})?(Z|[+-]\d\d:\d\d)")
MAX_QUOTE = 120  # characters of a request or a trigger in a sentence
# what a change of it is worth saying, in this order; anything else that is kept only goes with a row
TOLD = (
    "temperature", "target_temp_low", "target_temp_high", "brightness", "color_temp_kelvin", "hs_color", "effect",
    "current_position", "current_tilt_position", "percentage", "volume_level", "is_volume_muted", "source", "media_title",
    "humidity", "preset_mode", "fan_mode", "swing_mode", "hvac_action",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Teller:
    """Tells what happened to one caller, in one language, at one moment."""

    wording: Wording
    view: HomeView
    zone: tzinfo
    now: datetime
    sight: Sight
    temperature_unit: str = "°C"
    ids: bool = True
    """Whether a plan is named by its id and its rule, which somebody who reads it on a page follows by a link."""

    def text(self, key: str, /, **values: object) -> str:
        """Return a text of the language with its values."""
        return self.wording.texts[key].format(**values)

    def name(self, entity_id: str) -> str:
        """Return what the home calls an entity, its id where it is gone."""
        state = self.view.states.get(entity_id)
        return " ".join(state.name.split()) if state is not None and self.sight.sees(entity_id) else entity_id

    def clock(self, at: datetime) -> str:
        """Return the time of day in the home."""
        return f"{at.astimezone(self.zone):%H:%M}"

    def when(self, at: datetime) -> str:
        """Return the moment as one says it today: with the day only where it is another."""
        local, today = at.astimezone(self.zone), self.now.astimezone(self.zone).date()
        ago = (today - local.date()).days
        if ago in {0, 1}:
            return self.text("yesterday" if ago else "at", time=self.clock(at))
        key = "on_day" if local.year == today.year else "on_date"
        month = self.wording.months[local.month - 1]
        return self.text(key, day=local.day, month=month, year=local.year, time=self.clock(at))

    def did(self, change: StateChange, before: JsonObject = EMPTY) -> str:
        """Return what changed and when, as the beginning of a sentence."""
        phrase = self.phrase(change, before)
        rest = f" {phrase.rest}" if phrase.rest else ""
        return self.text(
            "did", name=self.name(change.entity_id), said=phrase.said, rest=rest, when=self.when(change.at)
        )

    def doing(self, change: StateChange, before: JsonObject = EMPTY) -> str:
        """Return the change as what sets off something else."""
        return self.text("doing", name=self.name(change.entity_id), doing=self.phrase(change, before).doing)

    def phrase(self, change: StateChange, before: JsonObject = EMPTY) -> Phrase:
        """Return what a thing did, in words for its kind where there are any."""
        if change.new is None:
            return self._split("gone")
        if change.old == change.new and (values := self.values(change.attributes, before)):
            return self._split("set", "setting", values=values)
        domain = change.entity_id.partition(".")[0]
        kinds = (f"{domain}.{device_class_of(self.view, change.entity_id) or ''}", domain, "")
        for kind in kinds:
            if phrase := self.wording.phrases.get(kind, {}).get(change.new):
                return phrase
        if phrase := self.wording.phrases.get(domain, {}).get(ANY):
            return phrase
        old, new = self.state(change.entity_id, change.old), self.state(change.entity_id, change.new)
        return self._split("became" if change.old is None else "from_to", "becoming", old=old, new=new)

    def state(self, entity_id: str, state: str | None) -> str:
        """Return a state as a person reads it, with its unit."""
        if state is None:
            return self.text("absent")
        now = self.view.states.get(entity_id)
        unit = now.attributes.get("unit_of_measurement") if now else None
        if unit and number(state) is not None:
            return f"{state} {unit}"
        if MOMENT.fullmatch(state):
            return self._local(state)
        return self.wording.states.get(state, state.replace("_", " "))

    def _local(self, state: str) -> str:
        """Return a state that is a moment as the home's clocks show it; one that no calendar has stays as it is."""
        try:
            return f"{datetime.fromisoformat(state).astimezone(self.zone):%Y-%m-%d %H:%M}"
        except ValueError, OverflowError:
            return state

    def values(self, attributes: JsonObject, before: JsonObject) -> str:
        """Return the attributes that differ from those before, in words."""
        changed = [name for name in TOLD if name in attributes and attributes[name] != before.get(name)]
        return ", ".join(self._value(name, attributes[name]) for name in changed)

    def trigger(self, run: Run) -> str:
        """Return in words what set a run off, as Home Assistant named it; empty where it did not."""
        said = run.trigger.strip()
        if run.trigger_entity_id:
            said = said.replace(run.trigger_entity_id, self.name(run.trigger_entity_id))
        for start, words in sorted(self.wording.triggers.items(), key=lambda each: -len(each[0])):
            if said.casefold().startswith(start.casefold()):
                follows = said[len(start) :]
                return words.format(follows.strip() if words.startswith(("{}", "the value", "den Wert")) else follows)
        return said[:MAX_QUOTE]

    def runs(self, run: Run) -> str:
        """Return the name of what ran: the home's own for it, else the one it ran under."""
        known = run.entity_id in self.view.states and self.sight.sees(run.entity_id)
        return self.name(run.entity_id) if known else run.name or run.entity_id

    def lasting(self, milliseconds: int) -> str:
        """Return a short time."""
        return f"{milliseconds} ms" if milliseconds < 1000 else f"{milliseconds / 1000:.1f} s"

    def _split(self, key: str, doing: str = "", /, **values: object) -> Phrase:
        said, _, rest = self.text(key, **values).partition("|")
        return Phrase(said, rest, self.text(doing, **values) if doing else f"{said} {rest}".strip())

    def _value(self, name: str, value: JsonValue) -> str:
        word = self.wording.attributes.get(name, name.replace("_", " "))
        return f"{word} {self._amount(name, value)}".strip()

    def _amount(self, name: str, value: JsonValue) -> str:
        if isinstance(value, str):
            return self.wording.states.get(value, value)
        amount = number(value)
        if amount is None:
            return shown(value)
        if "temp" in name and name not in MEASURES:
            return f"{shown(amount)} {self.temperature_unit}"
        _, factor, unit = MEASURES.get(name, (name, 1.0, " %" if name == "humidity" else ""))
        return f"{round(amount * factor)}{' %' if unit == '%' else unit}" if unit else shown(value)
