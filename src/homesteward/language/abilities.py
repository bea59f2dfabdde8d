"""What an entity says it can do, read from its state: features as bits, colour modes as words."""

from collections.abc import Callable

from homesteward.home.model import State

type Ability = Callable[[State], bool]

COLOUR_MODES = frozenset({"hs", "xy", "rgb", "rgbw", "rgbww"})
DIMMED_MODES = COLOUR_MODES | {"brightness", "color_temp", "white"}


def can_dim(state: State) -> bool:
    """Return whether the light has a brightness. Unknown (no modes told) counts as yes: Home Assistant decides then."""
    modes = _modes(state)
    return modes is None or bool(modes & DIMMED_MODES)


def can_colour(state: State) -> bool:
    """Return whether the light can be given a colour."""
    modes = _modes(state)
    return modes is None or bool(modes & COLOUR_MODES)


def can_tint(state: State) -> bool:
    """Return whether the light can be given a colour temperature; Home Assistant converts it for coloured lights."""
    modes = _modes(state)
    return modes is None or bool(modes & (COLOUR_MODES | {"color_temp"}))


def feature(bit: int) -> Ability:
    """Return the test for one bit of `supported_features`. An entity that tells no features is left to Home Assistant."""

    def has(state: State) -> bool:
        return "supported_features" not in state.attributes or bool(state.supported_features & bit)

    return has


def _modes(state: State) -> frozenset[str] | None:
    value = state.attributes.get("supported_color_modes")
    return frozenset(str(mode) for mode in value) if isinstance(value, list | tuple) else None
