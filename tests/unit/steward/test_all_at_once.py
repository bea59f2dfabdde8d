"""What is asked for as a whole kind, and what is only guessed at, is done after a yes and not before."""

import pytest

from homesteward.app import wire
from homesteward.core.redaction import Redactor
from homesteward.people import Caller, Channel, Role
from homesteward.policy import Preset
from homesteward.settings import Settings
from homesteward.settings.settings import PolicySettings
from homesteward.steward import Outcome, Request

OWNER = Caller(Role.OWNER, Channel.CLI, "Robin")


@pytest.fixture
async def say(home, clock, tmp_path):
    """Speak to a house whose rules let everything through."""
    settings = Settings(policy=PolicySettings(dry_run=False, verify_factor=0.01, preset=Preset.OPEN), data=tmp_path)
    async with wire(settings, home, home, tmp_path, clock, Redactor()) as house:
        yield lambda text: house.steward.ask(Request(text, OWNER, conversation_id="talk"))


def sent(home):
    return [(call.id, call.entity_ids) for call in home.calls]


async def test_all_doors_are_locked_after_a_yes(say, home):
    home.set_state("lock.front_door", "unlocked")
    home.set_state("lock.back_door", "unlocked")
    asked = await say("lock all the doors")
    assert (asked.outcome, asked.question.kind) == (Outcome.CONFIRM, "yes")
    assert sent(home) == []
    await say("yes")
    assert sent(home) == [("lock.lock", ("lock.back_door", "lock.front_door"))]


async def test_one_door_is_locked_at_once(say, home):
    home.set_state("lock.front_door", "unlocked")
    await say("lock the front door")
    assert sent(home) == [("lock.lock", ("lock.front_door",))]


async def test_a_slip_is_asked_about_and_done_after_a_yes(say, home):
    asked = await say("turn on the kitchin light")
    assert asked.outcome is Outcome.CONFIRM
    assert sent(home) == []
    await say("yes")
    assert sent(home) == [("light.turn_on", ("light.kitchen",))]


async def test_an_answer_names_the_stage_that_understood_the_sentence(say):
    first, again = await say("turn on the kitchen light"), await say("turn on the kitchen light")
    assert {"language", "language.shape"} <= first.timings_ms.keys()
    assert "language.remembered" in again.timings_ms
