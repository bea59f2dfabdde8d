"""A house learns from its own chronicle how long its things take, and says so where it is asked."""

from datetime import UTC, datetime, timedelta

import pytest

from homes import small_home
from homesteward.actions.windows import FEWEST
from homesteward.app import wire
from homesteward.core import FrozenClock, SystemClock
from homesteward.core.redaction import Redactor
from homesteward.home.calls import Call, Target
from homesteward.home.faults import Hold
from homesteward.people import Caller, Channel, Role
from homesteward.settings import Settings
from homesteward.settings.settings import PolicySettings

pytestmark = pytest.mark.house

OWNER = Caller(Role.OWNER, Channel.CLI, "Robin")
LAMP = "light.hall"


async def test_what_the_house_did_often_enough_is_learned_from_its_chronicle(tmp_path):
    home = small_home()
    settings = Settings(policy=PolicySettings(dry_run=False, preset="open"), data=tmp_path)
    async with wire(settings, home, home, tmp_path, SystemClock(), Redactor()) as house:
        for _ in range(FEWEST):
            for service in ("turn_on", "turn_off"):
                await house.gate.submit([Call("light", service, Target((LAMP,)))], OWNER, request="")
        await house.memory.chronicle.flush()
        await house.windows.look()
        told = {(each["of"], each["service"]): each for each in house.windows.told()}

    assert set(told) == {(of, service) for of in (LAMP, "light") for service in ("turn_on", "turn_off")}
    assert {each["samples"] for each in told.values()} == {FEWEST}
    assert {each["holds_s"] for each in told.values()} == {3}


async def test_a_lamp_that_comes_on_after_its_window_again_and_again_teaches_that_it_is_slow(tmp_path):
    """Each time it is told as not done; the ninth time it is known to need its ten seconds."""
    clock = FrozenClock(datetime(2026, 3, 1, 12, tzinfo=UTC))
    home = small_home(clock)
    settings = Settings(policy=PolicySettings(dry_run=False, preset="open", verify_factor=0.01), data=tmp_path)
    async with wire(settings, home, home, tmp_path, clock, Redactor()) as house:
        for _ in range(FEWEST):
            clock.advance(timedelta(minutes=10))
            home.faults[LAMP] = Hold()
            (plan,) = await house.gate.submit([Call("light", "turn_on", Target((LAMP,)))], OWNER, request="")
            assert plan.steps[0].evidence[0].status == "mismatched"
            clock.advance(timedelta(seconds=10))
            home.release(LAMP)
            clock.advance(timedelta(minutes=10))
            home.set_state(LAMP, "off")
        await house.memory.chronicle.flush()
        await house.windows.look()
        taught = house.windows.of(LAMP, "turn_on")

    assert (taught.samples, taught.usual_s, taught.window_s) == (FEWEST, 10, 15)


async def test_a_house_without_a_memory_learns_nothing(tmp_path):
    home = small_home()
    async with wire(Settings(data=tmp_path), home, home, tmp_path, SystemClock(), Redactor(), remember=False) as house:
        assert house.windows is None
