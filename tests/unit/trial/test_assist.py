"""The assist format on a small home: the same way as every request, then the whole home is compared."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from homesteward.home.calls import ResolvedCall
from homesteward.home.simulation import SimulatedHome
from homesteward.trial import CaseError, HomeFileError, Scored, load_assist_cases, run_assist
from homesteward.trial.assist_devices import AssistDevices
from homesteward.trial.home_file import load_home

Write = Callable[[object], Path]


@pytest.fixture
def flat(homes: Path) -> SimulatedHome:
    return SimulatedHome(load_home(homes / "flat.yaml").inventory)


async def obeyed(home: SimulatedHome, service: str, entity_id: str, **data: Any) -> dict[str, Any]:
    """Send one call to the data's devices and return what the entity then shows."""
    await AssistDevices(home).call(ResolvedCall(*service.split("."), (entity_id,), data))
    state = home.states[entity_id]
    return {**state.attributes, "state": state.state}


async def run(homes: Path, case_file: Write, *cases: dict[str, Any]) -> list[Scored]:
    parsed = load_assist_cases(
        case_file([{"id": f"c{n}", "home": "flat.yaml", **case} for n, case in enumerate(cases)])
    )
    report = await run_assist(parsed, homes=homes, preset="open", config=None, say=lambda _: None)
    return list(report.cases)


async def test_a_lamp_turned_on_keeps_its_brightness(flat: SimulatedHome) -> None:
    flat.set_state("light.desk", "off", brightness=0)
    shown = await obeyed(flat, "light.turn_on", "light.desk")
    assert (shown["state"], shown["brightness"]) == ("on", 0)


async def test_a_lamp_takes_a_brightness_and_a_colour(flat: SimulatedHome) -> None:
    shown = await obeyed(flat, "light.turn_on", "light.ceiling", brightness_pct=40, color_name="red")
    assert (shown["brightness"], shown["rgb_color"]) == (102, [255, 0, 0])


async def test_a_fan_turned_on_runs_at_full_speed_and_stands_when_off(flat: SimulatedHome) -> None:
    assert (await obeyed(flat, "fan.turn_on", "fan.box"))["percentage"] == 100
    assert (await obeyed(flat, "fan.turn_off", "fan.box"))["percentage"] == 0


async def test_a_player_that_is_muted_has_no_volume(flat: SimulatedHome) -> None:
    assert (await obeyed(flat, "media_player.volume_mute", "media_player.radio", is_volume_muted=True))[
        "volume_level"
    ] == 0


async def test_a_track_is_counted_forwards_and_back(flat: SimulatedHome) -> None:
    assert (await obeyed(flat, "media_player.media_next_track", "media_player.radio"))["media_track"] == 1
    assert (await obeyed(flat, "media_player.media_previous_track", "media_player.radio"))["media_track"] == 0


async def test_a_list_counts_what_is_still_to_be_done(flat: SimulatedHome) -> None:
    assert (await obeyed(flat, "todo.add_item", "todo.errands", item="Paint"))["state"] == "2"
    done = {"item": "buy nails", "status": "completed"}
    assert (await obeyed(flat, "todo.update_item", "todo.errands", **done))["state"] == "1"
    assert (await obeyed(flat, "todo.remove_item", "todo.errands", item="unknown"))["state"] == "1"


async def test_a_sentence_that_is_understood_passes(homes: Path, case_file: Write) -> None:
    (scored,) = await run(
        homes,
        case_file,
        {"utterance": "turn on the ceiling lamp", "expect_changes": {"light.ceiling": {"state": "on"}}},
    )
    assert (scored.why, scored.wrong, scored.calls) == ((), (), ("light.turn_on light.ceiling",))


async def test_nothing_waits_for_a_person_under_the_open_preset(homes: Path, case_file: Write) -> None:
    (scored,) = await run(
        homes,
        case_file,
        {"utterance": "unlock the garden gate", "expect_changes": {"lock.gate": {"state": "unlocked"}}},
    )
    assert scored.why == ()


async def test_what_was_not_asked_for_is_a_wrong_action(homes: Path, case_file: Write) -> None:
    (scored,) = await run(homes, case_file, {"utterance": "turn off the desk lamp", "expect_changes": {}})
    assert "light.desk is off, not on" in scored.why
    assert "called light.turn_off light.desk" in scored.wrong


async def test_each_case_is_set_up_on_the_home_as_it_was(homes: Path, case_file: Write) -> None:
    off = {"utterance": "turn off the desk lamp", "expect_changes": {"light.desk": {"state": "off"}}}
    cases = [off, {**off, "setup": {"light.desk": {"attributes": {"brightness": 30}}}}, off]
    assert [scored.why for scored in await run(homes, case_file, *cases)] == [(), (), ()]


async def test_the_place_where_it_is_said_counts(homes: Path, case_file: Write) -> None:
    (scored,) = await run(
        homes,
        case_file,
        {
            "utterance": "turn off the lights",
            "context_area": "study",
            "setup": {"light.ceiling": {"state": "on"}},
            "expect_changes": {"light.desk": {"state": "off"}},
        },
    )
    assert scored.why == ()


async def test_a_question_is_answered_from_the_state_that_was_set_up(homes: Path, case_file: Write) -> None:
    (scored,) = await run(
        homes,
        case_file,
        {
            "utterance": "is the garden gate locked?",
            "setup": {"lock.gate": {"state": "unlocked"}},
            "expect_response": ["no", "unlocked"],
        },
    )
    assert (scored.why, scored.wrong) == ((), ())


async def test_results_come_in_the_order_of_the_cases_whatever_home_they_are_in(homes: Path, case_file: Write) -> None:
    (homes / "other.yaml").write_text("entities: []")
    cases = [{"utterance": "hello", "home": name} for name in ("flat.yaml", "other.yaml", "flat.yaml")]
    assert [scored.id for scored in await run(homes, case_file, *cases)] == ["c0", "c1", "c2"]


@pytest.mark.parametrize(
    ("bad", "named"),
    [
        ({"setup": {"light.attic": {"state": "on"}}}, r"case c0: setup: flat has no light\.attic"),
        ({"expect_changes": {"light.attic": {}}}, r"case c0: expect_changes: flat has no light\.attic"),
        ({"context_area": "attic"}, "case c0: context_area: flat has no attic"),
        (
            {"setup": {"cover.blind": {"attributes": {"supported_features": "cover.CoverEntityFeature.FLY"}}}},
            r"case c0: setup\.cover\.blind: Home Assistant has no",
        ),
    ],
)
async def test_a_case_that_speaks_of_what_its_home_does_not_have_is_refused(
    bad: dict[str, Any], named: str, homes: Path, case_file: Write
) -> None:
    with pytest.raises(CaseError, match=named):
        await run(homes, case_file, {"utterance": "x", **bad})


async def test_a_case_in_a_home_that_is_not_there_is_refused(homes: Path, case_file: Write) -> None:
    with pytest.raises(HomeFileError, match=r"castle\.yaml cannot be read"):
        await run(homes, case_file, {"utterance": "x", "home": "castle.yaml"})
