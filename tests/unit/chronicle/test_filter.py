"""What is worth a row in a house: the figures a household was measured by, the owner's word, and the reasons in plain words."""

import pytest

from homesteward.chronicle.filter import Filter
from homesteward.chronicle.filter_rules import OwnerRules, Rule
from homesteward.chronicle.filter_tables import deadband_of
from homesteward.chronicle.memory import Logged, Memory
from homesteward.home.model import State
from homesteward.settings.settings import ChronicleSettings

WATT = {"unit_of_measurement": "W", "device_class": "power"}
CELSIUS = {"unit_of_measurement": "°C", "device_class": "temperature"}


def kept(states: list[str], entity_id: str = "sensor.x", *, rules: OwnerRules | None = None, **attributes) -> list[str]:
    """Return which of an entity's states are kept, one after the other."""
    judge = Filter(rules)
    return [state for state in states if judge.take(State(entity_id, state, attributes))]


# what it measures, its unit, and states: the first is always kept, the second never, the third again
FIGURES = [
    ("power", "W", "100", "130", "160"),
    ("humidity", "%", "50", "51", "52"),
    ("temperature", "°C", "70", "70.3", "70.6"),
    ("temperature", "°F", "70", "70.3", "70.6"),
    ("illuminance", "lx", "100", "105", "115"),
    ("voltage", "V", "123", "124", "0"),
    ("energy", "kWh", "10", "10.009", "10.01"),
    ("energy", "Wh", "10", "19", "20"),
    ("power", "kW", "0.1", "0.13", "0.16"),
    ("pressure", "hPa", "1013", "1013.9", "1014"),
    ("pressure", "inHg", "29.92", "29.94", "29.95"),
    ("carbon_dioxide", "ppm", "600", "649", "650"),
    ("pm25", "µg/m³", "5", "7", "8"),
    ("sound_pressure", "dB", "40", "42", "43"),
    ("wind_speed", "mph", "4", "6", "7"),
    ("data_rate", "kbit/s", "100", "2099", "2100"),
    ("duration", "min", "4", "4.5", "5"),
    (None, "W", "100", "130", "160"),
    (None, "V", "123", "124", "0"),
    ("illuminance", "lx", "0", "0.09", "0.1"),
]


@pytest.mark.parametrize(("measured", "unit", "first", "near", "far"), FIGURES)
def test_a_number_is_kept_once_it_has_moved_far_enough(measured, unit, first, near, far):
    """Acceptance 21: against the last one that was kept."""
    given = {"unit_of_measurement": unit} | ({"device_class": measured} if measured else {})
    assert kept([first, near, far], **given) == [first, far]


@pytest.mark.parametrize(
    ("entity_id", "attributes"),
    [
        ("sensor.x_lqi_2", {}),
        ("sensor.x_lqi", {}),
        ("sensor.X_RSSI".lower(), {}),
        ("sensor.phone_ssid", {}),
        ("sensor.rssi", {}),
        ("sensor.meter_summation_delivered_2", WATT),
        ("sensor.robot_dock_strainer_time_left", {"unit_of_measurement": "h"}),
        ("sensor.signal", {"unit_of_measurement": "dBm"}),
        ("sensor.quality", {"unit_of_measurement": "lqi"}),
        ("sensor.signal", {"device_class": "signal_strength"}),
        ("image.door_person", {}),
    ],
)
def test_what_is_about_the_device_and_not_about_the_house_is_never_kept(entity_id, attributes):
    """Acceptance 21."""
    assert kept(["1", "unavailable", "900"], entity_id, **attributes) == []


@pytest.mark.parametrize(
    ("entity_id", "states"),
    [
        ("binary_sensor.door_rssi", ["off", "on", "off"]),
        ("switch.camera_audio_output", ["on", "off", "on"]),
        ("person.anna", ["home", "not_home", "home"]),
        ("lock.front", ["locked", "unlocking", "unlocked", "jammed"]),
        ("cover.garage", ["closed", "opening", "open"]),
        ("input_number.target", ["20", "20.1", "20.2"]),
        ("sensor.power", ["100", "unavailable", "100", "unknown", "101"]),
        ("sensor.washer", ["idle", "run", "idle"]),
        ("device_tracker.phone", ["home", "not_home"]),
    ],
)
def test_words_and_what_people_set_are_always_kept(entity_id, states):
    """Acceptance 21: on and off, home and away, locked; and a number after a word."""
    assert kept(states, entity_id, **WATT) == states


def test_a_slow_drift_is_kept_when_it_adds_up():
    drift = [f"{20 + step / 10:.1f}" for step in range(13)]
    assert kept(drift, **CELSIUS) == ["20.0", "20.5", "21.0"]


def test_each_entity_has_its_own_memory():
    """Acceptance 21."""
    judge = Filter()
    assert judge.take(State("sensor.a", "100", WATT))
    assert judge.take(State("sensor.b", "130", WATT))
    assert not judge.take(State("sensor.a", "149", WATT))
    assert not judge.take(State("sensor.b", "179", WATT))


def test_another_unit_begins_anew():
    judge = Filter()
    judge.take(State("sensor.a", "70", {"unit_of_measurement": "°F", "device_class": "temperature"}))
    assert judge.take(State("sensor.a", "70", CELSIUS))
    assert not judge.take(State("sensor.a", "70.2", CELSIUS))


def test_what_is_kept_says_what_was_kept_before():
    judge = Filter()
    first = judge.take(State("sensor.a", "100", WATT), State("sensor.a", "90", WATT))
    judge.take(State("sensor.a", "130", WATT))
    second = judge.take(State("sensor.a", "160", WATT), State("sensor.a", "130", WATT))
    assert first
    assert second
    assert (first.old, second.old) == ("90", "100")
    assert second.attributes == {"unit_of_measurement": "W"}


def test_not_a_number_and_infinity_are_words():
    assert kept(["5", "nan", "5", "inf", "5"], **WATT) == ["5", "nan", "5", "inf", "5"]


def test_the_same_state_again_is_no_change():
    assert kept(["on", "on"], "light.a") == ["on"]


def test_an_attribute_that_matters_is_a_change_of_its_own():
    judge = Filter()
    judge.take(State("light.a", "on", {"brightness": 10, "rgb_color": [1, 2, 3]}))
    assert not judge.take(State("light.a", "on", {"brightness": 10, "rgb_color": [1, 2, 4]}))
    brighter = judge.take(State("light.a", "on", {"brightness": 11}))
    assert brighter
    assert (brighter.old, brighter.attributes) == ("on", {"brightness": 11})


def test_a_cover_on_its_way_is_kept_when_it_arrives():
    judge = Filter()
    ways = [("closed", 0), ("opening", 0), ("opening", 40), ("opening", 80), ("open", 100), ("open", 90)]
    rows = [judge.take(State("cover.a", state, {"current_position": at})) for state, at in ways]
    assert [bool(row) for row in rows] == [True, True, False, False, True, True]


def test_what_is_stored_already_is_measured_against():
    judge = Filter(memory=Memory({"sensor.a": Logged("100", {"unit_of_measurement": "W"})}))
    assert not judge.take(State("sensor.a", "120", WATT))
    judge.note("sensor.a", Logged("170", {"unit_of_measurement": "W"}))
    assert judge.take(State("sensor.a", "120", WATT))


def test_a_source_that_leaves_attributes_out_has_not_changed_them():
    judge = Filter()
    judge.take(State("light.a", "on", {"brightness": 10}))
    told = State("light.a", "on", {"friendly_name": "A"})
    assert not judge.take(told, known=told.attributes)


def test_an_end_is_kept_once():
    judge = Filter()
    judge.take(State("light.a", "on"))
    end = judge.gone("light.a")
    assert end
    assert end.old == "on"
    assert judge.gone("light.a") is None
    assert judge.take(State("light.a", "on"))


OWNER = OwnerRules(
    keep=("sensor.kept*",), drop=("sensor.kept_not", "*.secret*"), deadbands={"sensor.fine*": 1, "*": 500}
)


@pytest.mark.parametrize(
    ("entity_id", "states", "rest"),
    [
        ("sensor.kept_not", ["1", "2", "3"], ["1", "2", "3"]),  # keep goes before drop
        ("sensor.kept_rssi", ["1", "2"], ["1", "2"]),  # and before any table
        ("lock.secret_door", ["locked", "unlocked"], []),
        ("sensor.fine_power", ["1", "1.5", "2"], ["1", "2"]),
        ("sensor.power", ["100", "160", "600"], ["100", "600"]),
        ("sensor.x_rssi", ["1", "600"], ["1", "600"]),  # an owner who names it wants it
    ],
)
def test_the_owners_word_goes_before_the_tables(entity_id, states, rest):
    assert kept(states, entity_id, rules=OWNER, **WATT) == rest


def test_a_deadband_of_nothing_keeps_every_change():
    assert kept(["1", "1.0001", "1.0001"], rules=OwnerRules(deadbands={"*": 0}), **WATT) == ["1", "1.0001"]


def test_the_settings_are_the_owners_rules():
    rules = OwnerRules.of(ChronicleSettings(keep=("a.*",), drop=("b.*",), deadbands={"c.*": 2}))
    assert (rules.keep, rules.drop, dict(rules.deadbands)) == (("a.*",), ("b.*",), {"c.*": 2})


@pytest.mark.parametrize(
    ("entity_id", "attributes", "rule", "reason"),
    [
        ("sensor.power", WATT, Rule.DEADBAND, "A number is kept once it is 50 W or more from the last one kept, and every word: the usual one for power."),
        ("sensor.lux", {"unit_of_measurement": "lx", "device_class": "illuminance"}, Rule.DEADBAND, "A number is kept once it is 10% or more from the last one kept, and every word: the usual one for illuminance."),
        ("sensor.x_rssi", {}, Rule.SUFFIX, "Nothing of it is kept: an id that ends in _rssi is about the device, not about the house."),
        ("light.a", {}, Rule.EVERYTHING, "Every change of its state is kept: a light is never noise."),
        ("sensor.steps", {"unit_of_measurement": "steps"}, Rule.EVERYTHING, "Every change of its state is kept: no deadband is known for what it measures."),
    ],
)  # fmt: skip
def test_it_explains_itself_in_plain_words(entity_id, attributes, rule, reason):
    verdict = Filter().explain(State(entity_id, "1", attributes))
    assert (verdict.rule, verdict.reason, verdict.last_logged) == (rule, reason, None)


def test_it_says_what_the_owner_wrote_and_what_was_kept_last():
    judge = Filter(OwnerRules(deadbands={"sensor.power*": 5}))
    judge.take(State("sensor.power", "100", WATT))
    verdict = judge.explain(State("sensor.power", "103", WATT))
    assert verdict.reason == (
        "A number is kept once it is 5 W or more from the last one kept, and every word: chronicle.deadbands has sensor.power*."
        " The last one kept was 100."
    )
    assert (verdict.kept, verdict.rule, verdict.last_logged) == (True, Rule.OWNER_DEADBAND, "100")


def test_it_counts_what_it_keeps_and_drops():
    judge = Filter()
    for state in ("100", "130", "160", "161"):
        judge.take(State("sensor.power", state, WATT))
    judge.take(State("sensor.x_rssi", "1"))
    counts = judge.counts()
    assert counts["kept"] == {"deadband": 2, "suffix": 0}
    assert counts["dropped"] == {"deadband": 2, "suffix": 1}


def test_one_unit_in_two_spellings_is_one():
    assert deadband_of("pm25", "μg/m³") == deadband_of("", "μg/m³")
    assert kept(["5", "7", "8"], unit_of_measurement="\u00b5g/m³", device_class="pm25") == ["5", "8"]
