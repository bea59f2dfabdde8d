"""Whether two calls ask one entity for things that cannot both be: on and off, heat and cool, two positions."""

from homesteward.home.effects.effect import Effect, near

# The end of these hangs on where they begin: twice a step up is no contradiction.
STEPPED = frozenset({"number", "input_number", "counter", "select", "input_select"})


def contrary(one: Effect, other: Effect) -> str:
    """Return in words how the two effects on one entity exclude each other, nothing if they do not."""
    if not (one.observable and other.observable) or _stepped(one) or _stepped(other):
        return ""
    if one.accepts and other.accepts and not set(one.accepts) & set(other.accepts):
        return f"{one.expected} and {other.expected}"
    if not (one.repeatable and other.repeatable):
        return ""
    values = {want.name: want for want in other.wanted}
    for want in one.wanted:
        if (against := values.get(want.name)) and not near(want.value, against.value, 0):
            return f"{one.expected} and {other.expected}"
    return ""


def _stepped(effect: Effect) -> bool:
    return not effect.repeatable and (effect.before is None or effect.before.domain in STEPPED)
