"""Cases in the contract's own form, run in a simulated home: the whole way from the words to what the home shows."""

from pathlib import Path
from typing import Any

import pytest

from homesteward.trial import HomeFileError, Scored, run_cases
from homesteward.trial.case import Case


async def run(homes: Path, *cases: dict[str, Any], preset: str = "family") -> list[Scored]:
    parsed = [Case.model_validate({"id": f"case-{n}", **case}) for n, case in enumerate(cases)]
    report = await run_cases(parsed, home=str(homes), preset=preset, config=None, say=lambda _: None)
    return list(report.cases)


def proposes(domain: str, service: str, entity_id: str, **data: Any) -> list[dict[str, Any]]:
    call = {"domain": domain, "service": service, "target": {"entity_id": [entity_id]}, "data": data}
    return [{"tool_call": {"name": "call_service", "arguments": call}}, {"text": "Done."}]


LAMP_ON = {"domain": "light", "service": "turn_on", "entity_id": ["light.ceiling"]}


async def test_a_scripted_model_turns_on_a_lamp_and_the_home_shows_it(homes: Path) -> None:
    (scored,) = await run(
        homes,
        {
            "utterance": "lamp on",
            "model": proposes("light", "turn_on", "light.ceiling"),
            "expect": {"calls": [LAMP_ON], "state": {"light.ceiling": "on"}, "outcome": "acted", "decision": "allow"},
        },
    )
    assert (scored.why, scored.wrong, scored.calls) == ((), (), ("light.turn_on light.ceiling",))


async def test_a_sensitive_call_is_proposed_and_never_reaches_the_home(homes: Path) -> None:
    unlock = {"domain": "lock", "service": "unlock", "entity_id": ["lock.gate"]}
    (scored,) = await run(
        homes,
        {
            "utterance": "let them in",
            "model": proposes("lock", "unlock", "lock.gate"),
            "expect": {"calls": [], "proposed": [unlock], "state": {"lock.gate": "locked"}, "outcome": "waiting"},
        },
    )
    assert scored.why == ()


async def test_every_case_begins_with_the_home_as_the_file_says(homes: Path) -> None:
    lit = {"utterance": "lamp on", "model": proposes("light", "turn_on", "light.ceiling")}
    first, second = await run(homes, {**lit, "expect": {"calls": [LAMP_ON]}}, {**lit, "expect": {"calls": [LAMP_ON]}})
    assert first.passed
    assert second.passed


async def test_a_given_state_is_there_before_the_words(homes: Path) -> None:
    (scored,) = await run(
        homes,
        {
            "utterance": "lamp on",
            "given": {"light.ceiling": "on"},
            "model": proposes("light", "turn_on", "light.ceiling"),
            "expect": {"calls": [], "state": {"light.ceiling": "on"}},
        },
    )
    assert scored.why == ()


async def test_a_wrong_call_is_counted_and_named(homes: Path) -> None:
    (scored,) = await run(
        homes,
        {
            "utterance": "lamp on",
            "model": proposes("light", "turn_off", "light.desk"),
            "expect": {"calls": [LAMP_ON]},
        },
    )
    assert scored.wrong == ("light.turn_off light.desk",)
    assert "call missing: light.turn_on light.ceiling" in scored.why


async def test_a_case_that_breaks_is_a_failed_case_and_not_the_end_of_the_trial(homes: Path) -> None:
    (scored,) = await run(homes, {"utterance": "x", "given": {"light.attic": "on"}})
    assert not scored.passed
    assert "light.attic" in scored.why[0]


async def test_a_folder_without_a_home_or_with_several_is_refused(homes: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(HomeFileError, match="has 0 home files"):
        await run(tmp_path / "empty", {"utterance": "x"})
    (homes / "other.yaml").write_text("entities: []")
    with pytest.raises(HomeFileError, match="has 2 home files"):
        await run(homes, {"utterance": "x"})


async def test_neither_a_model_nor_a_mode_of_the_environment_changes_what_is_measured(
    homes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOMESTEWARD_MODEL__KIND", "openai_compatible")
    monkeypatch.setenv("HOMESTEWARD_MODEL__BASE_URL", "http://127.0.0.1:1/v1")
    monkeypatch.setenv("HOMESTEWARD_POLICY__MODE", "observe")
    said = {"utterance": "turn on the ceiling lamp", "expect": {"calls": [LAMP_ON], "outcome": "acted"}}
    nonsense = {"utterance": "colourless green ideas", "expect": {"calls": [], "outcome": "failed"}}
    assert [scored.why for scored in await run(homes, said, nonsense)] == [(), ()]
