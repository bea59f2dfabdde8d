"""Simulated homes of any size, furnished like a real one: every room has a bit of everything, most of it sensors."""

from collections.abc import Iterator
from itertools import count, islice
from math import ceil

from homesteward.core.json import JsonObject
from homesteward.home.calls import BodyStep, Call, Target
from homesteward.home.inventory import Thing
from homesteward.home.model import Area, Floor, Label
from homesteward.home.simulation import SimulatedHome

DIMMABLE: JsonObject = {"supported_color_modes": ["color_temp", "hs"], "supported_features": 44}
ROOMS = ("Kitchen", "Bedroom", "Study", "Living room", "Hallway", "Garage", "Bathroom", "Dining room", "Loft", "Cellar")  # fmt: skip
FLOORS = (Floor("ground", "Ground floor", ("downstairs",), 0), Floor("upper", "Upper floor", ("upstairs",), 1))
MOST_ROOMS = 60
# What stands in a room, again and again until there is enough of it: domain, name, device class, attributes.
FURNITURE: tuple[tuple[str, str, str | None, JsonObject], ...] = (
    ("light", "ceiling light", None, DIMMABLE),
    ("light", "floor lamp", None, DIMMABLE),
    ("sensor", "temperature", "temperature", {"unit_of_measurement": "°C"}),
    ("sensor", "humidity", "humidity", {"unit_of_measurement": "%"}),
    ("binary_sensor", "motion", "motion", {}),
    ("binary_sensor", "window", "window", {}),
    ("cover", "blinds", "blind", {}),
    ("switch", "outlet", "outlet", {}),
    ("sensor", "outlet power", "power", {"unit_of_measurement": "W"}),
    ("climate", "thermostat", None, {}),
    ("media_player", "speaker", None, {}),
    ("fan", "fan", None, {}),
    ("lock", "door", None, {}),
    ("sensor", "door battery", "battery", {"unit_of_measurement": "%"}),
    ("sensor", "illuminance", "illuminance", {"unit_of_measurement": "lx"}),
    ("sensor", "carbon dioxide", "carbon_dioxide", {"unit_of_measurement": "ppm"}),
)
UNLOCK = BodyStep(Call("lock", "unlock", Target(entity_id=("lock.hallway_door",))), "unlock the hallway door")
LIGHT = BodyStep(Call("light", "turn_on", Target(entity_id=("light.kitchen_ceiling_light",))), "turn on a light")
# What only one of stands in a home: two lamps of one name, and the indirect ways.
SINGLE = (
    Thing("light.reading_lamp_bedroom", "Reading lamp", "bedroom", attributes=DIMMABLE),
    Thing("light.reading_lamp_study", "Reading lamp", "study", attributes=DIMMABLE),
    Thing("cover.garage_door", "Garage door", "garage", device_class="garage", labels=frozenset({"security"})),
    Thing("group.going_out", "Going out", members=("light.hallway_ceiling_light", "lock.hallway_door")),
    Thing("light.all_kitchen", "Kitchen group", members=("light.kitchen_ceiling_light", "light.kitchen_floor_lamp")),
    Thing("script.let_in", "Let in", body=(LIGHT, UNLOCK)),
    Thing("script.movie_time", "Movie time", body=(LIGHT,)),
    Thing("scene.arrival", "Arrival", body=(UNLOCK,)),
)


def furnished(entities: int) -> SimulatedHome:
    """Return a home of so many entities, all of them exposed: the most that a sentence can mean."""
    rooms = max(len(ROOMS), min(MOST_ROOMS, ceil(entities / 25)))
    areas = [Area(_slug(name), name, FLOORS[n % 2].floor_id) for n, name in enumerate(islice(_numbered(), rooms))]
    things = [*SINGLE, *islice(_things(areas), entities - len(SINGLE))]
    return SimulatedHome.build(things, areas=areas, floors=FLOORS, labels=[Label("security", "Security")])


def _numbered() -> Iterator[str]:
    """Yield room names without end: Kitchen, ..., Kitchen 2, ..."""
    for lap in count(1):
        yield from (name if lap == 1 else f"{name} {lap}" for name in ROOMS)


def _things(areas: list[Area]) -> Iterator[Thing]:
    """Yield furniture without end, round the rooms."""
    for lap in count(1):
        for domain, name, device_class, attributes in FURNITURE:
            for area in areas:
                full = f"{area.name} {name}" if lap == 1 else f"{area.name} {name} {lap}"
                state = "21" if domain == "sensor" else ""
                yield Thing(f"{domain}.{_slug(full)}", full, area.area_id, state, attributes, device_class=device_class)


def _slug(name: str) -> str:
    return name.lower().replace(" ", "_")
