"""Colours as Home Assistant compares them: by hue and saturation, whichever way they were said."""

from colorsys import rgb_to_hsv
from functools import cache
from importlib.resources import files
from typing import cast

from homesteward.core.json import JsonObject, loads
from homesteward.home.effects.effect import number, shown


def hue_saturation(data: JsonObject) -> tuple[list[float], str] | None:
    """Return the colour that `data` of a light asks for as [hue in degrees, saturation in percent], and in words."""
    name = data.get("color_name")
    if isinstance(name, str) and (rgb := named_colours().get(name.replace(" ", "").lower())):
        return _of_rgb(rgb), name
    for key in ("rgb_color", "rgbw_color", "rgbww_color"):
        if (parts := _numbers(data.get(key), 3)) and any(parts):
            return _of_rgb(tuple(parts)), f"colour {', '.join(shown(part) for part in parts)}"
    if parts := _numbers(data.get("hs_color"), 2):
        return parts, f"hue {shown(parts[0])}"
    return None


@cache
def named_colours() -> dict[str, tuple[int, int, int]]:
    """Return the colour names that Home Assistant knows, with red, green and blue from 0 to 255."""
    raw = loads(files("homesteward.home").joinpath("colours.json").read_bytes())
    return {name: (rgb[0], rgb[1], rgb[2]) for name, rgb in cast("dict[str, list[int]]", raw).items()}


def _of_rgb(rgb: tuple[float, ...]) -> list[float]:
    red, green, blue = (min(max(part / 255, 0.0), 1.0) for part in rgb[:3])
    hue, saturation, _ = rgb_to_hsv(red, green, blue)
    return [round(hue * 360, 3), round(saturation * 100, 3)]


def _numbers(value: object, at_least: int) -> list[float]:
    if not isinstance(value, list | tuple) or len(value) < at_least:
        return []
    parts = [number(part) for part in value[:at_least]]
    return [part for part in parts if part is not None] if None not in parts else []
