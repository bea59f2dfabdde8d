"""Running the assist format: every case in its own home, which is put back in its first state before each."""

from collections.abc import Callable, Sequence
from pathlib import Path

from homesteward.home.view import leaves_of
from homesteward.people import Caller, Channel, Role
from homesteward.steward import Request
from homesteward.trial.assist_case import AssistCase
from homesteward.trial.assist_devices import AssistDevices
from homesteward.trial.assist_score import SeenHome, assist_failures, assist_wrong
from homesteward.trial.case import CaseError
from homesteward.trial.home_file import HomeFile, load_home
from homesteward.trial.report import Report, Scored
from homesteward.trial.score import One, singles
from homesteward.trial.shown import shown
from homesteward.trial.simulated import Simulated, furnished


async def run_assist(
    cases: Sequence[AssistCase], *, homes: Path, preset: str, config: Path | None, say: Callable[[str], None]
) -> Report:
    """Run `cases` in the homes of the folder `homes`, and return their results in the order of the cases.

    Raises HomeFileError or CaseError before anything is run if a home or an entity that a case speaks of is not there.
    """
    files = {name: load_home(homes / name) for name in dict.fromkeys(case.home for case in cases)}
    for case in cases:
        _check(case, files[case.home])
    scored: dict[str, Scored] = {}
    for name, file in files.items():
        here = [case for case in cases if case.home == name]
        say(f"{name}: {len(here)} cases")
        async with furnished(file, preset, config, AssistDevices) as simulated:
            for case in here:
                scored[case.id] = await run_assist_case(case, simulated)
    return Report([scored[case.id] for case in cases])


async def run_assist_case(case: AssistCase, simulated: Simulated) -> Scored:
    """Run one case: reset, set up, say it, then compare the whole home."""
    trial, home = simulated.trial, simulated.home
    await trial.reset()
    for entity_id, change in case.setup.items():
        before = home.states[entity_id]
        state, attributes = shown(before.domain, change.state, change.attributes)
        home.set_state(entity_id, state or before.state, **attributes)
    trial.clock.at = case.context_now
    trial.recorder.calls.clear()
    start = dict(home.states)
    caller = Caller(Role.OWNER, Channel.TRIAL, Role.OWNER)
    answer = await trial.house.steward.ask(Request(case.utterance, caller, area=case.context_area or ""))
    seen = SeenHome(start, dict(home.states), _reached(simulated), answer.outcome.value, answer.reply)
    return Scored(
        id=case.id,
        why=assist_failures(case, seen),
        ms=answer.timings_ms["total"],
        calls=tuple(map(str, singles(trial.recorder.calls))),
        wrong=assist_wrong(case, seen),
        reply=answer.reply,
    )


def _reached(simulated: Simulated) -> list[One]:
    """Return the calls that reached the home, per entity, each group as its members."""
    return [
        One(one.name, leaf, one.data)
        for one in singles(simulated.trial.recorder.calls)
        for leaf in leaves_of(simulated.home, [one.entity_id])
    ]


def _check(case: AssistCase, file: HomeFile) -> None:
    """Raise CaseError for a case that speaks of what its home does not have: it would measure nothing."""
    here = {thing.entity_id for thing in file.inventory.things}
    areas = {area.area_id for area in file.inventory.areas}
    if case.context_area and case.context_area not in areas:
        raise _unfit(case, "context_area", f"{file.name} has no {case.context_area}")
    for key, changes in (("setup", case.setup), ("expect_changes", case.expect_changes or {})):
        if missing := sorted(changes.keys() - here):
            raise _unfit(case, key, f"{file.name} has no {', '.join(missing)}")
        for entity_id, change in changes.items():
            try:
                shown(entity_id.partition(".")[0], change.state, change.attributes)
            except KeyError as error:
                raise _unfit(case, f"{key}.{entity_id}", f"Home Assistant has no {error.args[0]}") from None


def _unfit(case: AssistCase, key: str, problem: str) -> CaseError:
    return CaseError(f"case {case.id}: {key}: {problem}.", next="See docs/evals.md for the form.")
