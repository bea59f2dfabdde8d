"""Which one? More than can be read out can still be answered, by name or by room."""

from datetime import UTC, datetime

from homesteward.core import FrozenClock
from homesteward.home.inventory import Thing
from homesteward.home.model import Area
from homesteward.home.simulation import SimulatedHome
from homesteward.language import Asks, Understander, narrowed, pick

BLIND = {"device_class": "shutter", "supported_features": 15}


def house_of(count):
    things = [
        Thing(f"cover.b{n}", f"Rollladen {n}", "wohnzimmer" if n > count - 3 else f"room_{n}", attributes=BLIND)
        for n in range(1, count + 1)
    ]
    areas = [Area("wohnzimmer", "Wohnzimmer"), *(Area(f"room_{n}", f"Kammer {n}") for n in range(1, count + 1))]
    return SimulatedHome.build(things, areas=areas)


def test_what_is_not_read_out_is_kept_with_its_call_and_its_room():
    asks = Understander(house_of(11), FrozenClock(datetime(2026, 11, 30, 12, tzinfo=UTC))).read(
        "mach den Rollladen zu", "de"
    )
    assert isinstance(asks, Asks)
    every = (*asks.options, *asks.unshown)
    assert (len(asks.options), len(every)) == (8, 11)
    assert [call.target.entity_id[0] for call in asks.calls] == [option.entity_id for option in every]
    assert every[pick(every, "Rollladen 9", "de", 8)].label == "Rollladen 9"
    assert every[pick(every, "der in Kammer 3", "de", 8)].label == "Rollladen 3"
    left = narrowed(every, "im Wohnzimmer", "de")
    assert [every[n].area for n in left] == ["Wohnzimmer"] * 3
