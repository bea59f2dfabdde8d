"""Effects on machines that go about their own work: vacuums, lawn mowers and alarms."""

from homesteward.home.effects.effect import Asked, Effect, Rule, Wanted

FAULT = frozenset({"error"})

# service -> the states that fulfil it, in words for people; the first is what a simulation writes
STATES: dict[str, tuple[str, ...]] = {
    "vacuum.start": ("cleaning",),
    "vacuum.clean_spot": ("cleaning",),
    "vacuum.pause": ("paused",),
    "vacuum.stop": ("idle", "docked", "paused"),
    "vacuum.return_to_base": ("returning", "docked"),
    "lawn_mower.start_mowing": ("mowing",),
    "lawn_mower.pause": ("paused",),
    "lawn_mower.dock": ("returning", "docked"),
    "alarm_control_panel.alarm_disarm": ("disarmed",),
    "alarm_control_panel.alarm_arm_home": ("armed_home",),
    "alarm_control_panel.alarm_arm_away": ("armed_away",),
    "alarm_control_panel.alarm_arm_night": ("armed_night",),
    "alarm_control_panel.alarm_arm_vacation": ("armed_vacation",),
    "alarm_control_panel.alarm_arm_custom_bypass": ("armed_custom_bypass",),
    "alarm_control_panel.alarm_trigger": ("triggered", "pending"),
}


def suction(asked: Asked) -> Effect:
    """Expect that the vacuum has the fan speed asked for."""
    speed = asked.data.get("fan_speed")
    return asked.effect(f"fan speed {speed}", wanted=(Wanted("fan_speed", speed),))


def _reaches(states: tuple[str, ...]) -> Rule:
    expected = " or ".join(state.replace("_", " ") for state in states)

    def rule(asked: Asked) -> Effect:
        return asked.effect(expected, *states, wrong=FAULT)

    return rule


RULES: dict[str, Rule] = {
    **{service: _reaches(states) for service, states in STATES.items()},
    "vacuum.set_fan_speed": suction,
}
