"""What can be asked for, as one table: an act is a service per domain, the data it takes and the ability it needs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from homesteward.core.json import JsonObject
from homesteward.home.calls import Call, Target
from homesteward.home.model import EMPTY, State
from homesteward.knowledge import Scope
from homesteward.language.abilities import (
    Ability,
    can_colour,
    can_dim,
    can_tint,
    feature,
)
from homesteward.language.units import CELSIUS, degrees, difference

STEP_PCT = 10.0  # "a bit brighter"
STEP_DEGREES = 1.0  # "warmer"
CONVERTED_STEP = 0.1  # degrees, where the device tells no step of its own
type Said = Mapping[str, float | str]
type DataOf = Callable[[Said, State], JsonObject | None]


@dataclass(frozen=True, slots=True)
class Act:
    """One thing that can be asked for. `data` gives a call's data from what was said and the state, None = it cannot be built.

    `bare_place` is the domain meant where only a place is named, or nothing at all. `refuses`: where nothing of its domains is
    meant, it says so; without it, its words are another act's first. `otherwise` names the act for what cannot do this one.
    """

    services: Mapping[str, str]
    data: DataOf = field(default=lambda _said, _state: EMPTY)
    needs: Mapping[str, Ability] = field(default_factory=dict)
    bare_place: str | None = None
    refuses: bool = True
    otherwise: str = ""

    @property
    def scope(self) -> Scope:
        """Return the domains the act works on."""
        return dict.fromkeys(self.services, ())

    def able(self, state: State) -> bool:
        """Return whether the thing has what the act needs."""
        ability = self.needs.get(state.domain)
        return ability is None or ability(state)


def way_of(act: Act, state: State) -> Act | None:
    """Return the act as the thing can do it, None if it cannot in any way."""
    if act.able(state):
        return act
    other = ACTS.get(act.otherwise)
    return other if other and state.domain in other.services and other.able(state) else None


def calls_for(act: Act, said: Said, states: tuple[State, ...]) -> tuple[Call, ...] | None:
    """Return the calls, one per service and data; None where a value is missing or out of range."""
    grouped: dict[tuple[str, str, tuple[tuple[str, object], ...]], list[str]] = {}
    shared: dict[tuple[str, str, tuple[tuple[str, object], ...]], JsonObject] = {}
    for state in states:
        way = way_of(act, state) or act
        data = way.data(said, state)
        if data is None:
            return None
        key = (
            _service_domain(state.domain),
            way.services[state.domain],
            tuple(sorted(data.items(), key=lambda item: item[0])),
        )
        grouped.setdefault(key, []).append(state.entity_id)
        shared[key] = data
    return tuple(
        Call(domain, service, Target(entity_id=tuple(ids)), shared[domain, service, values])
        for (domain, service, values), ids in grouped.items()
    )


def _service_domain(domain: str) -> str:
    return "homeassistant" if domain == "group" else domain  # old-style groups have no services of their own


def _number(said: Said, key: str = "number") -> float | int | None:
    value = said.get(key)
    return _short(value) if isinstance(value, float | int) else None


def _percent_as(name: str, scale: float = 1) -> DataOf:
    """Build data with `name` = the percentage said, divided by `scale`."""

    def data(said: Said, _state: State) -> JsonObject | None:
        value = _number(said, "percent")
        if value is None or not 0 <= value <= 100:
            return None
        return {name: value / scale if scale != 1 else round(value)}

    return data


def _step_as(name: str, sign: int) -> DataOf:
    def data(said: Said, _state: State) -> JsonObject | None:
        value = _number(said, "percent") if "percent" in said else STEP_PCT
        return {name: sign * round(value)} if value is not None and 0 < value <= 100 else None

    return data


def _word_as(name: str) -> DataOf:
    return lambda said, _state: {name: said[name]} if name in said else None


def _done(said: Said, _state: State) -> JsonObject | None:
    return {"item": said["item"], "status": "completed"} if "item" in said else None


def _kelvin(said: Said, _state: State) -> JsonObject | None:
    value = _number(said, "kelvin") if "kelvin" in said else _number(said, "kelvin_name")
    return {"color_temp_kelvin": round(value)} if value is not None and 1000 <= value <= 20000 else None


def _temperature(said: Said, state: State) -> JsonObject | None:
    value = _number(said)
    if value is None:
        return None
    spoken, home = _units(said)
    return {"temperature": value if spoken in {None, home} else _settable(degrees(value, spoken, home), state)}


def _temperature_step(sign: int) -> DataOf:
    def data(said: Said, state: State) -> JsonObject | None:
        now = state.attributes.get("temperature")
        step = _number(said) if "number" in said else STEP_DEGREES
        if not isinstance(now, float | int) or step is None or step <= 0:
            return None
        spoken, home = _units(said)
        if spoken in {None, home}:
            return {"temperature": _short(now + sign * step)}
        return {"temperature": _settable(now + sign * difference(step, spoken, home), state)}

    return data


def _units(said: Said) -> tuple[str | None, str]:
    """Return the unit that was said, None if none was, and the home's."""
    return (str(said["unit"]) if "unit" in said else None), str(said.get("home_unit", CELSIUS))


def _settable(value: float, state: State) -> float | int:
    """Return the converted temperature at the nearest step of the device: no device has a sixth of a degree."""
    step = state.attributes.get("target_temp_step")
    step = step if isinstance(step, float | int) and step > 0 else CONVERTED_STEP
    return _short(round(round(value / step) * step, 2))


def _short(value: float) -> float | int:
    return int(value) if float(value).is_integer() else value


def _constant(**values: float | str | bool) -> DataOf:
    return lambda _said, _state: values


SWITCHED = (
    "light",
    "switch",
    "fan",
    "input_boolean",
    "media_player",
    "climate",
    "humidifier",
    "siren",
    "water_heater",
    "remote",
    "automation",
    "group",
)
ON = dict.fromkeys(SWITCHED, "turn_on")
OFF = dict.fromkeys(SWITCHED, "turn_off")
RUN = {"scene": "turn_on", "script": "turn_on"}
PLAYER = {
    name: {"media_player": service}
    for name, service in {
        "play": "media_play",
        "pause": "media_pause",
        "stop": "media_stop",
        "next": "media_next_track",
        "previous": "media_previous_track",
        "volume": "volume_set",
        "louder": "volume_up",
        "quieter": "volume_down",
        "mute": "volume_mute",
    }.items()
}
LIGHT = {"light": "turn_on"}
THERMOSTAT = {"climate": "set_temperature", "water_heater": "set_temperature"}
TAKES_DEGREES = {"climate": feature(1), "water_heater": feature(1)}
ALARM = "alarm_control_panel"
DIMS, TINTS, COLOURS = {"light": can_dim}, {"light": can_tint}, {"light": can_colour}
PLAYS = {
    name: {"media_player": feature(bit)} for name, bit in {"pause": 1, "volume": 4, "mute": 8, "play": 16384}.items()
}

ACTS: Mapping[str, Act] = {
    "on": Act(ON | RUN | {"vacuum": "start"}),
    "off": Act(OFF | {"script": "turn_off"}),
    "toggle": Act(dict.fromkeys(SWITCHED, "toggle")),
    "start": Act(ON | RUN | {"vacuum": "start", "lawn_mower": "start_mowing", "timer": "start"}),
    "timer_cancel": Act({"timer": "cancel"}, refuses=False),
    "timer_pause": Act({"timer": "pause"}, refuses=False),
    "scene": Act({"scene": "turn_on"}),
    "press": Act({"button": "press", "input_button": "press"}),
    "brightness": Act(LIGHT, _percent_as("brightness_pct"), DIMS, "light"),
    "brighter": Act(LIGHT, _step_as("brightness_step_pct", 1), DIMS, "light"),
    "dimmer": Act(LIGHT, _step_as("brightness_step_pct", -1), DIMS, "light"),
    "color": Act(LIGHT, _word_as("color_name"), COLOURS, "light"),
    "color_temperature": Act(LIGHT, _kelvin, TINTS, "light"),
    "open": Act({"cover": "open_cover", "valve": "open_valve"}, needs={"cover": feature(1), "valve": feature(1)}),
    "close": Act({"cover": "close_cover", "valve": "close_valve"}, needs={"cover": feature(2), "valve": feature(2)}),
    "position": Act(
        {"cover": "set_cover_position", "valve": "set_valve_position"},
        _percent_as("position"),
        {"cover": feature(4), "valve": feature(4)},
    ),
    # How far something is closed: put as a position before it is done, see `Proposals`.
    "closed_to": Act(
        {"cover": "close_cover", "valve": "close_valve"}, needs={"cover": feature(2), "valve": feature(2)}
    ),
    # What works its way through a home is called off, and goes home, as Home Assistant's own sentences for it have it.
    "stop": Act(
        {
            "cover": "stop_cover",
            "valve": "stop_valve",
            "vacuum": "return_to_base",
            "lawn_mower": "dock",
            "media_player": "media_stop",
        },
        needs={
            "cover": feature(8),
            "valve": feature(8),
            "vacuum": feature(16),
            "lawn_mower": feature(4),
            "media_player": feature(4096),
        },
        bare_place="vacuum",
        otherwise="halt",
    ),
    "halt": Act(
        {"vacuum": "stop", "lawn_mower": "pause"}, needs={"vacuum": feature(8), "lawn_mower": feature(2)}, refuses=False
    ),
    "lock": Act({"lock": "lock"}),
    "unlock": Act({"lock": "unlock"}),
    "temperature": Act(THERMOSTAT, _temperature, TAKES_DEGREES, "climate"),
    "warmer": Act(THERMOSTAT, _temperature_step(1), TAKES_DEGREES, "climate"),
    "cooler": Act(THERMOSTAT, _temperature_step(-1), TAKES_DEGREES, "climate"),
    "mode": Act({"climate": "set_hvac_mode"}, _word_as("hvac_mode"), bare_place="climate"),
    "fan_speed": Act({"fan": "set_percentage"}, _percent_as("percentage"), {"fan": feature(1)}),
    "play": Act(PLAYER["play"], needs=PLAYS["play"], bare_place="media_player"),
    "pause": Act(
        PLAYER["pause"] | {"vacuum": "pause"}, needs=PLAYS["pause"] | {"vacuum": feature(4)}, bare_place="media_player"
    ),
    "next": Act(PLAYER["next"], needs={"media_player": feature(32)}, bare_place="media_player"),
    "previous": Act(PLAYER["previous"], needs={"media_player": feature(16)}, bare_place="media_player"),
    "volume": Act(PLAYER["volume"], _percent_as("volume_level", 100), PLAYS["volume"], "media_player"),
    "louder": Act(PLAYER["louder"], bare_place="media_player"),
    "quieter": Act(PLAYER["quieter"], bare_place="media_player"),
    "mute": Act(PLAYER["mute"], _constant(is_volume_muted=True), PLAYS["mute"], "media_player"),
    "unmute": Act(PLAYER["mute"], _constant(is_volume_muted=False), PLAYS["mute"], "media_player"),
    "clean": Act({"vacuum": "start", "lawn_mower": "start_mowing"}, bare_place="vacuum"),
    "humidity": Act({"humidifier": "set_humidity"}, _percent_as("humidity"), bare_place="humidifier"),
    "arm": Act({ALARM: ""}, bare_place=ALARM),  # how is asked back, see OPEN_ACTS
    "alarm_on": Act({ALARM: ""}, refuses=False),
    "alarm_off": Act({ALARM: "alarm_disarm"}, refuses=False),
    "arm_away": Act({ALARM: "alarm_arm_away"}, needs={ALARM: feature(2)}, bare_place=ALARM),
    "arm_home": Act({ALARM: "alarm_arm_home"}, needs={ALARM: feature(1)}, bare_place=ALARM),
    "arm_night": Act({ALARM: "alarm_arm_night"}, needs={ALARM: feature(4)}, bare_place=ALARM),
    "disarm": Act({ALARM: "alarm_disarm"}, bare_place=ALARM),
    "dock": Act({"vacuum": "return_to_base", "lawn_mower": "dock"}, bare_place="vacuum"),
    "list_add": Act({"todo": "add_item"}, _word_as("item"), {"todo": feature(1)}, refuses=False),
    "list_done": Act({"todo": "update_item"}, _done, {"todo": feature(4)}, refuses=False),
}

# Acts that leave open how: which ones they may mean, and the state that each leads to.
ARMED = {"arm_away": "armed_away", "arm_home": "armed_home", "arm_night": "armed_night"}
OPEN_ACTS: Mapping[str, Mapping[str, str]] = {"arm": ARMED, "alarm_on": ARMED}
