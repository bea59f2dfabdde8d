"""Which of several colours a call gives a light: one that it can show, for Home Assistant takes only one, and refuses the call otherwise."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from homesteward.home.calls import ResolvedCall
from homesteward.home.effects.light import colourful, dimmable, tunable
from homesteward.home.model import State
from homesteward.home.view import HomeView, leaves_of


def _white(state: State) -> bool:
    modes = state.attributes.get("supported_color_modes")
    return isinstance(modes, list | tuple) and "white" in modes


# What says a colour, the one that says most first, and whether a light can show it; HA converts between colours by itself.
DESCRIPTORS: Mapping[str, Callable[[State], bool]] = {
    "color_temp_kelvin": tunable,
    "rgb_color": colourful,
    "hs_color": colourful,
    "white": _white,
    "color_name": colourful,
    "rgbw_color": colourful,
    "rgbww_color": colourful,
    "xy_color": colourful,
}
ALSO = frozenset({"brightness", "brightness_pct", "brightness_step", "brightness_step_pct", "effect"})
"""What a light is still told where its colour is left out."""


def with_one_colour(view: HomeView, call: ResolvedCall) -> ResolvedCall:
    """Return the call with the one colour that its lights can show, and in `healed` what was left out.

    A colour that none of them can show goes only where the call says something else to do; a call for nothing but that colour stays as it is, to
    be refused. Where a light is not known, nothing is changed.
    """
    given = [name for name in DESCRIPTORS if name in call.data]
    lights = lights_of(view, call) if given else ()
    if not lights:
        return call
    kept = _kept(given, lights, says_more=bool(ALSO & call.data.keys()))
    dropped = [name for name in given if name not in kept]
    if not dropped:
        return call
    names = ", ".join(light.name for light in lights[:5])
    why = f"{kept[0]} is what {names} can do" if kept else f"{names} cannot show it"
    words = (f"{name} left out: {why}" for name in dropped)
    data = {name: value for name, value in call.data.items() if name not in dropped}
    return replace(call, data=data, healed=(*call.healed, *words))


def lights_of(view: HomeView, call: ResolvedCall) -> tuple[State, ...]:
    """Return the lights that the call turns on, none where it does something else or what one of them can do is not known."""
    if call.service not in {"turn_on", "toggle"} or call.domain not in {"light", "homeassistant"}:
        return ()
    leaves = [leaf for leaf in leaves_of(view, call.entity_ids) if leaf.startswith("light.") and leaf in view.states]
    lights = tuple(view.states[leaf] for leaf in leaves)
    known = all("supported_color_modes" in light.attributes and light.available for light in lights)
    return lights if known else ()


def _kept(given: list[str], lights: Iterable[State], *, says_more: bool) -> list[str]:
    """Return what is kept of the colours given: the first that a light has itself, else that it can imitate."""
    own = [name for name in given if any(DESCRIPTORS[name](light) for light in lights)]
    imitated = [name for name in given if name == "color_temp_kelvin" and any(map(colourful, lights))]
    if able := own or imitated:
        return able[:1]
    return [] if says_more and any(map(dimmable, lights)) else given
