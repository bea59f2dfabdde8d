"""A lock that takes a PIN, asked for in a conversation: what opens it, what does not, and that the PIN stays nowhere."""

import asyncio
import logging
import re
from dataclasses import replace
from datetime import timedelta

import pytest

from homesteward.app.doctor import examine_house
from homesteward.core.json import dumps
from homesteward.models.scripted import ScriptedModel
from homesteward.people import Caller, Channel, Proof, ProofKind, Role, Scope
from homesteward.steward import Outcome, Request, Route, answer_json

PIN = "8351"
UNLOCK = "unlock the front door"


def sent(home):
    return [(call.id, call.entity_ids) for call in home.calls]


OPENED = [("lock.unlock", ("lock.front_door",))]


async def ask(house, text, caller, **rest):
    return await house.steward.ask(Request(text, caller, **rest))


async def test_the_pin_in_the_same_conversation_opens_the_lock_once(guarded, home, meet):
    ann = await meet(guarded, "Ann", PIN, is_admin=True)
    asked = await ask(guarded, UNLOCK, ann)
    assert (asked.outcome, asked.question.kind, asked.plan.needs) == (Outcome.CONFIRM, "pin", "pin")
    assert "PIN" in asked.reply
    assert sent(home) == []

    done = await ask(guarded, PIN, ann, conversation_id=asked.conversation_id)
    assert (done.outcome, done.plan.id, sent(home)) == (Outcome.ACTED, asked.plan.id, OPENED)

    again = await ask(guarded, PIN, ann, conversation_id=asked.conversation_id)
    assert (again.outcome, again.error.code, sent(home)) == (Outcome.FAILED, "no_pin_asked", OPENED)


@pytest.mark.parametrize(
    "reply", ["eight three five one", "8-3-5-1", "my pin is 8351", "yes, 8351", "dreiundachtzig einundfünfzig"]
)
async def test_it_may_be_said_in_any_way(guarded, home, meet, reply):
    ann = await meet(guarded, "Ann", PIN)
    asked = await ask(guarded, UNLOCK, ann)
    done = await ask(guarded, reply, ann, conversation_id=asked.conversation_id)
    assert (done.outcome, sent(home)) == (Outcome.ACTED, OPENED)


async def test_a_pin_that_comes_with_the_request_is_the_yes_to_it(guarded, home, meet):
    ann = await meet(guarded, "Ann", PIN)
    answer = await ask(guarded, f"{UNLOCK}, pin {PIN}", ann)
    assert (answer.outcome, sent(home), answer.plan.request) == (Outcome.ACTED, OPENED, UNLOCK)


async def test_a_wrong_pin_opens_nothing_and_may_be_said_again(guarded, home, meet):
    ann = await meet(guarded, "Ann", PIN)
    asked = await ask(guarded, UNLOCK, ann)
    wrong = await ask(guarded, "8352", ann, conversation_id=asked.conversation_id)
    assert (wrong.outcome, wrong.question.kind, wrong.error.code, sent(home)) == (
        Outcome.CONFIRM,
        "pin",
        "wrong_pin",
        [],
    )
    done = await ask(guarded, PIN, ann, conversation_id=asked.conversation_id)
    assert (done.outcome, sent(home)) == (Outcome.ACTED, OPENED)


async def test_a_yes_without_the_pin_is_not_enough_and_a_no_ends_it(guarded, home, meet):
    ann = await meet(guarded, "Ann", PIN)
    asked = await ask(guarded, UNLOCK, ann)
    yes = await ask(guarded, "yes", ann, conversation_id=asked.conversation_id)
    assert (yes.outcome, yes.question.kind, sent(home)) == (Outcome.CONFIRM, "pin", [])
    no = await ask(guarded, "no", ann, conversation_id=asked.conversation_id)
    assert (no.outcome, no.plan.state) == (Outcome.REFUSED, "rejected")
    late = await ask(guarded, PIN, ann, conversation_id=asked.conversation_id)
    assert (late.error.code, sent(home)) == ("no_pin_asked", [])


async def test_somebody_elses_pin_is_no_yes(guarded, home, meet):
    ann, ben = await meet(guarded, "Ann", PIN), await meet(guarded, "Ben", "9264", is_admin=True)
    asked = await ask(guarded, UNLOCK, ann)
    for pin in ("9264", PIN):
        other = await ask(guarded, pin, ben, conversation_id=asked.conversation_id)
        assert (other.outcome, other.error.code, sent(home)) == (Outcome.FAILED, "no_pin_asked", [])
    proof = Proof(ProofKind.PIN, asked.plan.id, guarded.clock.now() + timedelta(minutes=5))
    with pytest.raises(Exception, match="An owner cannot confirm this"):
        await guarded.gate.approve(asked.plan.id, replace(ben, proof=proof))
    assert sent(home) == []


async def test_after_five_minutes_the_pin_comes_too_late_and_is_kept_nowhere(guarded, home, meet, clock, tmp_path):
    ann = await meet(guarded, "Ann", "sesame83")
    asked = await ask(guarded, UNLOCK, ann)
    clock.advance(timedelta(minutes=5, seconds=1))
    late = await ask(guarded, "sesame83", ann, conversation_id=asked.conversation_id)
    assert (late.outcome, late.error.code, sent(home)) == (Outcome.FAILED, "no_pin_asked", [])
    assert (await guarded.gate.plan(asked.plan.id)).state == "expired"
    assert b"sesame83" not in everything_kept(tmp_path)


async def test_without_a_pin_it_is_refused_and_told_how_to_choose_one(guarded, home, meet):
    ann = await meet(guarded, "Ann")
    answer = await ask(guarded, UNLOCK, ann)
    assert (answer.outcome, sent(home)) == (Outcome.REFUSED, [])
    assert "homesteward people pin" in answer.reply


@pytest.mark.parametrize(("language", "said"), [("de", "du hast keine"), ("fr", "vous n'en avez pas")])
async def test_the_refusal_without_a_pin_is_in_the_language_asked(guarded, meet, language, said):
    ann = await meet(guarded, "Ann")
    answer = await ask(guarded, ASKS[language], ann, language=language)
    assert answer.outcome is Outcome.REFUSED
    assert said in answer.reply


async def test_a_wrong_pin_is_told_in_the_language_asked(guarded, meet):
    ann = await meet(guarded, "Ann", PIN)
    asked = await ask(guarded, ASKS["fr"], ann, language="fr")
    wrong = await ask(guarded, "9264", ann, language="fr", conversation_id=asked.conversation_id)
    assert wrong.reply.startswith("Ce n'est pas le bon code PIN.")


async def test_whoever_is_no_person_on_record_has_no_pin_either(guarded, home):
    answer = await ask(guarded, UNLOCK, Caller(Role.OWNER, Channel.CLI, "owner"))
    assert (answer.outcome, sent(home)) == (Outcome.REFUSED, [])
    assert "signed in" in answer.reply


async def test_everything_else_takes_no_pin(guarded, home, meet):
    ann = await meet(guarded, "Ann")
    assert (await ask(guarded, "turn on the kitchen light", ann)).outcome is Outcome.ACTED
    assert (await ask(guarded, "is the front door locked?", ann)).outcome is Outcome.ANSWERED


async def test_a_script_that_reaches_a_lock_takes_the_pin_as_well(guarded, home, meet):
    ann = await meet(guarded, "Ann", PIN)
    asked = await ask(guarded, "run let in", ann)
    assert (asked.question.kind, sent(home)) == ("pin", [])


async def test_a_guest_is_refused_the_lock_whatever_pin_they_have(guarded, home, meet):
    ann = await meet(guarded, "Ann", PIN)
    answer = await ask(guarded, f"{UNLOCK}, pin {PIN}", ann.lowered(Role.GUEST))
    assert (answer.outcome, sent(home)) == (Outcome.REFUSED, [])


@pytest.mark.usefixtures("let_in")
async def test_what_a_token_asks_for_waits_for_a_person_who_proves_who_they_are(guarded, home, meet, clock):
    ann = await meet(guarded, "Ann", PIN, is_admin=True)
    token = replace(ann, token_id="t1", scopes=frozenset({Scope.READ, Scope.ACT}))
    asked = await ask(guarded, f"{UNLOCK}, pin {PIN}", token)
    assert (asked.outcome, asked.plan.needs, sent(home)) == (Outcome.WAITING, "approve", [])

    with pytest.raises(Exception, match="your PIN as well"):
        await guarded.gate.approve(asked.plan.id, ann)
    for purpose, minutes in (("plan_other", 5), (asked.plan.id, 0)):
        weak = replace(ann, proof=Proof(ProofKind.PIN, purpose, clock.now() + timedelta(minutes=minutes)))
        with pytest.raises(Exception, match="your PIN as well"):
            await guarded.gate.approve(asked.plan.id, weak)
    await guarded.desk.step_up.with_pin(ann, PIN, asked.plan.id, holder="session")
    done = await guarded.gate.approve(asked.plan.id, guarded.desk.step_up.carried(ann, asked.plan.id, holder="session"))
    assert (done.state, sent(home)) == ("completed", OPENED)


async def test_the_lockout_holds_across_conversations_channels_and_restarts(guarded, open_guarded, home, meet):
    ann = await meet(guarded, "Ann", PIN)
    for n in range(5):
        asked = await ask(guarded, UNLOCK, replace(ann, channel=list(Channel)[n % 3]))
        wrong = await ask(
            guarded, f"900{n}", replace(ann, channel=list(Channel)[n % 3]), conversation_id=asked.conversation_id
        )
        assert wrong.error.code in {"wrong_pin", "locked_out"}

    house = await open_guarded()
    ann = replace(ann, channel=Channel.CLI)
    shut = await ask(house, f"{UNLOCK}, pin {PIN}", ann)
    assert (shut.outcome, shut.error.code, sent(home)) == (Outcome.CONFIRM, "locked_out", [])

    house.clock.advance(timedelta(minutes=1))
    done = await ask(house, f"{UNLOCK}, pin {PIN}", ann)
    assert (done.outcome, sent(home)) == (Outcome.ACTED, OPENED)


async def test_one_slip_counts_once_however_many_plans_wait(guarded, home, meet):
    ann = await meet(guarded, "Ann", PIN)
    asked = await ask(guarded, "unlock the front door and unlock the back door", ann)
    assert asked.question.kind == "pin"
    await ask(guarded, "9001", ann, conversation_id=asked.conversation_id)
    entries = await guarded.audit.entries(kind="step_up.failed")
    assert len(entries) == 1


async def test_two_replies_at_once_open_it_once(guarded, home, meet):
    ann = await meet(guarded, "Ann", PIN)
    asked = await ask(guarded, UNLOCK, ann)
    replies = (ask(guarded, PIN, ann, conversation_id=asked.conversation_id) for _ in range(3))
    outcomes = [answer.outcome for answer in await asyncio.gather(*replies)]
    assert (outcomes.count(Outcome.ACTED), sent(home)) == (1, OPENED)


async def test_something_else_asked_instead_is_done_and_the_pin_is_not_awaited_any_more(guarded, home, meet):
    ann = await meet(guarded, "Ann", PIN)
    asked = await ask(guarded, UNLOCK, ann)
    other = await ask(guarded, "turn on the kitchen light", ann, conversation_id=asked.conversation_id)
    late = await ask(guarded, PIN, ann, conversation_id=asked.conversation_id)
    assert (other.outcome, late.error.code) == (Outcome.ACTED, "no_pin_asked")
    assert sent(home) == [("light.turn_on", ("light.kitchen",))]


async def test_what_cannot_be_understood_where_a_pin_was_asked_for_is_not_kept_and_no_model_hears_it(
    guarded, home, meet, tmp_path
):
    ann = await meet(guarded, "Ann", PIN)
    heard = []
    steward = guarded.with_model(lambda: Eavesdropper(heard))
    asked = await steward.ask(Request(UNLOCK, ann))
    mumbled = "ate thrice fife wunn"
    for route in Route:
        again = await steward.ask(Request(mumbled, ann, asked.conversation_id, route=route))
        assert (again.outcome, again.question.kind) == (Outcome.CONFIRM, "pin")
    assert heard == []
    assert mumbled.encode() not in everything_kept(tmp_path)
    done = await steward.ask(Request(PIN, ann, asked.conversation_id))
    assert (done.outcome, sent(home)) == (Outcome.ACTED, OPENED)


# --- where the PIN must not be -----------------------------------------------------------------------------------------------

LONG = "83519264"  # no id and no hash holds it by chance
WAYS = {
    "en": (
        "my pin is 83519264",
        "8 3 5 1 9 2 6 4",
        "eight three five one nine two six four",
        "eighty-three fifty-one ninety-two sixty-four",
        "83519264",
        "it's 8-3-5-1-9-2-6-4",
    ),
    "de": (
        "meine PIN ist 83519264",
        "8 3 5 1 9 2 6 4",
        "acht drei fünf eins neun zwei sechs vier",
        "dreiundachtzig einundfünfzig zweiundneunzig vierundsechzig",
        "83519264",
        "PIN: 8.3.5.1.9.2.6.4",
    ),
    "fr": (
        "mon code est 83519264",
        "8 3 5 1 9 2 6 4",
        "huit trois cinq un neuf deux six quatre",
        "quatre-vingt-trois cinquante et un quatre-vingt-douze soixante-quatre",
        "83519264",
        "code 83 51 92 64",
    ),
}
PARTS = (
    "8351",
    "9264",
    "8 3 5",
    "8-3-5",
    "8.3.5",
    "83 51",
    "eight three",
    "eighty",
    "acht drei",
    "dreiundachtzig",
    "huit trois",
    "vingt",
)
IDS = re.compile(r"[0-9a-f]{32,}|\d\.\d+|\d{2}:\d{2}|datetime\([^)]*\)")  # made at random, or of the time
ASKS = {"en": "unlock the front door", "de": "schließe Front door auf", "fr": "déverrouille Front door"}


def everything_kept(folder):
    return b"\n".join(file.read_bytes() for file in folder.rglob("*") if file.is_file())


class Overheard(logging.Handler):
    """Everything that anybody logs, at every level."""

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


class Eavesdropper(ScriptedModel):
    """A model that asks for the lock, and keeps every word it was sent."""

    def __init__(self, kept):
        call = {"service": "lock.unlock", "target": {"entity_id": "lock.front_door"}}
        super().__init__([{"tool_call": {"name": "call_service", "arguments": call}}, {"text": "Done."}])
        self._kept = kept

    async def request(self, messages, model_settings, model_request_parameters):
        self._kept.append(repr(messages))
        return await super().request(messages, model_settings, model_request_parameters)


@pytest.mark.parametrize("language", WAYS)
async def test_after_a_conversation_the_pin_is_nowhere(guarded, home, meet, tmp_path, language, overheard):
    """Typed, spaced or spelled: not in a database, log, trace, run, event, request to a model, answer or diagnosis."""
    ann = await meet(guarded, "Ann", LONG)
    heard_by_model, shown = [], []
    steward = guarded.with_model(lambda: Eavesdropper(heard_by_model))

    async def say(text, conversation_id="", route=Route.ANY):
        home.set_state("lock.front_door", "locked")
        run = steward.start(Request(text, ann, conversation_id, language=language, route=route))
        events = [event async for event in steward.runs.watch(run)]
        shown.append(dumps([events, answer_json(run.answer), run.request.text, run.answer.reply]))
        return run.answer

    for said in WAYS[language]:
        asked = await say(ASKS[language])
        assert asked.question.kind == "pin", asked.reply
        assert (await say(said, asked.conversation_id)).outcome is Outcome.ACTED, said
        await say(said)  # once more, where nobody asked for it
        await say(said, route=Route.KERNEL)
        await say(f"{ASKS[language]}, {said}")
        await say(f"{ASKS[language]}, {said}", route=Route.KERNEL)
        await say(f"{ASKS[language]} {said}")  # in one breath
        await say(f"{ASKS[language]} {said}", route=Route.KERNEL)
        await say(f"{said} {ASKS[language]}")
    assert heard_by_model

    doctor = await examine_house(guarded.settings, guarded.home, guarded.clock)
    shown += [dumps(guarded.describe()), str(doctor), str(heard_by_model), *overheard]
    shown += [str(await guarded.audit.entries(limit=1000)), str(await guarded.gate.plans())]
    spoken, kept = IDS.sub("", "\n".join(shown).casefold()), everything_kept(tmp_path).lower()
    for part in PARTS:
        assert part not in spoken, part
    for said in WAYS[language]:
        assert said.encode() not in kept, said
    assert LONG.encode() not in kept
