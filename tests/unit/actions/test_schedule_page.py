"""The page about schedules says how late things may be, and the table goes by it."""

import re
from datetime import timedelta
from pathlib import Path

import pytest

from homesteward.actions.schedule.lateness import DEFAULT, LIMITS

PAGE = (Path(__file__).parent.parent.parent.parent / "docs" / "scheduling.md").read_text()
ROWS = dict(re.findall(r"^\| ([^|]+) \| (\d+ (?:minutes?|hours?)) \|$", PAGE, re.MULTILINE))
NAMED = {
    "sirens": ["siren"],
    "unlocking, alarms, opening a valve": ["lock", "alarm_control_panel", "valve"],
    "buttons": ["button"],
    "opening a cover, media players, scripts, automations, anything else": ["cover", "media_player", "script", "automation"],
    "switches, lawn mowers": ["switch", "lawn_mower"],
    "heating and water, vacuums, scenes": ["climate", "water_heater", "vacuum", "scene"],
    "lights, fans, humidifiers, notifications": ["light", "fan", "humidifier", "notify", "input_boolean"],
    "locking, closing a cover or a valve, silencing a siren": [
        "lock.lock", "cover.close_cover", "valve.close_valve", "siren.turn_off",
    ],
    "switching off lights, switches, fans, media players": [
        "light.turn_off", "switch.turn_off", "fan.turn_off", "media_player.turn_off",
    ],
}  # fmt: skip


def limit(text: str) -> timedelta:
    number, unit = text.split()
    return timedelta(**{unit.rstrip("s") + "s": int(number)})


def test_every_limit_has_its_row_and_no_other():
    assert set(ROWS) == set(NAMED)
    assert {name for names in NAMED.values() for name in names} == set(LIMITS)


@pytest.mark.parametrize("row", NAMED)
def test_a_row_says_what_the_table_has(row):
    assert {LIMITS[name] for name in NAMED[row]} == {limit(ROWS[row])}
    assert "anything else" not in row or limit(ROWS[row]) == DEFAULT
