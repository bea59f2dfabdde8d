"""Ready inventories: homes that tests furnish a simulated home with. Each call gives a fresh one."""

from homesteward.core import Clock
from homesteward.core.json import JsonObject
from homesteward.home.calls import BodyStep, Call, Target
from homesteward.home.faults import Dead, Jam
from homesteward.home.inventory import Thing
from homesteward.home.model import Area, Floor, Label, Service
from homesteward.home.simulation import SimulatedHome

DIMMABLE: JsonObject = {"supported_color_modes": ["brightness"], "supported_features": 32}
COLOURFUL: JsonObject = {"supported_color_modes": ["color_temp", "hs"], "supported_features": 36}


def small_home(clock: Clock | None = None) -> SimulatedHome:
    """A flat with one of everything that matters: two lamps of one name, a garage door, locks (one jams), indirect ways to a lock.

    Everything is exposed but the cellar light. `lock.back_door` jams and `light.old_bulb` does nothing.
    """
    unlock = BodyStep(Call("lock", "unlock", Target(entity_id=("lock.front_door",))), "unlock the front door")
    lamp_on = BodyStep(Call("light", "turn_on", Target(entity_id=("light.hall",))), "turn on the hall light")
    home = SimulatedHome.build(
        [
            Thing("light.kitchen", "Kitchen light", "kitchen", attributes=DIMMABLE, aliases=("Cooking light",)),
            Thing("light.reading_lamp_bedroom", "Reading lamp", "bedroom", attributes=DIMMABLE),
            Thing("light.reading_lamp_study", "Reading lamp", "study", attributes=DIMMABLE),
            Thing("light.study", "Study light", "study", attributes=COLOURFUL),
            Thing("light.hall", "Hall light", "hall"),
            Thing("light.cellar", "Cellar light", "cellar", exposed=False),
            Thing("light.old_bulb", "Old bulb", "cellar"),
            Thing("light.porch", "Porch light", "outside", state="unavailable"),
            Thing("switch.coffee", "Coffee machine", "kitchen", aliases=("Espresso",)),
            Thing("fan.ceiling", "Ceiling fan", "bedroom"),
            Thing("cover.bedroom_blinds", "Bedroom blinds", "bedroom", device_class="blind"),
            Thing("cover.study_blinds", "Study blinds", "study", device_class="blind"),
            Thing("cover.garage_door", "Garage door", "garage", device_class="garage"),
            Thing("lock.front_door", "Front door", "hall", labels=frozenset({"security"})),
            Thing("lock.back_door", "Back door", "kitchen", labels=frozenset({"security"})),
            Thing("climate.thermostat", "Thermostat", "study", attributes={"hvac_modes": ["off", "heat", "cool"]}),
            Thing("media_player.speaker", "Speaker", "study", attributes={"source_list": ["Radio", "Line in"]}),
            Thing("vacuum.robot", "Robot", "hall"),
            Thing(
                "sensor.study_temperature",
                "Study temperature",
                "study",
                "21.5",
                {"unit_of_measurement": "°C"},
                device_class="temperature",
            ),
            Thing("binary_sensor.gate", "Gate", "outside", "off", device_class="garage_door"),
            Thing(
                "sensor.front_door_battery",
                "Front door battery",
                "hall",
                "80",
                {"unit_of_measurement": "%"},
                device_class="battery",
                category="diagnostic",
            ),
            Thing("group.going_out", "Going out", members=("light.hall", "lock.front_door")),
            Thing("light.upstairs", "Upstairs lights", members=("light.reading_lamp_bedroom", "light.study")),
            Thing(
                "scene.arrival",
                "Arrival",
                body=(BodyStep(None, "set the front door", member="lock.front_door"),),
            ),
            Thing(
                "scene.cosy",
                "Cosy",
                body=(BodyStep(None, "set the study light", member="light.study"),),
            ),
            Thing("script.let_in", "Let in", body=(lamp_on, unlock)),
            Thing("script.welcome", "Welcome", body=(lamp_on,)),
            Thing("automation.on_arrival", "On arrival", body=(unlock,)),
        ],
        areas=[
            Area("kitchen", "Kitchen", "ground"),
            Area("hall", "Hall", "ground", labels=frozenset({"entrance"})),
            Area("garage", "Garage", "ground"),
            Area("bedroom", "Bedroom", "upper"),
            Area("study", "Study", "upper", ("Office",)),
            "Cellar",
            "Outside",
        ],
        floors=[Floor("ground", "Ground floor", ("Downstairs",), 0), Floor("upper", "Upper floor", ("Upstairs",), 1)],
        labels=[Label("security", "Security"), Label("entrance", "Entrance")],
        services=[Service("shell_command", "backup"), Service("notify", "phone", fields={})],
        clock=clock,
    )
    home.faults["lock.back_door"] = Jam()
    home.faults["light.old_bulb"] = Dead()
    return home


def empty_home(clock: Clock | None = None) -> SimulatedHome:
    """A home with one area and nothing in it."""
    return SimulatedHome.build(areas=["Kitchen"], clock=clock)


def large_home(entities: int = 5000, clock: Clock | None = None) -> SimulatedHome:
    """A home of many lights in a hundred areas on five floors, for laws about size."""
    floors = [Floor(f"floor_{n}", f"Floor {n}", level=n) for n in range(5)]
    areas = [Area(f"area_{n}", f"Room {n}", f"floor_{n % 5}") for n in range(100)]
    things = [Thing(f"light.lamp_{n}", f"Lamp {n}", f"area_{n % 100}", attributes=DIMMABLE) for n in range(entities)]
    return SimulatedHome.build(things, areas=areas, floors=floors, clock=clock)
