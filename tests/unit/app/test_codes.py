"""Codes of locks and alarms through the whole house: kept sealed, put in as a call is sent, and nowhere else."""

import logging

import pytest

from homesteward.actions import PlanState
from homesteward.actions.codes import CodeMissingError
from homesteward.actions.errors import NotAllowedError
from homesteward.actions.plan import plan_json
from homesteward.core.json import dumps
from homesteward.home.calls import Call, ResolvedCall, Target
from homesteward.home.errors import CallFailedError, InvalidDataError
from homesteward.home.live import Dispatched
from homesteward.models.scripted import ScriptedModel
from homesteward.people import Caller, Channel, Role, Scope
from homesteward.steward import Request, Route, answer_json
from homesteward.store.secrets import BadSecretError, SecretMissingError

pytestmark = pytest.mark.usefixtures("let_in")

OWNER = Caller(Role.OWNER, Channel.PAGE, "Ann", person_id="ann")
CODE = "83519264"  # no id and no hash holds it by chance
OTHER = "57102938"
DOOR, BACK = "lock.front_door", "lock.back_door"


def unlock(*entity_ids, **data):
    return Call("lock", "unlock", Target(entity_id=entity_ids or (DOOR,)), data)


async def done(house, call):
    """Ask for the call, approve it, and return the plan as it ended."""
    (plan,) = await house.gate.submit([call], OWNER, request="open")
    return await house.gate.approve(plan.id, OWNER)


def codes(home):
    return [call.data.get("code") for call in home.calls]


async def test_the_code_that_is_kept_for_a_lock_is_put_in_as_the_call_is_sent(house, home):
    await house.strongbox.put(OWNER, DOOR, CODE)
    plan = await done(house, unlock())
    assert (plan.state, codes(home)) == (PlanState.COMPLETED, [CODE])
    assert plan.steps[0].call.data == {"code": f"secret:{DOOR}"}


async def test_a_code_that_was_given_goes_before_the_one_that_is_kept(house, home):
    await house.strongbox.put(OWNER, DOOR, CODE)
    await done(house, unlock(code=OTHER))
    assert codes(home) == [OTHER]


async def test_a_lock_without_a_code_is_sent_none(house, home):
    await house.strongbox.put(OWNER, BACK, CODE)
    plan = await done(house, unlock())
    assert (dict(plan.steps[0].call.data), codes(home)) == ({}, [None])


async def test_a_code_that_is_gone_by_the_time_it_is_needed_is_told_and_nothing_is_sent(house, home):
    await house.strongbox.put(OWNER, DOOR, CODE)
    (plan,) = await house.gate.submit([unlock()], OWNER, request="open")
    await house.strongbox.remove(OWNER, DOOR)
    failed = await house.gate.approve(plan.id, OWNER)
    assert (failed.state, home.calls) == (PlanState.FAILED, [])
    assert f"No code is kept for {DOOR}" in failed.steps[0].error


@pytest.mark.parametrize("asked", ["secret:lock.back_door", "secret:mqtt", "secret:"])
async def test_the_code_of_another_thing_cannot_be_asked_for(house, home, asked):
    """Whatever a model writes: a reference is to the lock that is opened, and no other secret ever leaves."""
    await house.strongbox.put(OWNER, BACK, OTHER)
    await house.strongbox.put(OWNER, "mqtt", "swordfish-4")
    plan = await done(house, unlock(code=asked))
    assert OTHER not in str(home.calls)
    assert "swordfish" not in str(home.calls)
    assert plan.state is PlanState.FAILED


async def test_a_secret_is_put_into_no_field_of_another_service(house, home):
    await house.strongbox.put(OWNER, "notify.phone", "swordfish-4")
    call = Call("notify", "phone", data={"message": "x", "code": "secret:notify.phone"})
    await house.gate.submit([call], OWNER, request="tell")
    assert "swordfish" not in str(home.calls)


async def test_two_locks_with_two_codes_are_asked_for_one_after_the_other(house, home):
    await house.strongbox.put(OWNER, DOOR, CODE)
    await house.strongbox.put(OWNER, BACK, OTHER)
    plan = await done(house, unlock(DOOR, BACK, code="secret:x"))
    assert (plan.state, home.calls) == (PlanState.FAILED, [])
    assert "not the same code" in plan.steps[0].error
    await house.strongbox.put(OWNER, BACK, CODE)
    await done(house, unlock(DOOR, BACK, code="secret:x"))
    assert codes(home) == [CODE]


class Chatty:
    """A lock that repeats a wrong code in its complaint."""

    def __init__(self, home):
        self._home = home

    async def call(self, call: ResolvedCall) -> Dispatched:
        raise CallFailedError(f"Code '{call.data['code']}' is wrong.", code="home_assistant_error", next=f"Not {CODE}.")


async def test_a_wrong_code_is_told_without_repeating_it(house, home):
    await house.strongbox.put(OWNER, DOOR, CODE)
    house.gate._executor._dispatcher = Chatty(home)
    plan = await done(house, unlock())
    assert plan.steps[0].error == "Code '[redacted]' is wrong."
    assert CODE not in dumps(plan_json(plan))


async def test_a_code_of_a_form_that_no_lock_takes_is_refused_without_repeating_it(house):
    with pytest.raises(InvalidDataError) as refused:
        await house.gate.submit([unlock(code={"value": CODE})], OWNER, request="open")
    assert CODE not in f"{refused.value.message} {refused.value.next}"


@pytest.mark.parametrize(
    "by",
    [
        Caller(Role.MEMBER, Channel.PAGE, "Ben"),
        Caller(Role.GUEST, Channel.PAGE, "Kim"),
        Caller(Role.OWNER, Channel.API, "program", token_id="t", scopes=frozenset({Scope.ACT, Scope.CONFIGURE})),
        Caller(Role.SYSTEM, Channel.API, "Homesteward"),
    ],
    ids=lambda by: by.role,
)
async def test_only_an_owner_keeps_secrets(house, by):
    for attempt in (
        lambda: house.strongbox.names(by),
        lambda: house.strongbox.put(by, DOOR, CODE),
        lambda: house.strongbox.remove(by, DOOR),
    ):
        with pytest.raises(NotAllowedError):
            await attempt()


async def test_what_is_kept_has_a_name_and_a_record_of_who_and_cannot_be_looked_up(house):
    await house.strongbox.put(OWNER, DOOR, CODE)
    assert await house.strongbox.names(OWNER) == (DOOR,)
    await house.strongbox.remove(OWNER, DOOR)
    with pytest.raises(SecretMissingError):
        await house.strongbox.remove(OWNER, DOOR)
    for name in ("", "~store", "x" * 300):
        with pytest.raises(BadSecretError):
            await house.strongbox.put(OWNER, name, CODE)
    entries = await house.audit.entries(subject=DOOR)
    assert [(entry.kind, entry.actor) for entry in entries] == [
        ("secret.removed", "person:ann"),
        ("secret.set", "person:ann"),
    ]
    assert CODE not in str(entries)


class Overheard(logging.Handler):
    def __init__(self):
        super().__init__(0)
        self.lines = []

    def emit(self, record):
        self.lines.append(self.format(record))


@pytest.fixture
def overheard():
    handler, root = Overheard(), logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(1)
    yield handler.lines
    root.removeHandler(handler)
    root.setLevel(level)


@pytest.mark.parametrize("given", [True, False], ids=["given", "kept"])
async def test_after_a_run_the_code_is_nowhere(house, home, tmp_path, overheard, given):
    """Not in a database, log, plan, audit, event, answer, undo or request to a model, whether it was given or kept."""
    data = {"code": CODE} if given else {}
    if not given:
        await house.strongbox.put(OWNER, DOOR, CODE)
    heard = []

    class Eavesdropper(ScriptedModel):
        async def request(self, messages, model_settings, model_request_parameters):
            heard.append(repr(messages))
            return await super().request(messages, model_settings, model_request_parameters)

    arguments = {"service": "lock.unlock", "target": {"entity_id": DOOR}, "data": data}
    model = Eavesdropper([{"tool_call": {"arguments": arguments}}, {"text": "It waits."}])
    steward = house.with_model(lambda: model)
    run = steward.start(Request("let somebody in", OWNER, route=Route.KERNEL, language="en"))
    events = [event async for event in steward.runs.watch(run)]
    plan = await house.gate.approve(run.answer.plan.id, OWNER)
    assert (plan.state, codes(home)) == (PlanState.COMPLETED, [CODE])

    shown = [dumps([events, answer_json(run.answer)]), dumps(plan_json(plan)), str(plan), *overheard]
    shown += [str(await house.audit.entries(limit=1000)), str(await house.gate.plans()), dumps(house.describe())]
    shown += [str(await house.notices.list(OWNER, settled=True))] + (
        [] if given else heard
    )  # a model knows what it wrote
    assert CODE not in "\n".join(shown)
    assert CODE.encode() not in b"".join(file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())


def test_the_error_of_a_code_that_is_missing_says_what_to_do():
    error = CodeMissingError("No code is kept for lock.a.", "Keep it.")
    assert (error.code, error.next, error.retry) == ("code_missing", "Keep it.", False)
