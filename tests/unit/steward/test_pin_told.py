"""What becomes of PINs that are wrong, missing or somebody else's: refused, on record, and told to the owner."""

from datetime import timedelta

import pytest

from homesteward.actions.notice import NoticeKind
from homesteward.people import Caller, Channel, Role
from homesteward.steward import Outcome, Request

PIN = "8351"
UNLOCK = "unlock the front door"
OPENED = ["lock.unlock"]


async def ask(house, text, caller, conversation_id=""):
    return await house.steward.ask(Request(text, caller, conversation_id, language="en"))


async def told(house, by):
    return {notice.kind: notice for notice in await house.notices.list(by)}


async def test_after_five_wrong_pins_the_owner_is_told_and_the_record_shows_each_try(guarded, home, meet, clock):
    """Acceptance 8: asked for anew in between; then also the right one is refused, for the time that was told."""
    owner = await meet(guarded, "Olga", is_admin=True)
    ann = await meet(guarded, "Ann", PIN)
    for n in range(5):
        asked = await ask(guarded, UNLOCK, ann)
        assert (await ask(guarded, f"900{n}", ann, asked.conversation_id)).error.code == "wrong_pin"
    asked = await ask(guarded, UNLOCK, ann)
    shut = await ask(guarded, PIN, ann, asked.conversation_id)
    assert (shut.error.code, home.calls) == ("locked_out", [])

    tries = await guarded.audit.entries(kind="step_up.failed")
    assert len(tries) == 5
    assert len({entry.data["purpose"] for entry in tries}) == 5
    assert await guarded.audit.entries(kind="lockout.begun", subject=f"pin:{ann.person_id}")
    notice = (await told(guarded, owner))[NoticeKind.LOCKED_OUT]
    assert notice.text == "Too many wrong tries of Ann: refused until 2026-03-01 12:00 UTC, after 5."
    assert not any(f"900{n}" in notice.text for n in range(5))
    assert await told(guarded, ann) == {}

    clock.advance(timedelta(minutes=1))
    done = await ask(guarded, PIN, ann, asked.conversation_id)
    assert (done.outcome, [call.id for call in home.calls]) == (Outcome.ACTED, OPENED)


async def test_a_lockout_that_an_owner_lifts_is_told_no_longer(guarded, meet):
    owner, ann = await meet(guarded, "Olga", is_admin=True), await meet(guarded, "Ann", PIN)
    for n in range(5):
        asked = await ask(guarded, UNLOCK, ann)
        await ask(guarded, f"900{n}", ann, asked.conversation_id)
    await guarded.desk.lockouts.lift(owner, f"pin:{ann.person_id}")
    assert await told(guarded, owner) == {}


async def test_a_yes_of_somebody_else_too_late_or_twice_is_refused_with_the_reason(guarded, home, meet, clock):
    """Acceptance 9."""
    ann, ben = await meet(guarded, "Ann", PIN), await meet(guarded, "Ben", "9264")
    asked = await ask(guarded, UNLOCK, ann)
    other = await ask(guarded, "9264", ben, asked.conversation_id)
    assert (other.outcome, other.error.code, home.calls) == (Outcome.FAILED, "no_pin_asked", [])

    clock.advance(timedelta(minutes=6))
    late = await ask(guarded, PIN, ann, asked.conversation_id)
    assert (late.outcome, late.error.code, home.calls) == (Outcome.FAILED, "no_pin_asked", [])
    with pytest.raises(Exception, match="Nobody decided about this plan") as expired:
        await guarded.gate.confirm(asked.plan.id, ann)
    assert expired.value.code == "plan_expired"

    again = await ask(guarded, UNLOCK, ann)
    await ask(guarded, PIN, ann, again.conversation_id)
    twice = await ask(guarded, PIN, ann, again.conversation_id)
    assert (twice.error.code, [call.id for call in home.calls]) == ("no_pin_asked", OPENED)


async def test_where_a_pin_is_asked_for_and_none_is_set_up_it_is_refused_and_told_until_there_is_one(
    guarded, home, meet
):
    """Acceptance 10: fail closed, and say why."""
    owner, ann = await meet(guarded, "Olga", is_admin=True), await meet(guarded, "Ann")
    answer = await ask(guarded, UNLOCK, ann)
    assert (answer.outcome, home.calls) == (Outcome.REFUSED, [])
    assert "homesteward people pin" in answer.reply
    for by in (owner, ann):
        notice = (await told(guarded, by))[NoticeKind.PIN_MISSING]
        assert "“unlock the front door” of Ann was refused" in notice.text
        assert "Settings, People" in notice.text
    await ask(guarded, UNLOCK, ann)
    assert len(await guarded.notices.list(owner)) == 1

    await guarded.desk.pins.put(owner, ann.person_id, "739164")
    assert await told(guarded, owner) == {}
    assert await told(guarded, ann) == {}


async def test_of_whoever_is_no_person_the_owner_is_told_too(guarded, home, meet):
    owner = await meet(guarded, "Olga", is_admin=True)
    answer = await ask(guarded, UNLOCK, Caller(Role.OWNER, Channel.CLI, "owner"))
    assert (answer.outcome, home.calls) == (Outcome.REFUSED, [])
    assert NoticeKind.PIN_MISSING in await told(guarded, owner)
