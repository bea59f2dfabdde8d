"""Home files: read as Home Assistant would show the home, or refused with the key that is wrong."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from homesteward.home.inventory import Thing
from homesteward.home.simulation import SimulatedHome
from homesteward.home.view import area_of
from homesteward.trial import HomeFileError
from homesteward.trial.enumerations import features_of, value_of
from homesteward.trial.home_file import load_home

Bent = Callable[[dict[str, Any]], None]


def things(homes: Path) -> dict[str, Thing]:
    return {thing.entity_id: thing for thing in load_home(homes / "flat.yaml").inventory.things}


def test_features_named_by_their_path_become_bits(homes: Path) -> None:
    assert things(homes)["cover.blind"].attributes["supported_features"] == 1 | 2


def test_a_device_class_named_by_its_path_becomes_a_word(homes: Path) -> None:
    assert things(homes)["cover.blind"].attributes["device_class"] == "blind"


def test_a_fan_from_before_there_was_a_feature_for_it_can_be_turned_on_and_off(homes: Path) -> None:
    assert things(homes)["fan.box"].attributes["supported_features"] == 1 | 16 | 32


def test_yes_and_no_are_written_as_the_domain_does(homes: Path) -> None:
    found = things(homes)
    assert (found["light.desk"].state, found["cover.blind"].state) == ("on", "closed")


def test_what_an_integration_calls_native_is_the_state(homes: Path) -> None:
    frost = things(homes)["sensor.frost"]
    assert (frost.state, dict(frost.attributes)) == ("3", {"unit_of_measurement": "°C"})


def test_of_what_a_sensor_is_fed_and_what_it_shows_the_latter_is_its_state(homes: Path) -> None:
    assert things(homes)["binary_sensor.hatch"].state == "off"


def test_floors_may_be_named_by_the_areas_alone(homes: Path) -> None:
    inventory = load_home(homes / "flat.yaml").inventory
    assert [(floor.floor_id, floor.name) for floor in inventory.floors] == [
        ("ground_floor", "Ground floor"),
        ("upper_floor", "Upper floor"),
    ]
    assert [area.floor_id for area in inventory.areas] == ["ground_floor", "upper_floor"]


def test_a_device_gives_its_area_to_its_entities(homes: Path) -> None:
    home = SimulatedHome(load_home(homes / "flat.yaml").inventory)
    area = area_of(home, "fan.box")
    assert area is not None
    assert area.name == "Study"


def test_everything_is_exposed_unless_it_says_otherwise(homes: Path) -> None:
    found = things(homes)
    assert [name for name, thing in found.items() if not thing.exposed] == ["binary_sensor.hatch"]


def test_a_body_keeps_the_step_that_a_template_hides(homes: Path) -> None:
    body = things(homes)["script.leave"].body
    assert body is not None
    assert [step.call.id if step.call else None for step in body] == ["lock.lock", None]


def test_a_value_with_a_tag_of_its_own_counts_as_not_given(tmp_path: Path) -> None:
    (tmp_path / "home.yaml").write_text("entities: [{id: lock.gate, name: Gate, state: !secret gate}]")
    assert load_home(tmp_path / "home.yaml").inventory.things[0].first_state().state == "locked"


def test_an_id_is_taken_in_lower_case_as_home_assistant_does(tmp_path: Path) -> None:
    (tmp_path / "home.yaml").write_text("entities: [{id: sensor.price_kWh, name: Price}]")
    assert load_home(tmp_path / "home.yaml").inventory.things[0].entity_id == "sensor.price_kwh"


def bend_key(document: dict[str, Any]) -> None:
    document["entities"][0]["stat"] = "on"


def bend_id(document: dict[str, Any]) -> None:
    document["entities"][1]["id"] = "desk lamp"


def bend_area(document: dict[str, Any]) -> None:
    document["entities"][2]["area"] = "attic"


def bend_device_area(document: dict[str, Any]) -> None:
    document["devices"][0]["area"] = "attic"


def bend_device(document: dict[str, Any]) -> None:
    document["entities"][2]["device"] = "hub"


def bend_floor(document: dict[str, Any]) -> None:
    document["floors"] = [{"id": "ground", "name": "Ground floor"}]


def bend_twice(document: dict[str, Any]) -> None:
    document["entities"].append(document["entities"][0])


def bend_feature(document: dict[str, Any]) -> None:
    document["entities"][4]["attributes"]["supported_features"] = ["cover.CoverEntityFeature.FLY"]


def bend_body(document: dict[str, Any]) -> None:
    document["entities"][8]["body"] = [{"service": "Unlock it"}]


def bend_all(document: dict[str, Any]) -> None:
    del document["entities"]


@pytest.mark.parametrize(
    ("bend", "named"),
    [
        (bend_key, r"entities\.0\.stat"),
        (bend_id, r"entities\.1\.id"),
        (bend_area, r"entities\.2\.area: there is no attic"),
        (bend_device_area, r"devices\.0\.area: there is no attic"),
        (bend_device, r"entities\.2\.device: there is no hub"),
        (bend_floor, r"areas\.0\.floor: there is no Ground floor"),
        (bend_twice, r"entities\.10\.id: light\.ceiling is there twice"),
        (bend_feature, r"entities\.4\.attributes: Home Assistant has no cover\.CoverEntityFeature\.FLY"),
        (bend_body, r"entities\.8\.body\.0"),
        (bend_all, r"entities: Field required"),
    ],
)
def test_a_bad_home_file_is_refused_with_its_name_and_the_key(
    bend: Bent, named: str, written: dict[str, Any], tmp_path: Path
) -> None:
    bend(written)
    (tmp_path / "bent.yaml").write_text(yaml.safe_dump(written))
    with pytest.raises(HomeFileError, match=rf"bent\.yaml: {named}") as failure:
        load_home(tmp_path / "bent.yaml")
    assert failure.value.code == "bad_home"


@pytest.mark.parametrize("text", ["entities: [", "- just\n- a list", "\x00"])
def test_a_file_that_is_no_home_at_all_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "home.yaml").write_text(text)
    with pytest.raises(HomeFileError, match=r"home\.yaml"):
        load_home(tmp_path / "home.yaml")


def test_a_home_file_that_is_not_there_says_so(tmp_path: Path) -> None:
    with pytest.raises(HomeFileError, match="cannot be read"):
        load_home(tmp_path / "nowhere.yaml")


def test_paths_that_are_no_enumeration_stay_as_they_are() -> None:
    assert [value_of(text) for text in ("light.desk", "a.b.c", "1.2.3", "Mr. X", 5, None)] == [
        "light.desk",
        "a.b.c",
        "1.2.3",
        "Mr. X",
        5,
        None,
    ]


def test_a_member_whose_value_is_not_its_name_is_in_the_table() -> None:
    assert value_of(["sensor.SensorDeviceClass.CO2", "sensor.SensorStateClass.MEASUREMENT"]) == [
        "carbon_dioxide",
        "measurement",
    ]


def test_features_are_a_number_or_names_and_nothing_else() -> None:
    assert features_of([4, "valve.ValveEntityFeature.OPEN"]) == 5
    with pytest.raises(KeyError):
        features_of("everything")
