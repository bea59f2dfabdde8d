"""Whether a call can have caused a change: what Home Assistant's contexts say is held against what the call does.

For five seconds after a call Home Assistant stamps any other change of its entities with the call's context, and what comes later has
none. So a context alone proves nothing, and a missing one disproves nothing.
"""

from collections.abc import Mapping
from datetime import timedelta
from enum import Enum, auto

from homesteward.chronicle.record import Act, Call, StateChange
from homesteward.core.json import JsonObject
from homesteward.home.calls import ResolvedCall
from homesteward.home.effects import Effect, effect_on
from homesteward.home.model import EMPTY, UNAVAILABLE, State
from homesteward.home.view import HomeView

# What of an entity's present attributes says what it can do, and was no other then.
CAPABILITIES = (
    "supported_color_modes", "supported_features", "hvac_modes", "operation_list", "options", "min", "max", "step",
    "percentage_step", "target_temp_step", "device_class",
)  # fmt: skip
# on the way -> where that leads
ENDS: Mapping[str, frozenset[str]] = {
    "opening": frozenset({"open"}),
    "closing": frozenset({"closed", "open"}),
    "locking": frozenset({"locked", "jammed"}),
    "unlocking": frozenset({"unlocked", "open"}),
    "arming": frozenset({"armed_away", "armed_home", "armed_night", "armed_vacation", "armed_custom_bypass"}),
    "pending": frozenset({"armed_away", "armed_home", "armed_night", "armed_vacation", "triggered"}),
    "disarming": frozenset({"disarmed"}),
    "returning": frozenset({"docked"}),
    "buffering": frozenset({"playing"}),
}
LEADS_TO = {
    "opening": "open",
    "closing": "closed",
    "locking": "locked",
    "unlocking": "unlocked",
    "disarming": "disarmed",
}
LONGEST_WAY = timedelta(seconds=90)  # a movement that takes longer is not taken for one
SKEW = timedelta(seconds=2)  # how far the clock of another machine may be off


class Fit(Enum):
    """How a change and a call go together."""

    FITS = auto()
    """It is what the call does, or on the way there."""
    PARTLY = auto()
    """It is that kind of change, and not quite what was asked for."""
    UNSEEN = auto()
    """What the call does to a state is not known."""
    CANNOT = auto()
    """The call does something else."""


def fit(call: Call | Act, change: StateChange, before: JsonObject, view: HomeView) -> Fit:
    """Return how a change goes together with a call that reached the entity; `before` are its attributes then."""
    effect = expected(call, change, before, view)
    if change.new is None or change.new in UNAVAILABLE:
        return Fit.CANNOT
    if not effect.observable:
        return Fit.UNSEEN
    after = State(change.entity_id, change.new, _capable(change.entity_id, change.attributes, view))
    if effect.holds(after) or effect.contradicted(after) or _on_the_way(effect, change):
        return Fit.FITS
    if effect.accepts and change.new not in effect.accepts:
        return Fit.CANNOT
    stated = all(want.met_by(after) for want in effect.wanted if want.name in change.attributes)
    return Fit.FITS if effect.accepts and stated and not effect.moved else Fit.PARTLY


def expected(call: Call | Act, change: StateChange, before: JsonObject, view: HomeView) -> Effect:
    """Return what the call should have done to the entity, as it was before the change."""
    resolved = ResolvedCall(call.domain, call.service, call.entity_ids, call.data)
    state = State(change.entity_id, change.old or "unknown", _capable(change.entity_id, before, view))
    return effect_on(resolved, change.entity_id, state)


def as_wanted(effect: Effect, change: StateChange, view: HomeView) -> bool:
    """Return whether the entity is as the effect wants it, after the change."""
    if change.new is None or not effect.observable:
        return False
    return effect.holds(State(change.entity_id, change.new, _capable(change.entity_id, change.attributes, view)))


def in_window(call: Call | Act, change: StateChange, effect: Effect) -> bool:
    """Return whether the change came while the call, or our own step, could still show its effect."""
    window = timedelta(seconds=effect.window_s)
    if isinstance(call, Act):
        return call.at - SKEW <= change.at <= max(call.ended, call.at + window) + SKEW
    return call.at <= change.at <= call.at + window


def goes_on(before: StateChange, change: StateChange) -> bool:
    """Return whether a change ends what the one before began, such as from opening to open."""
    ends = ENDS.get(before.new or "", frozenset())
    return change.new in ends and change.at - before.at <= LONGEST_WAY


def _on_the_way(effect: Effect, change: StateChange) -> bool:
    way = change.new or ""
    if way not in ENDS:
        return False
    ends = frozenset({LEADS_TO[way]}) if way in LEADS_TO else ENDS[way]
    return not effect.accepts or bool(ends & set(effect.accepts))


def _capable(entity_id: str, attributes: JsonObject, view: HomeView) -> JsonObject:
    now = view.states.get(entity_id)
    shown = now.attributes if now else EMPTY
    return {**{name: shown[name] for name in CAPABILITIES if name in shown}, **attributes}
