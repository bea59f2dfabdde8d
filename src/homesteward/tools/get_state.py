"""The tool `get_state`: what exposed entities are right now, with the attributes that matter and their units."""

from collections.abc import Callable, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from pydantic import Field

from homesteward.core.errors import HomestewardError
from homesteward.core.json import JsonValue, plain
from homesteward.home.live import LiveHome
from homesteward.home.model import State
from homesteward.home.view import area_of, members_of
from homesteward.people.scoped import scoped
from homesteward.tools.entities import named_entities
from homesteward.tools.tool import Arguments, Tool, ToolContext, ToolResult

MOST_ASKED = 50


class GetStateArguments(Arguments):
    """Which entities."""

    entities: list[str] | str = Field(description="Entity ids or names, for example light.kitchen or Kitchen light.")


def get_state_tool(home: LiveHome) -> Tool[GetStateArguments]:
    """Return the tool on `home`. It answers `{entities: [...], errors: [...]}`; a name that fits several gives them all."""

    async def run(arguments: GetStateArguments, context: ToolContext) -> ToolResult:
        asked = [arguments.entities] if isinstance(arguments.entities, str) else arguments.entities
        return _answer(scoped(home, context.caller), asked)

    return Tool(
        "get_state",
        "Read the present state of one or more entities: value, unit and the attributes that matter.",
        GetStateArguments,
        run,
    )


def _answer(home: LiveHome, asked: Sequence[str]) -> ToolResult:
    found: dict[str, JsonValue] = {}
    errors: list[HomestewardError] = []
    for name in asked[:MOST_ASKED]:
        try:
            found |= {entity_id: _row(home, home.states[entity_id]) for entity_id in named_entities(home, name)}
        except HomestewardError as error:
            errors.append(error)
    data: dict[str, JsonValue] = {
        "entities": list(found.values()),
        "errors": [plain(error.info) for error in errors],
    }
    if len(asked) > MOST_ASKED:
        data["left_out"] = len(asked) - MOST_ASKED
    return ToolResult(ok=bool(found) or not errors, data=data, error=errors[0].info if errors and not found else None)


def _row(home: LiveHome, state: State) -> JsonValue:
    area, unit = area_of(home, state.entity_id), state.attributes.get("unit_of_measurement")
    members: list[JsonValue] = list(members_of(home, state.entity_id))
    return (
        {"entity_id": state.entity_id, "name": state.name, "area": area.name if area else None, "state": state.state}
        | ({"unit": unit} if unit else {})
        | {"attributes": _attributes(home, state)}
        | ({"members": members} if members else {})
        | {"since": _local(home, state.last_changed)}
    )


def _attributes(home: LiveHome, state: State) -> dict[str, JsonValue]:
    """Return the attributes that matter for the domain, those that are known only."""
    shown: dict[str, JsonValue] = {}
    for name in (*ALWAYS, *MATTERS.get(state.domain, ())):
        value = state.attributes.get(name)
        if value is not None:
            label, convert = CONVERTED.get(name, (name, _as_it_is))
            shown[label] = convert(value)
    units = {name: home.config.temperature_unit for name in shown if name in TEMPERATURES}
    return shown | ({"temperature_unit": home.config.temperature_unit} if units else {})


def _local(home: LiveHome, at: datetime | None) -> str | None:
    """Return a time as the household reads clocks."""
    return at.astimezone(ZoneInfo(home.config.time_zone)).isoformat(timespec="seconds") if at else None


def _as_it_is(value: JsonValue) -> JsonValue:
    return value


def _percent_of(whole: float) -> Callable[[JsonValue], JsonValue]:
    return lambda value: round(float(value) * 100 / whole) if isinstance(value, int | float) else value


ALWAYS = ("device_class",)
CONVERTED: dict[str, tuple[str, Callable[[JsonValue], JsonValue]]] = {
    "brightness": ("brightness_percent", _percent_of(255)),
    "volume_level": ("volume_percent", _percent_of(1)),
    "current_position": ("position_percent", _as_it_is),
    "current_tilt_position": ("tilt_percent", _as_it_is),
    "percentage": ("speed_percent", _as_it_is),
    "humidity": ("humidity_percent", _as_it_is),
    "current_humidity": ("current_humidity_percent", _as_it_is),
    "battery_level": ("battery_percent", _as_it_is),
}
TEMPERATURES = frozenset({"temperature", "current_temperature", "target_temp_low", "target_temp_high"})
MATTERS: dict[str, tuple[str, ...]] = {
    "alarm_control_panel": ("code_format", "changed_by"),
    "calendar": ("message", "start_time", "end_time", "location"),
    "climate": (
        "current_temperature", "temperature", "target_temp_low", "target_temp_high", "hvac_action", "hvac_modes",
        "preset_mode", "fan_mode", "humidity", "current_humidity",
    ),
    "cover": ("current_position", "current_tilt_position"),
    "fan": ("percentage", "preset_mode", "direction", "oscillating"),
    "humidifier": ("humidity", "current_humidity", "mode", "action"),
    "input_number": ("min", "max", "step"),
    "input_select": ("options",),
    "light": ("brightness", "color_temp_kelvin", "rgb_color", "effect", "supported_color_modes"),
    "lock": ("changed_by",),
    "media_player": ("volume_level", "is_volume_muted", "media_title", "media_artist", "source", "source_list"),
    "number": ("min", "max", "step"),
    "select": ("options",),
    "timer": ("duration", "remaining", "finishes_at"),
    "update": ("installed_version", "latest_version"),
    "vacuum": ("battery_level", "fan_speed"),
    "valve": ("current_position",),
    "water_heater": ("current_temperature", "temperature", "operation_mode"),
    "weather": ("temperature", "humidity", "wind_speed", "wind_speed_unit"),
}  # fmt: skip
