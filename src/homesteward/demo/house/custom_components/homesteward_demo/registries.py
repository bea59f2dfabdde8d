"""Floors, areas, labels, categories, aliases and exposure, put where Home Assistant keeps them; a second time changes nothing."""

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import category_registry as cr
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import floor_registry as fr
from homeassistant.helpers import label_registry as lr

from .house import House

ASSISTANT = "conversation"
CATEGORISED = "automation"


@callback
def build_rooms(hass: HomeAssistant, house: House) -> None:
    """Create the floors, areas, labels and categories that do not exist yet."""
    floors, areas, labels = fr.async_get(hass), ar.async_get(hass), lr.async_get(hass)
    categories = cr.async_get(hass)
    known = {category.name for category in categories.async_list_categories(scope=CATEGORISED)}
    for category in house.inventory["categories"]:
        if category["name"] not in known:
            categories.async_create(name=category["name"], scope=CATEGORISED, icon=category["icon"])
    for floor in house.inventory["floors"]:
        if not floors.async_get_floor_by_name(floor["name"]):
            floors.async_create(
                floor["name"], level=floor["level"], icon=floor["icon"], aliases=set(floor.get("aliases", []))
            )
    for label in house.inventory["labels"]:
        if not labels.async_get_label_by_name(label["name"]):
            labels.async_create(label["name"], color=label["color"], icon=label["icon"])
    for area in house.inventory["areas"]:
        if not areas.async_get_area_by_name(area["name"]):
            floor_entry = floors.async_get_floor_by_name(area["floor"]) if "floor" in area else None
            areas.async_create(
                area["name"],
                floor_id=floor_entry.floor_id if floor_entry else None,
                icon=area["icon"],
                aliases=set(area.get("aliases", [])),
            )


@callback
def describe_entities(hass: HomeAssistant, house: House) -> None:
    """Give the house's own entities their labels, aliases and exposure."""
    entities, labels = er.async_get(hass), lr.async_get(hass)
    for _device, spec in house.specs():
        wanted = [labels.async_get_label_by_name(name) for name in spec.get("labels", [])]
        entities.async_update_entity(
            spec["id"],
            labels={label.label_id for label in wanted if label},
            aliases=[er.COMPUTED_NAME, *spec.get("aliases", [])],
        )
        async_expose_entity(hass, ASSISTANT, spec["id"], spec.get("exposed", True))


@callback
def expose_others(hass: HomeAssistant, house: House) -> None:
    """Say what Assist may see of the entities that Home Assistant made itself, and where they belong; they must exist by now."""
    entities, categories = er.async_get(hass), cr.async_get(hass)
    by_name = {known.name: known.category_id for known in categories.async_list_categories(scope=CATEGORISED)}
    for spec in house.inventory["others"]:
        async_expose_entity(hass, ASSISTANT, spec["id"], spec["exposed"])
        if "category" in spec and entities.async_get(spec["id"]):  # an older folder may lack it
            entities.async_update_entity(spec["id"], categories={CATEGORISED: by_name[spec["category"]]})
