"""The chronicle over HTTP: what is asked for once, several times, wrongly."""

from datetime import UTC, datetime, timedelta

import pytest

from homesteward.actions.windows import FEWEST
from homesteward.chronicle.taking import Took
from homesteward.home.calls import ResolvedCall
from homesteward.people import Role


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


@pytest.mark.parametrize(
    "path",
    [
        "/history?text=%00",
        "/history?entity=a%00",
        "/history?since=%00",
        "/history?user=x%00",
        "/recent?text=%00",
        "/why/light.a%00",
        "/why/light.kitchen?at=%00",
        "/home-at?at=%00",
        "/chain/a%00",
        "/chronicle/export?text=%00",
        "/chronicle/filter?entity_id=a%00",
    ],
)
async def test_a_character_that_no_text_has_is_refused(lived_in, path):
    async with lived_in.client(lived_in.service()) as client:
        answer = await client.get(f"/api/v1{path}")
    assert answer.status_code == 422


async def test_a_purge_stays_in_the_audit_with_who_asked_for_it(lived_in):
    async with lived_in.client(lived_in.service()) as client:
        purged = await client.post("/api/v1/chronicle/purge", json={"before": "NOW"})
    assert purged.status_code == 200
    [entry] = await lived_in.house.audit.entries(kind="chronicle.purged")
    assert entry.actor
    assert entry.data["rows"] == purged.json()["rows"]
    assert entry.data["before"] == purged.json()["before"]


async def test_a_purge_of_what_is_still_to_come_is_refused_and_that_is_in_the_audit(lived_in):
    later = (lived_in.house.clock.now() + timedelta(hours=1)).isoformat()
    async with lived_in.client(lived_in.service()) as client:
        refused = await client.post("/api/v1/chronicle/purge", json={"before": later})
    assert (refused.status_code, refused.json()["code"]) == (400, "in_the_future")
    [entry] = await lived_in.house.audit.entries(kind="chronicle.purged")
    assert entry.data["failed"] == "in_the_future"


async def test_an_entity_that_never_was_cannot_be_explained(lived_in):
    async with lived_in.client(lived_in.service()) as client:
        answer = await client.get("/api/v1/chronicle/filter?entity_id=light.kitchn")
    assert (answer.status_code, answer.json()["code"]) == (404, "unknown_entity")
    assert "light.kitchen" in answer.json()["next"]


@pytest.mark.parametrize(
    "path",
    ["/home-at?at=2999-01-01", "/home-at?at=NOW&compare=AHEAD", "/why/light.kitchen?at=AHEAD", "/history?since=AHEAD"],
)
async def test_what_has_not_come_yet_is_an_error_and_no_empty_answer(lived_in, path):
    ahead = (datetime.now(UTC) + timedelta(days=30)).strftime("%Y-%m-%d")
    async with lived_in.client(lived_in.service()) as client:
        answer = await client.get(f"/api/v1{path.replace('AHEAD', ahead)}")
    assert answer.status_code == 400
    assert answer.json()["code"] in {"in_the_future", "bad_time"}


async def test_the_house_is_shown_as_far_as_it_is_asked_for(lived_in):
    async with lived_in.client(lived_in.service()) as client:
        found = (await client.get("/api/v1/home-at?at=NOW&entity=light.k*&entity=light.hall")).json()
    assert set(found["states"]) | set(found["unknown"]) == {"light.kitchen", "light.hall"}


async def test_an_answer_tells_the_homes_time_zone_where_it_goes_on_and_how_it_was_understood(lived_in):
    zone = lived_in.house.memory.chronicle.history.zone.key
    async with lived_in.client(lived_in.service()) as client:
        cut = await client.get("/api/v1/history?limit=1")
        whole = await client.get("/api/v1/history?limit=1000")
    assert (cut.headers["x-homesteward-time-zone"], bool(cut.headers["x-homesteward-cursor"])) == (zone, True)
    assert "x-homesteward-cursor" not in whole.headers
    assert "x-homesteward-notes" not in whole.headers


async def test_what_the_house_taught_of_how_long_things_take_is_listed_explained_and_shown(household, monkeypatch):
    owner, lamp = await household.person(Role.OWNER), "light.kitchen"
    windows, call = household.house.windows, {"service": "light.turn_on", "target": {"entity_id": lamp}}

    async def slow(_since):
        return [Took(lamp, "turn_on", 20.0)] * FEWEST

    monkeypatch.setattr(windows, "_seen", slow)
    learned = {"service": "turn_on", "samples": FEWEST, "usual_s": 20.0, "window_s": 30.0}
    async with household.client(owner) as client:
        listed = (await client.get("/api/v1/chronicle/windows")).json()
        assert listed == [{"of": of, **learned, "table_s": 3, "holds_s": 30.0} for of in (lamp, "light")]
        [judged] = (await client.post("/api/v1/policy/explain", json={"call": call})).json()
        assert judged["learned"] == [{"entity_id": lamp, "of": lamp, **learned}]
        plan = (await client.post("/api/v1/ask", json={"text": "turn on the kitchen light"})).json()["plan"]
        shown = (await client.get(f"/api/v1/plans/{plan['id']}")).json()
        assert shown["learned"] == judged["learned"]
