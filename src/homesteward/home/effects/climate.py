"""Effects on air and water: thermostats, fans, humidifiers and water heaters."""

from homesteward.home.effects.effect import Asked, Effect, Rule, Wanted, number, shown, unobservable
from homesteward.home.effects.switching import turn_off

TEMPERATURE_BAND = 0.3  # degrees; half a step of a thermostat that counts in halves
HUMIDITY_BAND = 1
TURNED_ON = ("heat_cool", "heat", "cool")  # which mode Home Assistant chooses when it has to, in its order
# attribute asked for in the data -> attribute in the state, word for people
SET = {
    "temperature": "temperature",
    "target_temp_low": "from",
    "target_temp_high": "to",
    "humidity": "humidity",
    "preset_mode": "preset",
    "fan_mode": "fan",
    "swing_mode": "swing",
    "swing_horizontal_mode": "horizontal swing",
    "oscillating": "oscillating",
    "direction": "direction",
    "mode": "mode",
}
BANDS = {
    "temperature": TEMPERATURE_BAND,
    "target_temp_low": TEMPERATURE_BAND,
    "target_temp_high": TEMPERATURE_BAND,
    "humidity": HUMIDITY_BAND,
}


def settings(asked: Asked) -> Effect:
    """Expect that every attribute asked for has its value, and the mode is the one asked for, if any."""
    wanted = tuple(Wanted(key, asked.data[key], BANDS.get(key, 0)) for key in SET if key in asked.data)
    mode = asked.data.get("hvac_mode") or asked.data.get("operation_mode")
    words = [f"{SET[want.name]} {shown(want.value)}" for want in wanted]
    states = (str(mode),) if mode is not None else ()
    return asked.effect(", ".join([*states, *words]) or "set", *states, wanted=wanted)


def climate_on(asked: Asked) -> Effect:
    """Expect that the thermostat is in any mode but off; in which one is Home Assistant's choice."""
    raw = asked.before.attributes.get("hvac_modes")
    modes = [str(mode) for mode in raw] if isinstance(raw, list | tuple) else list(TURNED_ON)
    chosen = sorted((mode for mode in modes if mode != "off"), key=lambda mode: (mode not in TURNED_ON, _rank(mode)))
    return asked.effect("on", *(chosen or TURNED_ON))


def heater_on(asked: Asked) -> Effect:
    """Expect that the water heater is in any mode but off."""
    raw = asked.before.attributes.get("operation_list")
    modes = [str(mode) for mode in raw] if isinstance(raw, list | tuple) else []
    chosen = [mode for mode in modes if mode != "off"]
    return asked.effect("on", *chosen) if chosen else unobservable("on", asked.before)


def heater_away(asked: Asked) -> Effect:
    """Expect that the water heater's away mode is on or off; its state says that as a word."""
    to = "on" if asked.data.get("away_mode") else "off"
    return asked.effect(f"away mode {to}", wanted=(Wanted("away_mode", to),))


def climate_toggled(asked: Asked) -> Effect:
    """Expect that the thermostat is on if it was off, else off."""
    found = climate_on(asked) if asked.before.state == "off" else turn_off(asked)
    return asked.effect(found.expected, *found.accepts, repeatable=False)


def fan_on(asked: Asked) -> Effect:
    """Expect that the fan is on, at the speed or preset asked for; at speed 0 it is off."""
    speed, preset = number(asked.data.get("percentage")), asked.data.get("preset_mode")
    if speed is not None:
        return _at_speed(asked, speed)
    if preset is not None:
        return asked.effect(f"on, preset {preset}", "on", wanted=(Wanted("preset_mode", preset),))
    return asked.effect(
        "on", "on", also={"percentage": asked.attribute("percentage") or 100} if _has_speeds(asked) else {}
    )


def fan_off(asked: Asked) -> Effect:
    """Expect that the fan is off."""
    return asked.effect("off", "off", also={"percentage": 0} if _has_speeds(asked) else {})


def fan_toggled(asked: Asked) -> Effect:
    """Expect that the fan is the other of on and off."""
    found = fan_on(asked) if asked.before.state == "off" else fan_off(asked)
    return asked.effect(found.expected, *found.accepts, repeatable=False, also=found.also)


def fan_speed(asked: Asked) -> Effect:
    """Expect that the fan runs at the speed asked for; 0 is off."""
    return _at_speed(asked, number(asked.data.get("percentage")) or 0.0)


def fan_faster(asked: Asked) -> Effect:
    """Expect that the fan runs one step faster."""
    return _stepped(asked, 1)


def fan_slower(asked: Asked) -> Effect:
    """Expect that the fan runs one step slower."""
    return _stepped(asked, -1)


def _stepped(asked: Asked, sign: int) -> Effect:
    by = number(asked.data.get("percentage_step")) or asked.attribute("percentage_step") or 10.0
    found = _at_speed(asked, min(100.0, max(0.0, (asked.attribute("percentage") or 0.0) + sign * by)))
    return asked.effect(found.expected, *found.accepts, wanted=found.wanted, repeatable=False, also=found.also)


def _at_speed(asked: Asked, speed: float) -> Effect:
    if speed == 0:
        return fan_off(asked)
    step = asked.attribute("percentage_step") or 1.0  # a fan with three speeds takes the nearest one
    return asked.effect(f"speed {shown(speed)}%", "on", wanted=(Wanted("percentage", speed, step),))


def _has_speeds(asked: Asked) -> bool:
    return "percentage" in asked.before.attributes


def _rank(mode: str) -> int:
    return TURNED_ON.index(mode) if mode in TURNED_ON else len(TURNED_ON)


RULES: dict[str, Rule] = {
    "climate.set_temperature": settings,
    "climate.set_hvac_mode": settings,
    "climate.set_preset_mode": settings,
    "climate.set_humidity": settings,
    "climate.set_fan_mode": settings,
    "climate.set_swing_mode": settings,
    "climate.set_swing_horizontal_mode": settings,
    "climate.turn_on": climate_on,
    "climate.turn_off": turn_off,
    "climate.toggle": climate_toggled,
    "humidifier.set_humidity": settings,
    "humidifier.set_mode": settings,
    "water_heater.set_temperature": settings,
    "water_heater.set_operation_mode": settings,
    "water_heater.set_away_mode": heater_away,
    "water_heater.turn_on": heater_on,
    "water_heater.turn_off": turn_off,
    "fan.turn_on": fan_on,
    "fan.turn_off": fan_off,
    "fan.toggle": fan_toggled,
    "fan.set_percentage": fan_speed,
    "fan.increase_speed": fan_faster,
    "fan.decrease_speed": fan_slower,
    "fan.set_preset_mode": settings,
    "fan.oscillate": settings,
    "fan.set_direction": settings,
}
