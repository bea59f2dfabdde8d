"""What is read again after a change: the one item where Home Assistant says which, else the whole part, and nothing for nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homesteward.home.behind import NOTHING, Behind, behind_after
from homesteward.home.mirror import Mirror
from homesteward.home.reading import REFRESHED_BY
from unit.home.far_end import FarEnd
from unit.home.far_home import FarHome

HALL = frozenset({("areas", "hall")})


@pytest.mark.parametrize(
    ("event_type", "data", "behind"),
    [
        ("entity_registry_updated", {"action": "create", "entity_id": "a.b"}, Behind(entities=frozenset({"a.b"}))),
        (
            "entity_registry_updated",
            {"action": "update", "entity_id": "a.b", "changes": {"area_id": "x"}},
            Behind(entities=frozenset({"a.b"})),
        ),
        (
            "entity_registry_updated",
            {"action": "update", "entity_id": "a.c", "old_entity_id": "a.b", "changes": {"entity_id": "a.b"}},
            Behind(entities=frozenset({"a.c"}), gone=frozenset({("entities", "a.b")})),
        ),
        (
            "entity_registry_updated",
            {"action": "remove", "entity_id": "a.b"},
            Behind(gone=frozenset({("entities", "a.b")})),
        ),
        ("entity_registry_updated", {"action": "update", "entity_id": "a.b", "changes": {"icon": None}}, NOTHING),
        ("device_registry_updated", {"action": "update", "device_id": "d", "changes": {"sw_version": "1"}}, NOTHING),
        (
            "device_registry_updated",
            {"action": "update", "device_id": "d", "changes": {"area_id": None}},
            Behind(frozenset({"devices"})),
        ),
        ("area_registry_updated", {"action": "remove", "area_id": "hall"}, Behind(gone=HALL)),
        ("area_registry_updated", {"action": "reorder", "area_id": None}, NOTHING),
        ("area_registry_updated", {"action": "update", "area_id": "hall"}, Behind(frozenset({"areas"}))),
        ("service_registered", {"domain": "a", "service": "b"}, Behind(frozenset({"services"}))),
    ],
)
def test_an_event_puts_behind_what_it_says(event_type: str, data: dict[str, object], behind: Behind):
    assert behind_after(event_type, {"event_type": event_type, "data": data}) == behind


@given(event_type=st.sampled_from(sorted(REFRESHED_BY)), data=st.none() | st.dictionaries(st.text(), st.none()))
def test_an_event_that_says_nothing_makes_its_whole_part_be_read_again(event_type: str, data: object):
    assert behind_after(event_type, {"data": data}) == Behind(REFRESHED_BY[event_type])


def test_the_whole_of_single_items_is_the_parts_they_are_in():
    behind = Behind(entities=frozenset({"a.b"}), bodies=frozenset({"script.x"}), gone=HALL)
    assert behind.whole() == Behind(frozenset({"entities", "exposed", "bodies", "areas"}))


@pytest.fixture
async def mirror(far_home: FarHome) -> Mirror:
    return await Mirror.start(await far_home.open(lambda: None))


@pytest.fixture
def far_home() -> FarHome:
    return FarHome("light.a", "light.b")


async def caught_up(mirror: Mirror, far_home: FarHome) -> list[str]:
    """Wait until the mirror has nothing more to read, and return what it asked for."""
    end: FarEnd = far_home.ends[-1]
    asked, connection = len(end.sent), mirror._following.connection
    refreshed = mirror.counts.refreshed
    while mirror.counts.refreshed == refreshed:
        await connection.send("ping")
    return [message["type"] for message in end.sent[asked:] if message["type"] != "ping"]


async def test_one_entity_that_changed_is_asked_for_alone(mirror: Mirror, far_home: FarHome):
    far_home.rows[0] = {"entity_id": "light.a", "area_id": "hall", "aliases": ["Sun"], "options": {}}
    far_home.fire("entity_registry_updated", action="update", entity_id="light.a", changes={"aliases": []})
    assert await caught_up(mirror, far_home) == ["config/entity_registry/get_entries"]
    assert mirror.entities["light.a"].aliases == ("Sun",)
    assert mirror.exposed == {"light.b"}
    await mirror.close()


async def test_an_entity_that_went_is_gone_without_asking(mirror: Mirror, far_home: FarHome):
    far_home.fire("entity_registry_updated", action="remove", entity_id="light.a")
    assert await caught_up(mirror, far_home) == []
    assert set(mirror.entities) == mirror.exposed == {"light.b"}
    await mirror.close()


async def test_more_changes_than_are_worth_asking_one_by_one_are_read_whole(mirror: Mirror, far_home: FarHome):
    for n in range(300):
        far_home.fire("entity_registry_updated", action="create", entity_id=f"light.n{n}")
    asked = await caught_up(mirror, far_home)
    assert "config/entity_registry/list" in asked
    assert mirror.counts.whole == 1
    await mirror.close()


async def test_reading_again_what_has_not_changed_moves_no_revision(mirror: Mirror, far_home: FarHome):
    before = mirror.revision
    far_home.fire("area_registry_updated", action="update", area_id="hall")
    await caught_up(mirror, far_home)
    assert mirror.revision == before
    await mirror.close()


@pytest.mark.parametrize("diff", [{"c": {"light.unheard_of": {"+": {"s": "on"}}}}, {"c": {"light.a": {"+": 3}}}])
async def test_a_change_that_cannot_be_applied_is_counted_and_healed(
    mirror: Mirror, far_home: FarHome, diff: dict[str, object]
):
    heard: list[str] = []
    mirror.watch(lambda _old, new: heard.append(f"{new.entity_id} {new.state}"))
    far_home.change("light.a", "on", told=False)
    far_home.ends[-1].tell("subscribe_entities", diff)
    asked = await caught_up(mirror, far_home)
    assert asked == ["subscribe_entities", "unsubscribe_events"]
    assert heard == ["light.a on"]
    assert mirror.states["light.a"].state == "on"
    assert (mirror.counts.dropped, mirror.counts.healed) == (1, 1)
    far_home.change("light.a", "off")  # told to both subscriptions, as Home Assistant may while the first one ends
    await mirror._following.connection.send("ping")
    assert heard == ["light.a on", "light.a off"]
    await mirror.close()


async def test_how_late_changes_arrive_is_measured(mirror: Mirror, far_home: FarHome):
    connection = mirror._following.connection
    far_home.ends[-1].tell(
        "subscribe_entities", {"c": {"light.a": {"+": {"s": "on", "lc": connection.heard.timestamp()}}}}
    )
    await connection.send("ping")
    lag = mirror.health()["lag_ms"]
    assert isinstance(lag, dict)
    assert set(lag) == {"p50", "p95", "p99", "max"}
    await mirror.close()


@pytest.fixture(autouse=True)
async def connections_closed(far_home: FarHome):
    yield
    for end in far_home.ends:
        end.end()
