"""Which of several thermometers in a place measures its air: what a fridge or a bath tub shows is not how warm it is there."""

from collections.abc import Sequence

from homesteward.home.view import HomeView, device_class_of

AIR = frozenset({"humidity", "carbon_dioxide", "atmospheric_pressure", "pm25", "volatile_organic_compounds"})


def of_the_air(view: HomeView, entity_ids: Sequence[str]) -> tuple[str, ...]:
    """Return those whose device also measures something of the air; all of them where none does, or there is only one."""
    measuring = {
        entity.device_id
        for name, entity in view.entities.items()
        if entity.device_id and device_class_of(view, name) in AIR
    }
    found = tuple(name for name in entity_ids if _device_of(view, name) in measuring)
    return found if found and len(entity_ids) > 1 else tuple(entity_ids)


def _device_of(view: HomeView, entity_id: str) -> str | None:
    entity = view.entities.get(entity_id)
    return entity.device_id if entity else None
