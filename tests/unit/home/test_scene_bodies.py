"""What a stored scene sets: read from its configuration, where Home Assistant gives that, and hidden where it does not."""

from contextlib import asynccontextmanager

import pytest

from homesteward.core.json import JsonValue
from homesteward.home.bodies import scene_body
from homesteward.home.calls import Call
from homesteward.home.connection import Connection
from homesteward.home.errors import AuthFailedError, HaError, NotConnectedError
from homesteward.home.mirror import Mirror
from homesteward.home.model import State
from unit.home.far_end import FarEnd
from unit.home.test_mirror import house, settled, subscription

__all__ = ["house"]

COSY = State("scene.cosy", "unknown", {"id": "1700", "entity_id": ["light.a", "lock.door"]})


def told(steps) -> list[tuple[str, JsonValue]]:
    """Return each member with what the scene puts it into, None where that is hidden."""
    return [(step.member, step.call.data["entities"][step.member] if step.call else None) for step in steps]


def test_each_member_is_set_to_what_stands_there_for_it():
    config = {"entities": {"light.a": {"state": "on", "brightness": 90}, "lock.door": "locked"}}
    steps = scene_body(COSY, config)
    assert told(steps) == [("light.a", {"state": "on", "brightness": 90}), ("lock.door", "locked")]
    assert steps[1].call == Call("scene", "apply", data={"entities": {"lock.door": "locked"}})


@pytest.mark.parametrize("config", [None, {}, {"entities": None}, {"entities": ["light.a"]}, "x", ["light.a"]])
def test_without_a_configuration_the_members_are_known_and_what_they_are_set_to_is_not(config):
    assert told(scene_body(COSY, config)) == [("light.a", None), ("lock.door", None)]


def test_members_of_a_file_that_was_not_loaded_yet_count_beside_those_that_were():
    assert told(scene_body(COSY, {"entities": {"cover.garage": "open"}})) == [
        ("light.a", None),
        ("lock.door", None),
        ("cover.garage", "open"),
    ]


class FarRest:
    """Home Assistant's REST, as far as scenes."""

    def __init__(self, **configs: JsonValue) -> None:
        self.configs, self.asked = configs, list[str]()
        self.refuses: Exception | None = None

    async def json(self, path: str, **_query: str) -> JsonValue:
        self.asked.append(path)
        if self.refuses:
            raise self.refuses
        if (config := self.configs.get(path.rpartition("/")[2])) is None:
            raise HaError("not_found", "Resource not found")
        return config


@asynccontextmanager
async def mirrored(connection: Connection, house: FarEnd, rest: FarRest | None, **scene: JsonValue):
    """A mirror of a home with one scene."""
    whole = {"light.a": {"s": "off"}, "scene.cosy": {"s": "unknown", "a": {"entity_id": ["light.a"], **scene}}}
    house.answers["subscribe_entities"] = lambda message: house.say(
        {"id": message["id"], "type": "event", "event": {"a": whole}}
    )
    connection.rest = rest
    mirror = await Mirror.start(connection)
    yield mirror
    await mirror.close()


async def test_the_mirror_knows_what_a_scene_sets_and_sees_that_it_was_saved_anew(connection, house):
    rest = FarRest(**{"1700": {"entities": {"light.a": "on"}}})
    async with mirrored(connection, house, rest, id="1700") as mirror:
        assert told(mirror.bodies["scene.cosy"]) == [("light.a", "on")]
        assert rest.asked == ["/config/scene/config/1700"]

        rest.configs["1700"] = {"entities": {"light.a": {"state": "on", "brightness": 255}}}
        await mirror.freshen(["scene.cosy"])
        assert told(mirror.bodies["scene.cosy"]) == [("light.a", {"state": "on", "brightness": 255})]

        rest.configs["1700"], before = {"entities": {"light.a": "off"}}, mirror.revision
        house.say({"id": subscription(house, "subscribe_events", "scene_reloaded"), "type": "event", "event": {}})
        await settled(mirror, before)
        assert told(mirror.bodies["scene.cosy"]) == [("light.a", "off")]


@pytest.mark.parametrize(
    "refuses", [None, HaError("http_500", "Broken"), NotConnectedError("nobody there"), AuthFailedError()]
)
async def test_a_scene_that_is_kept_elsewhere_or_cannot_be_read_hides_what_it_sets(connection, house, refuses):
    rest = FarRest()
    rest.refuses = refuses
    async with mirrored(connection, house, rest, id="1700") as mirror:
        assert told(mirror.bodies["scene.cosy"]) == [("light.a", None)]


@pytest.mark.parametrize(
    "more", [{}, {"id": ""}, {"id": 17}, {"id": "../../states"}, {"id": "x?y#z"}, {"id": "%2e%2e"}]
)
async def test_a_scene_without_a_plain_id_is_not_asked_about(connection, house, more):
    rest = FarRest()
    async with mirrored(connection, house, rest, **more) as mirror:
        assert told(mirror.bodies["scene.cosy"]) == [("light.a", None)]
    assert rest.asked == []
