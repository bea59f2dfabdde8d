"""Home Assistant's messages become our types; what is unknown in them is ignored, what is wrong is said."""

from datetime import UTC, datetime

import pytest

from homesteward.home import wire
from homesteward.home.errors import UnexpectedAnswerError
from homesteward.home.model import State

AT = datetime(2026, 11, 30, 12, tzinfo=UTC)
STAMP = AT.timestamp()
LIT = State("light.a", "on", {"brightness": 10, "effect": "none"}, AT, AT, "C1")


def test_an_added_state_has_everything():
    raw = {"s": "on", "a": {"brightness": 10, "effect": "none"}, "c": "C1", "lc": STAMP}
    assert wire.added_state("light.a", raw) == LIT


def test_a_context_with_a_user_keeps_its_id():
    assert wire.added_state("light.a", {"s": "on", "c": {"id": "C2", "user_id": "U"}}).context_id == "C2"


def test_a_context_is_a_bare_id_unless_it_has_a_parent_or_a_user():
    whole = wire.added_state("light.a", {"s": "on", "c": {"id": "C2", "parent_id": "P", "user_id": None}})
    assert (whole.context_id, whole.context_parent_id, whole.context_user_id) == ("C2", "P", None)
    bare = wire.added_state("light.a", {"s": "on", "c": "C3"})
    assert (bare.context_id, bare.context_parent_id, bare.context_user_id) == ("C3", None, None)


@pytest.mark.parametrize(
    ("told", "context"),
    [
        ({}, ("C1", "P", "U")),
        ({"c": "C2"}, ("C2", "P", "U")),  # a bare id says that the parent and the user are as before
        ({"c": {"id": "C2", "parent_id": "Q"}}, ("C2", "Q", "U")),
        ({"c": {"id": "C2", "parent_id": None, "user_id": None}}, ("C2", None, None)),
        ({"c": {"user_id": "V"}}, ("C1", "P", "V")),
        ({"c": {"parent_id": None}}, ("C1", None, "U")),
    ],
)
def test_a_diff_of_a_context_changes_only_what_it_names(told, context):
    old = wire.added_state("light.a", {"s": "on", "c": {"id": "C1", "parent_id": "P", "user_id": "U"}})
    new = wire.changed_state(old, {"+": {"s": "off", **told}})
    assert (new.context_id, new.context_parent_id, new.context_user_id) == context


def test_a_diff_changes_only_what_it_names():
    new = wire.changed_state(LIT, {"+": {"a": {"brightness": 20}, "lu": STAMP + 1, "c": "C2"}, "-": {"a": ["effect"]}})
    assert (new.state, new.attributes, new.context_id) == ("on", {"brightness": 20}, "C2")
    assert new.last_changed == AT
    assert new.last_updated == datetime.fromtimestamp(STAMP + 1, UTC)


def test_a_diff_of_the_state_moves_both_times():
    new = wire.changed_state(LIT, {"+": {"s": "off", "lc": STAMP + 2}})
    assert (new.state, new.last_changed, new.last_updated) == ("off", new.last_updated, new.last_changed)
    assert new.attributes is LIT.attributes


def test_a_diff_of_only_the_contexts_user_keeps_its_id():
    assert wire.changed_state(LIT, {"+": {"c": {"user_id": "U"}}}).context_id == "C1"


def test_the_name_that_home_assistant_computes_is_no_alias():
    rows = [{"entity_id": "light.a", "aliases": [None, "Book light"], "new_key": 1, "labels": ["x"], "unique_id": 7}]
    entity = wire.entities(rows)["light.a"]
    assert (entity.aliases, entity.labels, entity.unique_id) == (("Book light",), {"x"}, "7")


def test_a_devices_own_name_gives_way_to_the_persons():
    rows = [{"id": "d", "name": "LCT001", "name_by_user": "Lamp", "parent_device_id": "p", "disabled_by": "user"}]
    device = wire.devices(rows)["d"]
    assert (device.name, device.parent_id, device.disabled) == ("Lamp", "p", True)


def test_fields_in_sections_lie_flat_and_a_target_without_filter_is_a_target():
    raw = {
        "x": {
            "go": {
                "fields": {"more": {"collapsed": True, "fields": {"deep": {"selector": {"text": None}}}}},
                "target": None,
            },
            "stay": {"fields": {}, "response": {"optional": True}},
        }
    }
    found = wire.services(raw)
    assert list(found["x.go"].fields) == ["deep"]
    assert found["x.go"].target == {}
    assert found["x.stay"].target is None
    assert found["x.stay"].response == "optional"


def test_absent_is_not_exposed():
    raw = {
        "exposed_entities": {
            "light.a": {"conversation": True},
            "light.b": {"conversation": False},
            "light.c": {"cloud.alexa": True},
        }
    }
    assert wire.exposed(raw) == {"light.a"}


def test_a_config_gives_units_and_zone():
    found = wire.config(
        {"location_name": "X", "time_zone": "Europe/Berlin", "unit_system": {"temperature": "°F", "length": "mi"}}
    )
    assert (found.name, found.time_zone, found.temperature_unit, found.length_unit) == (
        "X",
        "Europe/Berlin",
        "°F",
        "mi",
    )


def test_an_answer_of_another_form_says_where():
    with pytest.raises(UnexpectedAnswerError, match="area_id"):
        wire.areas([{"name": "X"}])
