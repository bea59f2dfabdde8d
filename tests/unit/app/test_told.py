"""Through the whole house: who is told what, when, and how the owner's phone hears of it."""

import asyncio
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from homesteward.actions import PlanState
from homesteward.actions.notice import NoticeKind
from homesteward.app import wire
from homesteward.app.minding import LOOK_S, Auditor, Concern, Minding, away
from homesteward.core import FrozenClock
from homesteward.core.redaction import Redactor
from homesteward.faces.web.notifying import watched
from homesteward.home.calls import Call, ResolvedCall, Target
from homesteward.home.errors import CallFailedError
from homesteward.models.scripted import ScriptedModel
from homesteward.people import SYSTEM, Caller, Channel, Role
from homesteward.settings import Settings
from homesteward.settings.settings import NoticeSettings, PolicySettings
from homesteward.steward import Outcome, Request, Route
from homesteward.store.verifying import Verdict

pytestmark = pytest.mark.usefixtures("let_in")

ANN = Caller(Role.OWNER, Channel.PAGE, "Ann", person_id="ann")
BEN = Caller(Role.MEMBER, Channel.PAGE, "Ben", person_id="ben")
UNLOCK = "unlock the front door"
PHONE = "notify.phone"
TARGET = NoticeSettings(target=PHONE, link="https://house.example/", per_hour=3)


@pytest.fixture
def clock():
    return FrozenClock(datetime(2026, 3, 1, 12, tzinfo=UTC))


@pytest.fixture
def open_told(home, clock, tmp_path):
    """Open the house with a way to tell its owner; once more is a restart on the same data."""

    @asynccontextmanager
    async def make(dispatcher=None, notices=TARGET, rules="", language="", **policy):
        wanted = PolicySettings(**{"dry_run": False, "verify_factor": 0.01, **policy})
        if rules:
            (tmp_path / wanted.file).write_text(rules)
        settings = Settings(policy=wanted, data=tmp_path, notices=notices, language=language)
        async with wire(settings, home, dispatcher or home, tmp_path, clock, Redactor()) as house:
            yield house

    return make


@pytest.fixture
def nobody_else_looks(monkeypatch):
    """Keep the house from looking after itself, which else settles what a test's own look has just told."""
    monkeypatch.setattr(Minding, "start", lambda _self: lambda: None)


async def ask(house, text=UNLOCK, caller=BEN, conversation_id=""):
    return await house.steward.ask(Request(text, caller, conversation_id, language="en"))


async def open_for(house, by=ANN):
    return {notice.kind: notice for notice in await house.notices.list(by)}


async def settled(house, condition):
    """Wait until the condition holds, looking whenever a notice has changed; two seconds is what a page may take."""
    changed = asyncio.Event()
    undo = house.notices.subscribe(lambda _change: changed.set())
    try:
        async with asyncio.timeout(30):
            while not await condition():
                await changed.wait()
                changed.clear()
    finally:
        undo()


def messages(home):
    return [call.data["message"] for call in home.calls if call.domain == "notify"]


async def test_a_plan_that_waits_is_on_the_owners_list_as_soon_as_it_waits(open_told, home):
    """E53: within two seconds; the row is there before the request is answered."""
    async with open_told() as house:
        pages = watched(house.notices, ANN)
        waiting = await ask(house)
        async with asyncio.timeout(30):
            change = await anext(pages)
        assert (change.what, change.notice.kind, change.notice.subject) == ("notice", "plan_waits", waiting.plan.id)
        said = "Ben asks: “unlock the front door”. It would do: lock.unlock lock.front_door. Why it waits: "
        assert (
            change.notice.text == f"{said}lock.front_door is a lock; for the role member that means an approval first."
        )
        await house.gate.approve(waiting.plan.id, ANN)
        async with asyncio.timeout(30):
            while change.what != "settled":
                change = await anext(pages)
        assert await open_for(house) == {}
        await pages.aclose()


async def test_a_member_does_not_see_what_is_for_owners(open_told):
    async with open_told() as house:
        await ask(house)
        assert await open_for(house, BEN) == {}


@pytest.mark.usefixtures("nobody_else_looks")
async def test_what_nobody_decided_is_told_to_whoever_asked_and_in_the_same_conversation_to_a_model(
    open_told, home, clock
):
    """E53: an expired request is told to the person and to the model as not decided."""
    async with open_told() as house:
        asked = await ask(house)
        clock.advance(timedelta(hours=25))
        await Minding(house.gate, house.notices, [], language=lambda: "en").look()
        assert (await open_for(house)).keys() == set()
        notice = (await open_for(house, BEN))[NoticeKind.PLAN_EXPIRED]
        assert "Nobody decided about “unlock the front door”" in notice.text

        heard = []
        model = Eavesdropper(heard)
        steward = house.with_model(lambda: model)
        steward._undecided = house.steward._undecided  # the same conversation, answered by a model from here on
        request = Request("hello?", BEN, asked.conversation_id, route=Route.KERNEL)
        first = await steward.ask(request)
        assert "not approved in time" in heard[0]
        assert "not approved in time" in first.reply
        assert (
            "not approved in time" not in (await ask(house, "which lights are on?", BEN, asked.conversation_id)).reply
        )


class Eavesdropper(ScriptedModel):
    def __init__(self, kept):
        super().__init__([{"text": "Hello."}])
        self._kept = kept

    async def request(self, messages, model_settings, model_request_parameters):
        self._kept.append(repr(messages))
        return await super().request(messages, model_settings, model_request_parameters)


async def test_a_question_left_open_in_a_conversation_is_nobodys_notice(open_told, clock):
    async with open_told(preset="cautious") as house:
        asked = await ask(house, "turn on the kitchen light")
        assert asked.outcome is Outcome.CONFIRM
        clock.advance(timedelta(minutes=6))
        await house.gate.plans()
        assert await open_for(house) == {}
        assert await open_for(house, BEN) == {}


async def test_the_owners_phone_hears_of_it_through_the_gate_with_a_way_to_the_house(open_told, home):
    async with open_told() as house:
        await ask(house)

        async def sent():
            return (await open_for(house))[NoticeKind.PLAN_WAITS].sent is not None

        await settled(house, sent)
        (text,) = messages(home)
        assert text.startswith("Waits for approval: Ben asks: “unlock the front door”. It would do: lock.unlock")
        assert text.endswith(" https://house.example/")  # a page that there is
        plan = next(plan for plan in await house.gate.plans() if plan.caller.role is Role.SYSTEM)
        assert (plan.state, plan.decision.rule) == (PlanState.COMPLETED, "own notices")
        proposed = await house.audit.entries(kind="plan.proposed", subject=plan.id)
        assert proposed[0].data["by"]["role"] == "system"


async def test_a_notify_entity_is_told_by_the_service_for_entities(open_told, home):
    home.set_state("notify.hall_tablet", "unknown")
    async with open_told(notices=NoticeSettings(target="notify.hall_tablet")) as house:
        await ask(house)

        async def tried():
            notice = (await open_for(house))[NoticeKind.PLAN_WAITS]
            return notice.sent is not None or notice.problem != ""

        await settled(house, tried)
        assert [(call.id, call.entity_ids) for call in home.calls] == [("notify.send_message", ("notify.hall_tablet",))]


async def test_it_is_told_in_the_language_of_the_house(open_told, home):
    async with open_told(language="de") as house:
        await ask(house)
        assert (await open_for(house))[NoticeKind.PLAN_WAITS].text.startswith("Ben möchte: „unlock the front door“.")


@pytest.mark.parametrize(
    ("policy", "why"),
    [({"dry_run": True}, "dry run"), ({"mode": "observe"}, "only observes"), ({"mode": "plan"}, "for a person")],
)
async def test_what_could_not_be_sent_is_kept_with_the_reason(open_told, home, policy, why):
    async with open_told(**policy) as house:
        await house.notices.add(NoticeKind.AUDIT_BROKEN, "audit", "entry 3")

        async def failed():
            return why in (await open_for(house))[NoticeKind.AUDIT_BROKEN].problem

        await settled(house, failed)
        assert messages(home) == []
        assert await house.gate.plans(PlanState.WAITING) == ()


class Refusing:
    def __init__(self, home):
        self._home = home

    async def call(self, call: ResolvedCall):
        if call.domain == "notify":
            raise CallFailedError("The phone is not registered.", code="home_assistant_error")
        return await self._home.call(call)


async def test_a_target_that_refuses_is_told_on_the_pages_and_nothing_is_tried_twice(open_told, home):
    async with open_told(Refusing(home)) as house:
        await ask(house)

        async def failed():
            return "not registered" in (await open_for(house))[NoticeKind.PLAN_WAITS].problem

        await settled(house, failed)


async def test_no_more_go_out_in_an_hour_than_the_owner_wants(open_told, home):
    async with open_told() as house:
        for n in range(5):
            await house.notices.add(NoticeKind.RULE_DECIDED, f"plan_{n}", "allowed")

        async def all_tried():
            return all(notice.sent or notice.problem for notice in await house.notices.list(ANN))

        await settled(house, all_tried)
        assert len(messages(home)) == 2
        assert ["3 in an hour is the most" in notice.problem for notice in await house.notices.list(ANN)] == [
            True,
            True,
            True,
            False,
            False,
        ]


async def test_what_is_serious_gets_through_however_much_else_there_was_to_tell(open_told, home):
    async with open_told() as house:
        for n in range(6):
            await house.notices.add(NoticeKind.RULE_DECIDED, f"plan_{n}", "allowed")
        await house.notices.add(NoticeKind.LOCKED_OUT, "address:10.0.0.9", "too many wrong tries")

        async def told():
            return any("too many wrong tries" in text for text in messages(home))

        await settled(house, told)
        assert len(messages(home)) <= 3


async def test_what_there_was_no_room_for_goes_out_an_hour_later(open_told, home, clock):
    async with open_told() as house:
        for n in range(4):
            await house.notices.add(NoticeKind.RULE_DECIDED, f"plan_{n}", "allowed")

        async def all_tried():
            return all(notice.sent or notice.problem for notice in await house.notices.list(ANN))

        await settled(house, all_tried)
        clock.advance(timedelta(hours=1, seconds=1))
        await house.notices.add(NoticeKind.RULES_HELD, "house", "line 3")

        async def all_sent():
            return all(notice.sent for notice in await house.notices.list(ANN) if notice.subject in {"plan_2", "house"})

        await settled(house, all_sent)
        assert [notice.problem for notice in await house.notices.list(ANN) if notice.sent] == [""] * len(messages(home))


@pytest.mark.parametrize(
    "call",
    [
        Call("light", "turn_on", Target(entity_id=("light.kitchen",))),
        Call("lock", "unlock", Target(entity_id=("lock.front_door",))),
        Call("notify", "phone", data={"message": "x", "data": {"url": "https://elsewhere.example"}}),
        Call("notify", "phone", data={"message": {"x": "y"}}),
        Call("shell_command", "backup"),
    ],
    ids=lambda call: call.id,
)
async def test_of_its_own_accord_the_house_does_nothing_else(open_told, home, call):
    async with open_told(preset="open") as house:
        (plan,) = await house.gate.submit([call], SYSTEM, request="by itself")
        assert (plan.state, home.calls) == (PlanState.REJECTED, [])


async def test_without_a_target_it_may_not_even_tell(open_told, home):
    async with open_told(notices=NoticeSettings()) as house:
        (plan,) = await house.gate.submit([Call("notify", "phone", data={"message": "x"})], SYSTEM, request="by itself")
        assert (plan.state, home.calls) == (PlanState.REJECTED, [])


async def test_a_rule_with_notify_tells_the_owner_what_it_decided(open_told):
    rules = "version: 1\nrules: [{name: Coffee, when: {entity: switch.coffee}, then: allow, notify: true}]"
    async with open_told(rules=rules) as house:
        await ask(house, "turn on the coffee machine")
        notice = (await open_for(house))[NoticeKind.RULE_DECIDED]
        assert "The rule Coffee decided" in notice.text


@pytest.mark.usefixtures("nobody_else_looks")
async def test_rules_that_cannot_be_used_are_told_also_to_the_phone_until_they_are_mended(open_told, home, tmp_path):
    async with open_told(rules="version: 1\nrules: 7") as house:
        minding = Minding(
            house.gate,
            house.notices,
            [Concern(NoticeKind.RULES_HELD, lambda: house.rules.problem)],
            language=lambda: "en",
        )
        await minding.look()

        async def sent():
            return (await open_for(house))[NoticeKind.RULES_HELD].sent is not None

        await settled(house, sent)
        assert "line" in messages(home)[0]
        (tmp_path / "policy.yaml").write_text("version: 1\nrules: []")
        await minding.look()
        assert await open_for(house) == {}


@pytest.mark.usefixtures("nobody_else_looks")
async def test_a_home_that_is_away_for_longer_than_a_restart_is_told_until_it_is_back(open_told, home, clock):
    async with open_told() as house:
        minding = Minding(house.gate, house.notices, [away(home, clock)], language=lambda: "en")
        home.connected = False
        await minding.look()
        clock.advance(timedelta(minutes=4))
        await minding.look()
        assert await open_for(house) == {}
        clock.advance(timedelta(minutes=2))
        await minding.look()
        assert "since 2026-03-01 12:00 UTC" in (await open_for(house))[NoticeKind.HOME_AWAY].text
        home.connected = True
        await minding.look()
        assert await open_for(house) == {}


@pytest.mark.usefixtures("nobody_else_looks")
async def test_an_audit_that_was_changed_is_told(open_told):
    async with open_told() as house:
        auditor = Auditor(Broken())
        minding = Minding(house.gate, house.notices, [auditor.concern], language=lambda: "en")
        await minding.look()
        assert await open_for(house) == {}
        await auditor.look()
        await minding.look()
        assert "entry 7: it was changed" in (await open_for(house))[NoticeKind.AUDIT_BROKEN].text


class Broken:
    async def verify(self):
        return Verdict(6, 7, "it was changed")


async def test_what_was_cut_off_by_a_stop_is_told_to_the_owner_and_to_whoever_asked(open_told):
    async with open_told(Stuck()) as house:
        task = asyncio.create_task(ask(house, "turn on the kitchen light"))
        async with asyncio.timeout(30):
            await Stuck.reached.wait()
    await asyncio.gather(task, return_exceptions=True)
    async with open_told() as house:
        for by in (ANN, BEN):
            assert (
                "“turn on the kitchen light” was cut off by a stop. Nobody knows whether this happened: light.turn_on light.kitchen."
                in (await open_for(house, by))[NoticeKind.PLAN_INTERRUPTED].text
            )
        (plan,) = await house.gate.plans(PlanState.INTERRUPTED)
        await house.gate.reject(plan.id, ANN)
        assert await open_for(house) == {}


class Stuck:
    """A home that takes a call and never answers."""

    reached = asyncio.Event()

    def __init__(self):
        Stuck.reached = asyncio.Event()

    async def call(self, _call):
        Stuck.reached.set()
        await asyncio.Event().wait()


def test_the_house_is_looked_at_often_enough():
    assert LOOK_S <= 5


async def test_names_that_would_move_a_terminal_or_turn_a_line_are_told_as_plain_text(open_told):
    async with open_told() as house:
        caller = replace(BEN, person="Ben\u202e\x1b[2J\nowner")
        await ask(house, UNLOCK, caller)
        assert (await open_for(house))[NoticeKind.PLAN_WAITS].text.startswith("Ben [2J owner asks")
