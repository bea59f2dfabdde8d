"""How states look: a word, an icon and a tone, never a colour alone."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from homesteward.actions.plan import Needs, Plan, PlanState, Status
from homesteward.faces.web.pages.texts import N_
from homesteward.faces.web.pages.visit import Visit
from homesteward.home.model import State
from homesteward.home.view import HomeView, device_class_of
from homesteward.language.names import state_word
from homesteward.language.texts import texts


class Tone(StrEnum):
    """What a state means for whoever looks."""

    GOOD = "good"
    CALM = "calm"
    WAITS = "waits"
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class Look:
    """The word, the icon and the tone of a state. The word is English; the page says it in its own language."""

    word: str
    icon: str
    tone: Tone


WAITING_LOOK: Mapping[Needs | None, Look] = {
    Needs.CONFIRM: Look(N_("Waits for a yes"), "help", Tone.WAITS),
    Needs.PIN: Look(N_("Waits for a PIN"), "pin", Tone.WAITS),
    Needs.APPROVE: Look(N_("Waits for approval"), "waits", Tone.WAITS),
    None: Look(N_("Waits"), "waits", Tone.WAITS),
}
PLAN_LOOK: Mapping[PlanState, Look] = {
    PlanState.PROPOSED: Look(N_("Proposed"), "waits", Tone.CALM),
    PlanState.APPROVED: Look(N_("Approved"), "check", Tone.CALM),
    PlanState.EXECUTING: Look(N_("Being done"), "running", Tone.CALM),
    PlanState.COMPLETED: Look(N_("Done"), "check", Tone.GOOD),
    PlanState.PARTIAL: Look(N_("Partly done"), "alert", Tone.BAD),
    PlanState.FAILED: Look(N_("Failed"), "alert", Tone.BAD),
    PlanState.INTERRUPTED: Look(N_("Cut off"), "alert", Tone.BAD),
    PlanState.REJECTED: Look(N_("Refused"), "no", Tone.CALM),
    PlanState.EXPIRED: Look(N_("Nobody decided"), "expired", Tone.CALM),
    PlanState.CANCELLED: Look(N_("Given up"), "no", Tone.CALM),
    PlanState.SIMULATED: Look(N_("Only simulated"), "simulated", Tone.CALM),
}
STATUS_LOOK: Mapping[Status, Look] = {
    Status.VERIFIED: Look(N_("Seen"), "check", Tone.GOOD),
    Status.MISMATCHED: Look(N_("Not as expected"), "alert", Tone.BAD),
    Status.FAILED: Look(N_("Failed"), "alert", Tone.BAD),
    Status.UNCERTAIN: Look(N_("Sent, not confirmed"), "help", Tone.WAITS),
    Status.SIMULATED: Look(N_("Only simulated"), "simulated", Tone.CALM),
}
# By domain, or domain and device class.
ICONS: Mapping[str, str] = {
    "alarm_control_panel": "shield",
    "automation": "robot",
    "binary_sensor": "eye",
    "binary_sensor.door": "door",
    "binary_sensor.garage_door": "garage",
    "binary_sensor.moisture": "water",
    "binary_sensor.motion": "motion",
    "binary_sensor.opening": "door",
    "binary_sensor.smoke": "smoke",
    "binary_sensor.window": "window",
    "calendar": "calendar",
    "camera": "camera",
    "climate": "thermostat",
    "cover": "blinds",
    "cover.door": "door",
    "cover.garage": "garage",
    "cover.gate": "gate",
    "fan": "fan",
    "group": "group",
    "humidifier": "water",
    "light": "light",
    "lock": "lock",
    "media_player": "speaker",
    "person": "account",
    "scene": "scene",
    "script": "script",
    "sensor": "gauge",
    "sensor.battery": "battery",
    "sensor.energy": "flash",
    "sensor.humidity": "water",
    "sensor.power": "flash",
    "sensor.temperature": "thermometer",
    "siren": "bell",
    "switch": "switch",
    "todo": "list",
    "vacuum": "vacuum",
    "valve": "valve",
    "weather": "weather",
}
ANYTHING = "shape"


def plan_look(plan: Plan) -> Look:
    """Return how the plan looks, by what it waits for where it waits."""
    return WAITING_LOOK[plan.needs] if plan.state is PlanState.WAITING else PLAN_LOOK[plan.state]


def icon_of(home: HomeView, entity_id: str) -> str:
    """Return the icon of an entity, by what it is."""
    domain = entity_id.partition(".")[0]
    return ICONS.get(f"{domain}.{device_class_of(home, entity_id)}") or ICONS.get(domain, ANYTHING)


def told_state(words: str, visit: Visit) -> str:
    """Return what an effect or an evidence says of a state, in the words of the page: the state first, then what was wanted."""
    state, comma, rest = words.partition(", ")
    return f"{texts(visit.language).word('state', state)}{comma}{rest}" if state else ""


def state_told(state: State, visit: Visit) -> str:
    """Return an entity's state as people of this home say it: a measure in their numbers, anything else in words."""
    unit = state.attributes.get("unit_of_measurement")
    if unit and state.available:
        return visit.local.quantity(state.state, str(unit))
    return state_word(state, visit.home, texts(visit.language))
