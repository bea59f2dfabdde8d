"""Switches that are shown as something else: Home Assistant's "show as" makes a lock or a garage door of one, and hides the switch behind it."""

from collections.abc import Mapping

from homesteward.home.view import HomeView
from homesteward.policy.kept import Kept

SHOWN_AS = "switch_as_x"


def shown_as(entity_id: str, home: HomeView) -> tuple[str, ...]:
    """Return what a hidden switch is shown as: the things of its device that Home Assistant made of one. Whoever turns it acts on them."""
    return shown(home).get(entity_id, ())


def shown(home: HomeView) -> Mapping[str, tuple[str, ...]]:
    """Return by hidden switch what it is shown as."""
    return _SHOWN.of(home)


def _shown(home: HomeView) -> Mapping[str, tuple[str, ...]]:
    made: dict[str, tuple[str, ...]] = {}
    for entry in home.entities.values():
        if entry.platform == SHOWN_AS and entry.device_id:
            made[entry.device_id] = (*made.get(entry.device_id, ()), entry.entity_id)
    return {
        entry.entity_id: made[entry.device_id]
        for entry in (home.entities.values() if made else ())
        if entry.hidden and entry.device_id in made and entry.entity_id.startswith("switch.")
    }


_SHOWN: Kept[Mapping[str, tuple[str, ...]]] = Kept(lambda home: home.entities, _shown)
