"""How late an act may be: the shortest limit of everything that it reaches. Past it, it is not done any more."""

from collections.abc import Mapping
from datetime import timedelta

from homesteward.home.calls import ResolvedCall
from homesteward.home.view import HomeView
from homesteward.policy.impact import reached

DEFAULT = timedelta(minutes=10)
# By service where it decides, else by domain. What lets somebody in, starts a machine or makes a noise is only right at its
# time; what closes, locks or switches off is right somewhat later too.
LIMITS: Mapping[str, timedelta] = {
    "lock": timedelta(minutes=2),
    "lock.lock": timedelta(hours=2),
    "alarm_control_panel": timedelta(minutes=2),
    "siren": timedelta(minutes=1),
    "siren.turn_off": timedelta(hours=2),
    "valve": timedelta(minutes=2),
    "valve.close_valve": timedelta(hours=2),
    "cover": timedelta(minutes=10),
    "cover.close_cover": timedelta(hours=2),
    "button": timedelta(minutes=5),
    "light": timedelta(hours=1),
    "light.turn_off": timedelta(hours=4),
    "switch": timedelta(minutes=15),
    "switch.turn_off": timedelta(hours=4),
    "input_boolean": timedelta(hours=1),
    "fan": timedelta(hours=1),
    "fan.turn_off": timedelta(hours=4),
    "humidifier": timedelta(hours=1),
    "climate": timedelta(minutes=30),
    "water_heater": timedelta(minutes=30),
    "media_player": timedelta(minutes=10),
    "media_player.turn_off": timedelta(hours=4),
    "vacuum": timedelta(minutes=30),
    "lawn_mower": timedelta(minutes=15),
    "notify": timedelta(hours=1),
    "scene": timedelta(minutes=30),
    "script": timedelta(minutes=10),
    "automation": timedelta(minutes=10),
}


def lateness_of(call: ResolvedCall, home: HomeView) -> timedelta:
    """Return by how much `call` may be late: the shortest limit among what it does, through groups, scenes and scripts too."""
    found = [_limit(call.domain, call.service)]
    for target in call.entity_ids or (None,):
        found += [_limit(each.domain, each.service) for each in reached(call, target, home) if each.domain]
    return min(found)


def _limit(domain: str, service: str) -> timedelta:
    return LIMITS.get(f"{domain}.{service}", LIMITS.get(domain, DEFAULT))
