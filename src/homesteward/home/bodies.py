"""What a script, automation or scene does: the calls found in its body, at any depth, and a blank where a template hides one."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from homesteward.core.json import JsonValue
from homesteward.home.calls import BodyStep, Call
from homesteward.home.model import State
from homesteward.home.script_syntax import steps_of
from homesteward.home.starts import Start

MAX_STEPS = 300
BLANK_BODY = (BodyStep(None, "its body cannot be read"),)


@dataclass(frozen=True, slots=True)
class Bodies:
    """What the scripts, scenes and automations of a home do, by entity id, and what starts the automations."""

    steps: Mapping[str, tuple[BodyStep, ...]] = field(default_factory=dict)
    starts: Mapping[str, tuple[Start, ...]] = field(default_factory=dict)

    def __or__(self, newer: Bodies) -> Bodies:
        """Return both; of what is in both, the newer."""
        return Bodies({**self.steps, **newer.steps}, {**self.starts, **newer.starts})

    def without(self, gone: Collection[str]) -> Bodies:
        """Return those of all but these entities."""
        steps = {name: body for name, body in self.steps.items() if name not in gone}
        return Bodies(steps, {name: starts for name, starts in self.starts.items() if name not in gone})


def body_of(config: JsonValue) -> tuple[BodyStep, ...]:
    """Return the calls of a script's or automation's configuration, in order; all branches count, taken or not.

    One blank step stands for a body that cannot be read: a blueprint that was not filled in, no configuration, or one that is too long.
    """
    if not isinstance(config, Mapping) or "use_blueprint" in config:
        return BLANK_BODY
    steps: list[BodyStep] = []
    for key in ("sequence", "actions", "action"):
        for step in steps_of(config.get(key)):
            if len(steps) == MAX_STEPS:
                return (*steps, BodyStep(None, f"it has more than {MAX_STEPS} steps"))
            steps.append(step)
    return tuple(steps)


def scene_body(scene: State, config: JsonValue = None) -> tuple[BodyStep, ...]:
    """Return one step per member of a scene; a scene that names none, as those of a bridge do, cannot be read.

    Where its configuration is known, what it puts a member into stands in the step, as `scene.apply` would say it. The configuration is read from a
    file, which may say more or less than what was loaded: members of either count.
    """
    shown = scene.attributes.get("entity_id")
    written = config.get("entities") if isinstance(config, Mapping) else None
    states: Mapping[str, JsonValue] = written if isinstance(written, Mapping) else {}
    members = dict.fromkeys([*(map(str, shown) if isinstance(shown, list | tuple) else ()), *states])
    if not members:
        return (BodyStep(None, "its members are not known to Home Assistant"),)
    return tuple(_set(member, states) for member in members)


def _set(member: str, states: Mapping[str, JsonValue]) -> BodyStep:
    call = Call("scene", "apply", data={"entities": {member: states[member]}}) if member in states else None
    return BodyStep(call, f"set {member}", member=member)
