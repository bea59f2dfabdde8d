"""Running cases: each on the home in its first state, through the same steward as every request."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path

from homesteward.actions.plan import Plan, PlanState
from homesteward.core import HomestewardError, new_id
from homesteward.people import Caller, Channel
from homesteward.steward import Answer, Request, Route, Steward
from homesteward.trial.case import Case, CaseError
from homesteward.trial.homes import PLATFORMS, TrialHome, real_home
from homesteward.trial.report import Report, Scored
from homesteward.trial.score import Seen, failures, singles, wrong_calls
from homesteward.trial.simulated import simulated_home


async def run_cases(
    cases: Sequence[Case], *, home: str, preset: str, config: Path | None, say: Callable[[str], None]
) -> Report:
    """Run `cases` on a fresh home and score them. `home` is demo, ha-demo, or a folder of inventories."""
    async with _opened(home, preset, config, say) as trial:
        return Report([await run_case(case, trial) for case in cases])


async def run_case(case: Case, trial: TrialHome) -> Scored:
    """Run one case: reset, given, every turn, then look. A case that breaks is a failed case, not the end of the trial."""
    await trial.reset()
    trial.recorder.calls.clear()
    trial.clock.at = case.now
    try:
        await trial.given(case.given)
        answers = [answer async for answer in _answers(case, _steward(case, trial))]
    except HomestewardError as error:
        return Scored(case.id, (f"the case broke: {error.code}: {error.message}",), 0, (), (), "")
    seen = _seen(answers, trial)
    return Scored(
        id=case.id,
        why=failures(case, seen),
        ms=sum(answer.timings_ms["total"] for answer in answers),
        calls=tuple(str(one) for one in singles(seen.calls)),
        wrong=wrong_calls(case, seen),
        reply=seen.reply,
    )


def _opened(
    home: str, preset: str, config: Path | None, say: Callable[[str], None]
) -> AbstractAsyncContextManager[TrialHome]:
    if home in PLATFORMS:
        return real_home(home, preset, config, say)
    if Path(home).is_dir():
        return simulated_home(Path(home), preset, config)
    raise CaseError(f"There is no home {home!r}.", next="Use demo, ha-demo, or a folder of home inventories.")


def _steward(case: Case, trial: TrialHome) -> Steward:
    """Return the steward for `case`: with its scripted model, where it has one."""
    if case.model is None:
        return trial.house.steward
    from homesteward.models.scripted import ScriptedModel  # noqa: PLC0415 - the model library is only needed by scripted cases

    script = ScriptedModel(case.model, name=case.id)
    return trial.house.with_model(lambda: script)


async def _answers(case: Case, steward: Steward) -> AsyncIterator[Answer]:
    conversation = new_id("conv")
    for text in case.said:
        yield await steward.ask(
            Request(
                text,
                Caller(case.role, Channel.TRIAL, case.person or case.role),
                conversation,
                language=case.language,
                area=case.area,
                route=Route.ANY if case.model is None else Route.KERNEL,
            )
        )


def _seen(answers: Sequence[Answer], trial: TrialHome) -> Seen:
    plans: dict[str, Plan] = {plan.id: plan for answer in answers for plan in answer.plans}
    steps = [(plan, step) for plan in plans.values() for step in plan.steps]
    return Seen(
        calls=tuple(trial.recorder.calls),
        proposed=tuple(step.call for plan, step in steps if plan.state is PlanState.WAITING),
        states={entity_id: state.state for entity_id, state in trial.house.home.states.items()},
        outcome=answers[-1].outcome.value,
        reply=answers[-1].reply,
        decisions=tuple(step.decision.action.value for _, step in steps),
    )
