"""The outbox: who is told what, once, for as long as it stands, and heard of as soon as it is kept."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from homesteward.actions.notice import FORMS, NoticeKind
from homesteward.actions.notice_words import WORDS, text_of, title_of
from homesteward.actions.notices import MOST_OPEN, Notices, UnknownNoticeError, What
from homesteward.actions.noticing import Noticing
from homesteward.actions.ties import Ties, not_witnessed
from homesteward.home.calls import BodyStep, Call, Target
from homesteward.people import Caller, Channel, Reach, Role, Scope

ANN = Caller(Role.OWNER, Channel.PAGE, "Ann", person_id="ann")
BEN = Caller(Role.MEMBER, Channel.PAGE, "Ben", person_id="ben")
K = NoticeKind


@pytest.fixture
def notices(database, clock) -> Notices:
    return Notices(database, "simulated", clock)


async def told(notices, by, **more):
    return [(notice.kind, notice.subject) for notice in await notices.list(by, **more)]


async def test_the_same_is_told_once_while_it_is_open_and_again_when_it_comes_back(notices):
    await notices.add(K.RULES_HELD, "house", "line 3")
    await notices.add(K.RULES_HELD, "house", "line 3")
    assert await told(notices, ANN) == [(K.RULES_HELD, "house")]
    assert await notices.settle("house", K.RULES_HELD) == 1
    assert await told(notices, ANN) == []
    await notices.add(K.RULES_HELD, "house", "line 4")
    assert [notice.text for notice in await notices.list(ANN, settled=True)] == ["line 4", "line 3"]


async def test_how_a_thing_stands_is_told_in_place_of_how_it_stood_and_not_twice(notices):
    heard = []
    notices.subscribe(lambda change: heard.append((change.what, change.notice.text)))
    for text in ("line 3", "line 3", "line 4", ""):
        await notices.stands(K.RULES_HELD, "house", text)
    await asyncio.sleep(0)
    assert heard == [
        (What.ADDED, "line 3"),
        (What.SETTLED, "line 3"),
        (What.ADDED, "line 4"),
        (What.SETTLED, "line 4"),
    ]
    assert await told(notices, ANN) == []


async def test_what_came_late_of_several_things_of_one_plan_is_all_in_one_notice(notices):
    for text in ("The lamp is on after all.", "The fan is on after all.", "The lamp is on after all."):
        await notices.add(K.LATE_SUCCESS, "plan_1", text, "ben")
    assert [notice.text for notice in await notices.list(BEN)] == ["The lamp is on after all. The fan is on after all."]


async def test_of_many_who_tell_the_same_at_once_one_does(notices):
    await asyncio.gather(*(notices.add(K.PLAN_WAITS, "plan_1", f"{n}") for n in range(20)))
    assert len(await notices.list(ANN)) == 1


async def test_an_owner_sees_what_is_for_owners_and_their_own_and_everybody_else_their_own(notices):
    await notices.add(K.PLAN_WAITS, "plan_1", "waits")
    await notices.add(K.PLAN_EXPIRED, "plan_2", "nobody", "ben")
    await notices.add(K.PLAN_EXPIRED, "plan_3", "nobody", "ann")
    assert sorted(subject for _, subject in await told(notices, ANN)) == ["plan_1", "plan_3"]
    assert await told(notices, BEN) == [(K.PLAN_EXPIRED, "plan_2")]
    for other in (
        Caller(Role.GUEST, Channel.PAGE, "Kim", person_id="kim"),
        Caller(Role.OWNER, Channel.API, "program", token_id="t", scopes=frozenset({Scope.READ})),
        replace(BEN, token_id="t", scopes=frozenset({Scope.READ})),
        replace(ANN, reach=Reach.of(areas=["kitchen"])),
    ):
        assert await told(notices, other) == []


async def test_what_is_for_somebody_else_cannot_be_marked_as_seen(notices):
    await notices.add(K.PLAN_EXPIRED, "plan_2", "nobody", "ben")
    (notice,) = await notices.list(BEN)
    with pytest.raises(UnknownNoticeError):
        await notices.seen(notice.id, ANN)
    with pytest.raises(UnknownNoticeError):
        await notices.seen("notice_none", ANN)


async def test_what_was_seen_is_over_unless_something_still_stands_on_it(notices):
    await notices.add(K.PLAN_WAITS, "plan_1", "waits")
    await notices.add(K.RULE_DECIDED, "plan_2", "allowed")
    for notice in await notices.list(ANN):
        await notices.seen(notice.id, ANN)
    assert await told(notices, ANN) == [(K.PLAN_WAITS, "plan_1")]
    (left,) = await notices.list(ANN)
    assert left.seen is not None


async def test_whoever_watches_hears_of_each_change_once_it_is_kept(notices):
    heard = []
    undo = notices.subscribe(lambda change: heard.append((change.what, change.notice.subject)))
    await notices.add(K.PLAN_WAITS, "plan_1", "waits")
    await notices.add(K.PLAN_WAITS, "plan_1", "waits")
    (notice,) = await notices.list(ANN)
    await notices.seen(notice.id, ANN)
    await notices.settle("plan_1", K.PLAN_WAITS)
    await asyncio.sleep(0)
    assert heard == [(What.ADDED, "plan_1"), (What.CHANGED, "plan_1"), (What.SETTLED, "plan_1")]
    undo()
    await notices.add(K.PLAN_WAITS, "plan_2", "waits")
    await asyncio.sleep(0)
    assert len(heard) == 3


async def test_what_is_told_without_waiting_is_kept_before_the_house_closes(notices):
    notices.tell("late_success", "plan_1", "Done after all.", "ben")
    await notices.close()
    assert await told(notices, BEN) == [(K.LATE_SUCCESS, "plan_1")]


async def test_what_nobody_looks_at_fades_and_never_floods(notices, clock):
    await notices.add(K.RULE_DECIDED, "old", "allowed")
    await notices.add(K.PLAN_WAITS, "stays", "waits")
    clock.advance(timedelta(days=31))
    for n in range(MOST_OPEN + 5):
        clock.advance(timedelta(seconds=1))
        await notices.add(K.RULE_DECIDED, f"plan_{n}", "allowed")
    left = await notices.list(ANN, limit=10_000)
    assert len(left) == MOST_OPEN + 1
    assert {"old", "plan_0"}.isdisjoint(notice.subject for notice in left)
    assert left[-1].subject == "stays"


async def test_what_waits_is_told_with_what_it_reaches_and_why(make_gate, notices, home):
    home.bodies["script.welcome"] = tuple(
        BodyStep(Call("lock", "lock", Target(entity_id=(f"lock.door_{n}",))), "a door") for n in range(7)
    )
    for n in range(7):
        home.set_state(f"lock.door_{n}", "unlocked")
    gate = await make_gate(ties=Ties(witness=Noticing(notices, "simulated", not_witnessed)))
    await gate.submit([Call("script", "turn_on", Target(entity_id=("script.welcome",)))], BEN, request="welcome")
    (notice,) = await notices.list(ANN)
    assert "script.turn_on script.welcome → lock.door_" in notice.text
    assert "and 2 more" in notice.text
    assert "is a lock, reached through script.welcome" in notice.text


@pytest.mark.parametrize("language", WORDS)
@pytest.mark.parametrize("kind", NoticeKind)
def test_every_kind_has_a_form_a_title_and_a_text(kind, language):
    facts = dict.fromkeys(
        (
            "who",
            "request",
            "steps",
            "why",
            "rule",
            "action",
            "until",
            "failures",
            "text",
            "when",
            "what",
            "name",
            "changed",
        ),
        "x",
    )
    assert FORMS[kind].severity
    assert title_of(kind, f"{language}-AT")
    assert "{" not in text_of(kind, language, **facts)
