"""A home in a file is a whole house: the same steward, gate, executor and verification over it as over a real one."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest
import yaml

from homesteward.actions.plan import PlanState, Status
from homesteward.home.faults import Dead, Jam
from homesteward.people import Caller, Channel, Role
from homesteward.steward import Answer, Outcome, Request
from homesteward.trial.home_file import load_home
from homesteward.trial.simulated import Simulated, furnished

MISFIRES = yaml.load(
    (Path(__file__).parent.parent / "language" / "misfires.yaml").read_text(encoding="utf-8"), yaml.BaseLoader
)
# language -> the word for what an open door already is
OPEN = {
    "en": "already open",
    "de": "bereits",
    "fr": "déjà",
    "nl": "is al",
    "ru": "уже",
    "es": "ya ",
    "it": "già",
    "pl": "już",
}
pytestmark = pytest.mark.house

type Built = Callable[[Path, str], AbstractAsyncContextManager[Simulated]]


@asynccontextmanager
async def built(file: Path, preset: str = "family") -> AsyncIterator[Simulated]:
    async with furnished(load_home(file), preset, None) as simulated:
        yield simulated


async def ask(simulated: Simulated, text: str, language: str = "en") -> Answer:
    caller = Caller(Role.OWNER, Channel.TRIAL, "owner")
    return await simulated.trial.house.steward.ask(Request(text, caller, language=language))


@pytest.fixture
async def flat(homes: Path) -> AsyncIterator[Simulated]:
    async with built(homes / "flat.yaml") as simulated:
        yield simulated


async def test_what_is_asked_for_is_dispatched_once_and_seen(flat: Simulated) -> None:
    answer = await ask(flat, "turn on the ceiling lamp")
    (plan,) = answer.plans
    (step,) = plan.steps
    assert (answer.outcome, plan.state) == (Outcome.ACTED, PlanState.COMPLETED)
    assert [(seen.entity_id, seen.status) for seen in step.evidence] == [("light.ceiling", Status.VERIFIED)]
    assert [(call.id, call.entity_ids) for call in flat.home.calls] == [("light.turn_on", ("light.ceiling",))]
    assert flat.home.states["light.ceiling"].state == "on"


async def test_what_matters_waits_behind_the_same_gate_and_makes_one_call_when_it_is_approved(flat: Simulated) -> None:
    answer = await ask(flat, "unlock the garden gate")
    (plan,) = answer.plans
    assert (answer.outcome, plan.state, flat.home.calls) == (Outcome.WAITING, PlanState.WAITING, [])
    approved = await flat.trial.house.gate.approve(plan.id, Caller(Role.OWNER, Channel.CLI, "owner"))
    assert approved.state is PlanState.COMPLETED
    assert [call.id for call in flat.home.calls] == ["lock.unlock"]
    assert flat.home.states["lock.gate"].state == "unlocked"


async def test_what_is_already_so_makes_no_call(flat: Simulated) -> None:
    answer = await ask(flat, "turn on the desk lamp")
    assert "already" in answer.reply
    assert flat.home.calls == []


async def test_a_dead_lamp_is_not_called_lit(flat: Simulated) -> None:
    flat.home.faults["light.ceiling"] = Dead()
    (plan,) = (await ask(flat, "turn on the ceiling lamp")).plans
    assert plan.steps[0].evidence[0].status is Status.MISMATCHED


async def test_a_lock_that_jams_fails_its_plan(flat: Simulated) -> None:
    flat.home.faults["lock.gate"] = Jam()
    (plan,) = (await ask(flat, "unlock the garden gate")).plans
    jammed = await flat.trial.house.gate.approve(plan.id, Caller(Role.OWNER, Channel.CLI, "owner"))
    assert jammed.state is PlanState.FAILED
    assert (jammed.steps[0].evidence[0].status, jammed.steps[0].evidence[0].observed) == (Status.MISMATCHED, "jammed")


def doors(names: dict[str, str], state: str) -> dict[str, object]:
    door = {"device_class": "garage", "current_position": 100 if state == "open" else 0}
    return {
        "areas": [{"id": "garage", "name": names["garage"]}],
        "entities": [
            {"id": "cover.door", "name": names["door"], "area": "garage", "state": state, "attributes": door},
        ],
    }


@pytest.mark.parametrize("language", MISFIRES)
async def test_a_door_that_is_open_already_is_told_so_and_nothing_is_sent(tmp_path: Path, language: str) -> None:
    rows = MISFIRES[language]
    file = tmp_path / "doors.yaml"
    file.write_text(yaml.safe_dump({"language": language, **doors(rows["names"], "open")}))
    async with built(file, "open") as simulated:
        answer = await ask(simulated, rows["moves"][0], language)
        assert OPEN[language] in answer.reply.casefold()
        assert simulated.home.calls == []


@pytest.mark.parametrize("language", MISFIRES)
async def test_a_closed_door_opens_by_one_call_and_is_told_open(tmp_path: Path, language: str) -> None:
    rows = MISFIRES[language]
    file = tmp_path / "doors.yaml"
    file.write_text(yaml.safe_dump({"language": language, **doors(rows["names"], "closed")}))
    async with built(file, "open") as simulated:
        answer = await ask(simulated, rows["moves"][0], language)
        assert answer.outcome is Outcome.ACTED
        assert [call.id for call in simulated.home.calls] == ["cover.open_cover"]
        assert simulated.home.states["cover.door"].state == "open"
