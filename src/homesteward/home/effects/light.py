"""Effects on lights: on and off, brightness (also relative), colour and colour temperature, as far as the light has them."""

from homesteward.core.json import JsonObject, JsonValue
from homesteward.home.effects.colour import hue_saturation
from homesteward.home.effects.effect import Asked, Effect, Rule, Wanted, number, shown
from homesteward.home.effects.switching import flip
from homesteward.home.model import State

FULL = 255  # Home Assistant counts brightness from 0 to 255; people and this page's words in percent
BRIGHTNESS_BAND = 4  # a lamp with 100 levels cannot hit every one of the 255
COLOUR_BAND = 6.0  # degrees and percent; lamps round colours through their own gamut
KELVIN_BAND = 120  # one mired at 6,500 K is 42 K, and lamps round to a few mireds
COLOUR_FORMS = frozenset({"color_temp_kelvin", "hs_color", "rgb_color", "rgbw_color", "rgbww_color", "xy_color"})
COLOUR_MODES = frozenset({"hs", "xy", "rgb", "rgbw", "rgbww"})


def turn_on(asked: Asked) -> Effect:
    """Expect that the light is on, at the brightness and colour asked for; at brightness 0 it is off."""
    level = _level(asked)
    if level == 0:
        return turn_off(asked)
    wanted: list[Wanted] = []
    words: list[str] = []
    if level is not None and dimmable(asked.before):
        wanted.append(Wanted("brightness", level, BRIGHTNESS_BAND))
        words.append(f"brightness {round(level * 100 / FULL)}%")
    for want, word in _colours(asked):
        wanted.append(want)
        words.append(word)
    relative = "brightness_step" in asked.data or "brightness_step_pct" in asked.data
    return asked.effect(
        ", ".join(words) or "on",
        "on",
        wanted=tuple(wanted),
        repeatable=not relative,
        also={**_lit(asked.before), **_told_no_more(wanted)},
    )


def turn_off(asked: Asked) -> Effect:
    """Expect that the light is off."""
    return asked.effect("off", "off", also={"brightness": None} if dimmable(asked.before) else {})


def toggle(asked: Asked) -> Effect:
    """Expect that the light is the other of on and off."""
    return flip(asked, _lit(asked.before))


def dimmable(state: State) -> bool:
    """Return whether the light has a brightness."""
    return bool(_modes(state) - {"onoff", "unknown"})


def colourful(state: State) -> bool:
    """Return whether the light can show colours."""
    return bool(_modes(state) & COLOUR_MODES)


def tunable(state: State) -> bool:
    """Return whether the light has a colour temperature; one with colours imitates it."""
    return "color_temp" in _modes(state)


def level_of(data: JsonObject, before: float) -> int | None:
    """Return the brightness from 0 to 255 that `data` asks of a light at `before`; None if it asks for none."""
    for key, full, start in (
        ("brightness", FULL, 0.0),
        ("brightness_pct", 100, 0.0),
        ("brightness_step", FULL, before),
        ("brightness_step_pct", 100, before),
    ):
        if (asked := number(data.get(key))) is not None:
            return round(min(FULL, max(0, start + asked * FULL / full)))  # in HA's order: 50 % is 128, not 127
    return None


def _level(asked: Asked) -> int | None:
    lit = asked.before.state == "on"
    return level_of(asked.data, (asked.attribute("brightness") or 0.0) if lit else 0.0)


def _colours(asked: Asked) -> list[tuple[Wanted, str]]:
    kelvin = number(asked.data.get("color_temp_kelvin"))
    if kelvin is not None and tunable(asked.before):
        return [(Wanted("color_temp_kelvin", kelvin, KELVIN_BAND), f"{shown(kelvin)} K")]
    colour = hue_saturation(asked.data)
    if colour is not None and colourful(asked.before):
        return [(Wanted("hs_color", list[JsonValue](colour[0]), COLOUR_BAND), colour[1])]
    if (effect := asked.data.get("effect")) is not None:
        return [(Wanted("effect", effect), f"effect {effect}")]
    return []


def _lit(before: State) -> JsonObject:
    return {"brightness": before.attributes.get("brightness") or FULL} if dimmable(before) else {}


def _told_no_more(wanted: list[Wanted]) -> JsonObject:
    """Return the colour as the light told it before in other forms: none of it is so once a colour is asked for."""
    asked = {want.name for want in wanted} & COLOUR_FORMS
    return dict.fromkeys(COLOUR_FORMS - asked) if asked else {}


def _modes(state: State) -> set[str]:
    modes = state.attributes.get("supported_color_modes")
    return {str(mode) for mode in modes} if isinstance(modes, list | tuple) else set()


RULES: dict[str, Rule] = {"light.turn_on": turn_on, "light.turn_off": turn_off, "light.toggle": toggle}
