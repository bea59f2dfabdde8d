"""A past is written into a home of ours that has not lived yet, or not at all."""

from pathlib import Path

import pytest

from homesteward.demo import DemoError
from homesteward.demo.past import past_of, write_past
from unit.demo.past_homes import UNTIL, WEEKS, tiny


async def code_of_refusal(directory: Path) -> str:
    """Return the code of the error that writing a past into `directory` ends with."""
    with pytest.raises(DemoError) as raised:
        await write_past(directory, tiny(), UNTIL, WEEKS, 1, Path("python"))
    return raised.value.code


async def test_a_home_that_has_lived_is_given_no_past(tmp_path):
    (tmp_path / "home-assistant_v2.db").touch()

    assert await code_of_refusal(tmp_path) == "demo_past_too_late"


async def test_another_house_than_ours_is_given_no_past(tmp_path):
    assert await code_of_refusal(tmp_path) == "demo_past_kind"


async def test_a_home_that_counts_in_other_units_is_given_no_past(tmp_path):
    (tmp_path / "homesteward_demo.json").touch()
    (tmp_path / "unit_system.yaml").write_text("us_customary\n")

    assert await code_of_refusal(tmp_path) == "demo_past_units"


def test_a_home_without_a_past_has_no_summary_of_one(tmp_path):
    assert past_of(tmp_path) is None
