"""While the home is out of reach, a question is answered from what was known, with its age; nothing else is."""

from datetime import UTC, datetime

import pytest

from homesteward.people import Caller, Channel, Role
from homesteward.steward import Outcome, Request, Route
from homesteward.steward.remembered import aged

OWNER = Caller(Role.OWNER, Channel.CLI, "Robin")
THEN = datetime(2026, 3, 1, 17, 2, tzinfo=UTC)


@pytest.mark.parametrize(
    ("now", "language", "begins"),
    [
        (datetime(2026, 3, 1, 20, tzinfo=UTC), "en", "As of 18:02, not connected: "),
        (datetime(2026, 3, 2, 20, tzinfo=UTC), "en-GB", "As of 2026-03-01 18:02, not connected: "),
        (datetime(2026, 3, 1, 20, tzinfo=UTC), "de", "Stand 18:02, nicht verbunden: "),
        (datetime(2026, 3, 1, 20, tzinfo=UTC), "fr", "As of 18:02, not connected: "),
    ],
)
def test_an_answer_says_in_the_homes_own_time_when_it_was_so(now, language, begins):
    assert aged("Off.", THEN, now, language, "Europe/Paris") == f"{begins}Off."


async def ask(house, text, **rest):
    return await house.steward.ask(Request(text, OWNER, **rest))


async def test_a_question_is_answered_from_what_was_known(house, home):
    home.connected, home.lost_at = False, THEN
    answer = await ask(house, "is the kitchen light on?")
    assert answer.outcome is Outcome.ANSWERED
    assert answer.reply.startswith("As of 2026-03-01 17:02, not connected: ")
    assert answer.sources == ("light.kitchen",)


@pytest.mark.parametrize("rest", [{"text": "turn on the kitchen light"}, {"text": "hm", "route": Route.KERNEL}])
async def test_nothing_is_done_on_what_was_known(house, home, rest):
    home.connected, home.lost_at = False, THEN
    answer = await ask(house, rest.pop("text"), **rest)
    assert (answer.outcome, answer.error.code, answer.plans, home.calls) == (Outcome.FAILED, "not_connected", (), [])


async def test_of_a_home_that_was_never_known_no_question_is_answered(house, home):
    home.connected = False
    assert (await ask(house, "is the kitchen light on?")).error.code == "not_connected"
