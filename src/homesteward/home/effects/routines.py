"""Effects of starting what somebody prepared: scenes, scripts and automations show when they last ran."""

from homesteward.home.effects.effect import Asked, Effect, Rule


def activated(asked: Asked) -> Effect:
    """Expect that the scene was activated: its state is the moment of that. Its members are seen on their own."""
    return asked.effect("activated", moved=("state",), repeatable=False)


def ran(asked: Asked) -> Effect:
    """Expect that the script or automation was started: it shows when. What it does is seen on what it reaches."""
    return asked.effect("started", moved=("last_triggered",), repeatable=False)


def stopped(asked: Asked) -> Effect:
    """Expect that the script does not run."""
    return asked.effect("stopped", "off")


RULES: dict[str, Rule] = {
    "scene.turn_on": activated,
    "script.turn_on": ran,
    "script.toggle": ran,
    "script.turn_off": stopped,
    "automation.trigger": ran,
}
