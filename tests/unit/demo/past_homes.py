"""Homes that a past is told of in tests: the demo home itself, and one that has next to nothing."""

from datetime import UTC, datetime, timedelta

from homesteward.core.json import dumps
from homesteward.demo.inventory import Inventory, inventory
from homesteward.demo.past.people import Resident, Who
from homesteward.demo.past.rooms import House
from homesteward.demo.past.story import Family, Story, tell

OWNER, MEMBER = "1" * 32, "2" * 32
UNTIL = datetime(2026, 11, 30, 20, 0, tzinfo=UTC)
WEEKS = timedelta(days=21)

FAMILY = Family(
    residents=(
        Resident(Who.OWNER, "person.robin", "Robin", OWNER, ("device_tracker.robins_phone",)),
        Resident(Who.MEMBER, "person.sam", "Sam", MEMBER, ("device_tracker.sams_phone",)),
    ),
    scripts={
        "good_night": {
            "alias": "Good night",
            "sequence": [
                {"action": "light.turn_off", "target": {"floor_id": ["ground_floor", "first_floor"]}},
                {"action": "lock.lock", "target": {"entity_id": "lock.front_door"}},
            ],
        }
    },
    automations=[
        {
            "id": "hall_light_at_dusk",
            "alias": "Hall light at dusk",
            "triggers": [{"trigger": "numeric_state", "entity_id": "sensor.outdoor_illuminance", "below": 50}],
            "actions": [{"action": "light.turn_on", "target": {"entity_id": "light.hall_light"}}],
        },
        {
            "id": "open_up_in_the_morning",
            "alias": "Open up in the morning",
            "triggers": [{"trigger": "time", "at": "07:00:00"}],
            "actions": [{"action": "lock.unlock", "target": {"entity_id": "lock.front_door"}}],
        },
    ],
)


def told(
    until: datetime = UNTIL, span: timedelta = WEEKS, seed: int = 1, reach: timedelta = timedelta(days=1)
) -> Story:
    """Return the past of the demo home; its numbers go back no further than needed, unless a `reach` is asked for."""
    return tell(House.of(inventory()), FAMILY, until, span, seed, reach)


def tiny() -> Inventory:
    """Return a home of one room with a lamp and a thermometer, none of which any table knows."""
    entities = [
        {"id": "light.somewhere", "state": "off"},
        {
            "id": "sensor.somewhere_temperature",
            "name": "Temperature",
            "device_class": "temperature",
            "state": "19.0",
            "traits": {"unit": "°C", "state_class": "measurement"},
        },
    ]
    document = {
        "floors": [],
        "areas": [{"name": "Somewhere"}],
        "labels": [],
        "devices": [{"name": "Thing", "area": "Somewhere", "entities": entities}],
    }
    return Inventory((), ("Somewhere",), (), {}, (), dumps(document))
