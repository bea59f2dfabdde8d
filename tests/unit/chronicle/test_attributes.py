"""Which attributes are worth a row, and what is kept of them."""

import pytest

from homesteward.chronicle.attributes import ALSO_KEPT, MATTER, MAX_TEXT, differ, kept_of
from homesteward.home.model import EMPTY


@pytest.mark.parametrize(
    ("domain", "before", "now", "which"),
    [
        ("light", {"brightness": 10}, {"brightness": 200}, "brightness"),
        ("light", {"color_temp_kelvin": 2700}, {"color_temp_kelvin": 4000}, "color_temp_kelvin"),
        ("light", {"color_temp_kelvin": 2700}, {"color_temp_kelvin": 2703}, ""),
        ("light", {"hs_color": [30.2, 70.1]}, {"hs_color": [30.4, 69.9]}, ""),
        ("light", {"rgb_color": [1, 2, 3]}, {"rgb_color": [4, 5, 6]}, ""),
        ("cover", {"current_position": 10}, {"current_position": 90}, "current_position"),
        ("cover", {"current_tilt_position": 10}, {"current_tilt_position": 90}, "current_tilt_position"),
        ("climate", {"temperature": 20}, {"temperature": 21.5}, "temperature"),
        ("climate", {"target_temp_high": 24}, {"target_temp_high": 25}, "target_temp_high"),
        ("climate", {"hvac_action": "idle"}, {"hvac_action": "heating"}, "hvac_action"),
        ("climate", {"preset_mode": "home"}, {"preset_mode": "away"}, "preset_mode"),
        ("climate", {"current_temperature": 20}, {"current_temperature": 22}, ""),
        ("fan", {"percentage": 33}, {"percentage": 66}, "percentage"),
        ("media_player", {"volume_level": 0.3}, {"volume_level": 0.302}, ""),
        ("media_player", {"volume_level": 0.3}, {"volume_level": 0.4}, "volume_level"),
        ("media_player", {"source": "Radio"}, {"source": "TV"}, "source"),
        ("media_player", {"media_title": "A"}, {"media_title": "B"}, "media_title"),
        ("media_player", {"media_position": 1}, {"media_position": 2}, ""),
        ("lock", {"changed_by": "Anna"}, {"changed_by": "Ben"}, "changed_by"),
        ("lock", {"battery_level": 81}, {"battery_level": 80}, ""),
        ("lock", {"battery_level": 81}, {"battery_level": 20}, "battery_level"),
        ("humidifier", {"humidity": 40}, {"humidity": 50}, "humidity"),
        ("water_heater", {"temperature": 50}, {"temperature": 60}, "temperature"),
        ("event", {"event_type": "single"}, {"event_type": "double"}, "event_type"),
        ("sun", {"elevation": 1}, {"elevation": 2}, ""),
        ("automation", {"current": 0}, {"current": 1}, ""),
    ],
)
def test_only_what_matters_and_has_really_changed_is_worth_a_row(domain, before, now, which):
    assert differ(domain, kept_of(domain, before), kept_of(domain, now)) == which


def test_what_goes_with_a_row_is_kept_and_nothing_else():
    attributes = {
        "temperature": 21.0, "hvac_action": "heating", "current_temperature": 19.4501, "friendly_name": "Hall", "hvac_modes": ["heat", "off"],
        "preset_mode": None,
    }  # fmt: skip
    assert kept_of("climate", attributes) == {"temperature": 21, "hvac_action": "heating", "current_temperature": 19.45}
    assert kept_of("sensor", {"unit_of_measurement": "W", "state_class": "measurement"}) == {"unit_of_measurement": "W"}
    assert kept_of("switch", {"friendly_name": "Coffee"}) is EMPTY


def test_where_somebody_is_exactly_is_not_kept():
    assert kept_of("person", {"latitude": 52.1, "longitude": 4.2, "gps_accuracy": 5}) is EMPTY
    assert kept_of("device_tracker", {"latitude": 52.1, "longitude": 4.2}) is EMPTY


def test_an_attribute_that_went_is_a_change_and_one_that_is_null_was_never_there():
    assert differ("light", kept_of("light", {"effect": "rain"}), kept_of("light", {"effect": None})) == "effect"
    assert differ("light", kept_of("light", {"effect": None}), kept_of("light", {})) == ""


def test_a_source_that_leaves_some_out_changes_none_of_those():
    before = kept_of("light", {"brightness": 10, "effect": "rain"})
    assert differ("light", before, kept_of("light", {"effect": "sun"}), known={"effect": "sun"}) == "effect"
    assert differ("light", before, EMPTY, known={}) == ""


def test_a_long_text_is_cut():
    assert len(str(kept_of("media_player", {"media_title": "x" * 5000})["media_title"])) == MAX_TEXT


def test_nothing_that_may_let_somebody_in_is_in_the_tables():
    names = {name for rules in MATTER.values() for name in rules} | {
        name for names in ALSO_KEPT.values() for name in names
    }
    assert not names & {"access_token", "entity_picture", "code", "latitude", "longitude", "ip", "mac", "token"}
