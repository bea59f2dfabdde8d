"""Numbers as a device may send them: none keeps a page from being shown, and none is told as another."""

import re

import pytest

from homesteward.faces.web.pages.local import Local
from homesteward.people import Role

HTML = {"accept": "text/html"}
ODD = {
    "3.4e38": "3.4E38",
    "-3.4e38": "-3.4E38",
    "1e300": "1E300",
    "1.7976931348623157e308": "1.798E308",
    "5e-324": "5E-324",
    "0.0000012": "1.2E-6",
    "0.0005": "0",
    "-0.0": "-0",
    "1e15": "1E15",
    "999999999999999": "999,999,999,999,999",
    "21.54": "21.54",
    "nan": "nan",
    "inf": "inf",
    "-Infinity": "-Infinity",
    "1e999": "1e999",
    "9" * 255: "1E255",
    "lots": "lots",
    "": "",
}
PAGES = (
    "/",
    "/house",
    "/house?text=odd",
    "/house/sensor.odd",
    "/house/sensor.odd?span=month",
    "/chronicle",
    "/chronicle/then?at=NOW",
)


@pytest.mark.parametrize("state", ODD)
def test_a_quantity_is_told_as_it_is_however_big_or_small(state):
    assert Local("en", "US", "Europe/Berlin").quantity(state, "W") == f"{ODD[state]} W".strip()


@pytest.mark.parametrize("language", ["en", "de", "fr", "ru", "ar"])
@pytest.mark.parametrize("value", [1e300, -1e300, 5e-324, 10**400 // 10**100, float("nan"), float("inf"), 2**70])
def test_a_number_is_told_in_every_language(language, value):
    assert Local(language, None, "UTC").number(value)


@pytest.mark.parametrize("state", ODD)
async def test_every_page_is_shown_whatever_a_sensor_says(household, home, state):
    home.set_state("sensor.odd", "1", friendly_name="Odd", unit_of_measurement="W", device_class="power")
    home.set_state("sensor.odd", state, friendly_name="Odd", unit_of_measurement="W", device_class="power")
    await household.chronicle.flush()
    async with household.client(await household.person(Role.OWNER)) as owner:
        for path in PAGES:
            answer = await owner.get(path, headers=HTML)
            assert answer.status_code == 200, path
        text = re.sub(r"\s+", " ", (await owner.get("/house/sensor.odd", headers=HTML)).text)
    assert ODD[state] in text
