"""The chronicle over HTTP: what is asked for once, several times, wrongly."""

import pytest

from homesteward.home.calls import ResolvedCall


@pytest.fixture
async def lived_in(household, home):
    """The household after two lights were switched."""
    for light in ("light.kitchen", "light.hall"):
        await home.call(ResolvedCall("light", "turn_on", (light,)))
    await household.house.memory.chronicle.flush()
    return household


@pytest.mark.parametrize(
    ("query", "entities"),
    [
        ("entity=light.kitchen&kind=state", {"light.kitchen"}),
        ("entity=light.kitchen&entity=light.hall&kind=state", {"light.kitchen", "light.hall"}),
        ("entity=light.*&state=on&kind=state", {"light.kitchen", "light.hall"}),
        ("area=kitchen&state=on&kind=state", {"light.kitchen"}),
    ],
)
async def test_a_field_may_be_given_once_or_several_times(lived_in, query, entities):
    async with lived_in.client(lived_in.service()) as client:
        rows = (await client.get(f"/api/v1/history?since=NOW-1h&{query}")).json()
    assert {row["entity_id"] for row in rows} >= entities
    assert {row["entity_id"] for row in rows if row["new"] == "on"} == entities


async def test_what_differed_between_two_moments_is_told(lived_in):
    async with lived_in.client(lived_in.service()) as client:
        found = (await client.get("/api/v1/home-at?at=NOW&compare=NOW")).json()
    assert found["changed"] == []


async def test_what_happened_lately_is_told_in_words(lived_in):
    async with lived_in.client(lived_in.service()) as client:
        told = (await client.get("/api/v1/recent?kind=state&entity=light.kitchen")).json()
    assert "Kitchen light turned on" in told["text"]


@pytest.mark.parametrize("path", ["/history?since=nonsense", "/home-at?at=the+flood", "/why/light.kitchen?at=x"])
async def test_a_time_that_is_none_is_an_error_that_says_what_is_one(lived_in, path):
    async with lived_in.client(lived_in.service()) as client:
        answer = await client.get(f"/api/v1{path}")
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_time")
