"""A link keeps a home followed whatever happens to the connection, and tells what it missed."""

import asyncio
import logging
from collections.abc import AsyncIterator

import pytest

from homesteward.home.access import Access
from homesteward.home.calls import ResolvedCall
from homesteward.home.dispatch import HaDispatcher
from homesteward.home.errors import AuthFailedError, CallUncertainError, NotConnectedError
from homesteward.home.life import Limits, Phase
from homesteward.home.link import HomeLink
from homesteward.home.mirror import Mirror
from unit.home.far_home import FarHome, reached

LAMP = "light.a"
AT_ONCE = Limits(first_s=0, longest_s=0, restart_s=0, stable_s=0)
CALL = ResolvedCall("light", "turn_on", (LAMP,))


@pytest.fixture
def far_home() -> FarHome:
    return FarHome(LAMP, "light.b")


@pytest.fixture
async def link(far_home: FarHome) -> AsyncIterator[HomeLink]:
    """A link that waits for nothing between two attempts."""
    made = HomeLink(Access("http://home.test"), Mirror("home_1"), limits=AT_ONCE, opener=far_home.open)
    yield made
    await made.close()


@pytest.fixture
async def live(link: HomeLink) -> HomeLink:
    await link.start()
    await link.settled()
    return link


def heard(link: HomeLink) -> list[tuple[str | None, str | None]]:
    changes: list[tuple[str | None, str | None]] = []
    link.mirror.watch(lambda old, new: changes.append((old and old.state, new and new.state)))
    return changes


async def back(link: HomeLink, far_home: FarHome, code: int = 1006) -> None:
    """End the present connection and wait until the home is live over the next."""
    far_home.ends[-1].end(code)
    await reached(link.life, Phase.COOLING_DOWN)
    await reached(link.life, Phase.LIVE)


async def test_a_home_that_is_there_is_live_and_known(live: HomeLink):
    assert live.life.phase is Phase.LIVE
    assert live.mirror.connected
    assert live.mirror.states[LAMP].state == "off"
    assert live.mirror.gaps == ()
    assert live.health()["trouble"] is None


async def test_a_cut_connection_comes_back_subscribed_to_everything_as_before(live: HomeLink, far_home: FarHome):
    await back(live, far_home)

    def subscribed(end):
        return sorted((m["type"], m.get("event_type", "")) for m in end.sent if m["type"].startswith("subscribe"))

    first, second = far_home.ends
    assert subscribed(second) == subscribed(first)
    changes = heard(live)
    far_home.change(LAMP, "on")
    await live.send("ping")
    assert changes == [("off", "on")]
    assert live.reconnects == 1


async def test_what_changed_meanwhile_is_told_as_a_change_once_the_home_is_back(live: HomeLink, far_home: FarHome):
    changes = heard(live)
    far_home.change(LAMP, "on", told=False)
    del far_home.states["light.b"]
    far_home.states["light.c"] = {"s": "on", "lc": 3.0}
    await back(live, far_home)
    assert sorted(changes, key=str) == sorted([("off", "on"), ("off", None), (None, "on")], key=str)
    (gap,) = live.mirror.gaps
    assert (gap.reason, gap.changed) == ("cut", 3)
    assert gap.start <= gap.end


async def test_a_new_stamp_alone_is_no_change(live: HomeLink, far_home: FarHome):
    """A restart gives every state a new one."""
    changes = heard(live)
    far_home.states[LAMP] |= {"lc": 99.0, "c": "C9"}
    await back(live, far_home)
    assert changes == []
    assert live.mirror.states[LAMP].context_id == "C9"


async def test_while_it_is_away_the_last_states_stay_and_say_from_when_they_are(live: HomeLink, far_home: FarHome):
    known = live.mirror.as_of
    far_home.refuses = NotConnectedError("nobody there")
    far_home.ends[-1].end()
    await reached(live.life, Phase.COOLING_DOWN)
    assert not live.mirror.connected
    assert live.mirror.states[LAMP].state == "off"
    assert known
    assert live.mirror.as_of
    assert live.mirror.as_of <= known
    with pytest.raises(NotConnectedError):
        await live.send("ping")


async def test_a_home_that_still_starts_is_not_the_house_and_its_changes_are_none(live: HomeLink, far_home: FarHome):
    """E60: half of the states are there before it runs; nobody is told that the rest were gone."""
    changes = heard(live)
    whole = dict(far_home.states)
    far_home.phase, far_home.states = "NOT_RUNNING", {LAMP: whole[LAMP]}
    far_home.opened.clear()
    far_home.ends[-1].end(1000)
    await far_home.opened.wait()
    await reached(live.life, Phase.SYNCING)
    assert not live.mirror.connected
    assert set(live.mirror.states) == set(whole)
    far_home.phase, far_home.states = "RUNNING", whole
    await reached(live.life, Phase.LIVE)
    assert changes == []
    assert live.mirror.gaps[-1].reason == "stopped"


async def test_a_goodbye_of_a_home_that_is_there_at_once_was_an_overflow(live: HomeLink, far_home: FarHome):
    """Home Assistant closes a client with 1000, as in a goodbye, when 4,096 messages wait for it."""
    await back(live, far_home, 1000)
    assert live.overflows == 1
    assert live.mirror.gaps[-1].reason == "overflow"


@pytest.mark.parametrize("service", ["restart", "stop"])
async def test_a_restart_that_was_asked_for_is_waited_for_without_alarm(
    live: HomeLink, far_home: FarHome, caplog: pytest.LogCaptureFixture, service: str
):
    far_home.fire("call_service", domain="homeassistant", service=service)
    await live.send("ping")
    with caplog.at_level(logging.INFO):
        await back(live, far_home, 1000)
    assert live.mirror.gaps[-1].reason == "restart"
    assert live.overflows == 0
    assert {record.levelno for record in caplog.records} == {logging.INFO}


async def test_an_outage_is_one_line_in_the_log_and_its_end_another(
    live: HomeLink, far_home: FarHome, caplog: pytest.LogCaptureFixture
):
    """E60: not one per attempt."""
    with caplog.at_level(logging.INFO):
        far_home.refuses = NotConnectedError("nobody there")
        far_home.ends[-1].end()
        while live.attempts < 20:  # noqa: ASYNC110 - as many attempts as it makes
            await asyncio.sleep(0)
        far_home.refuses = None
        await reached(live.life, Phase.LIVE)
    assert [record.levelname for record in caplog.records] == ["WARNING", "INFO"]
    assert "there again" in caplog.text


async def test_a_home_that_is_down_at_the_start_is_said_once_and_live_when_it_comes(
    link: HomeLink, far_home: FarHome, caplog: pytest.LogCaptureFixture
):
    """E60: started before Home Assistant."""
    far_home.refuses = NotConnectedError("nobody there")
    await link.start()
    with pytest.raises(NotConnectedError, match="nobody there"):
        await link.settled()
    while link.attempts < 5:  # noqa: ASYNC110 - as many attempts as it makes
        await asyncio.sleep(0)
    assert len([record for record in caplog.records if record.levelno >= logging.WARNING]) == 1
    assert link.mirror.as_of is None
    far_home.refuses = None
    await reached(link.life, Phase.LIVE)
    assert link.mirror.connected
    assert link.mirror.gaps == ()


async def test_a_refused_token_waits_longest_and_says_what_to_do(far_home: FarHome, caplog: pytest.LogCaptureFixture):
    link = HomeLink(Access("http://home.test"), Mirror("home_1"), opener=far_home.open)
    far_home.refuses = AuthFailedError("Invalid access token or password")
    await link.start()
    with pytest.raises(AuthFailedError):
        await link.settled()
    health = link.health()
    assert health["state"] == "cooling_down"
    assert "long-lived access token" in str(health["next"])
    assert 59 < float(str(health["next_attempt_s"])) <= 60
    assert "long-lived access token" in caplog.text
    far_home.refuses = None
    link.hurry()
    await reached(link.life, Phase.LIVE)
    await link.close()


async def test_a_token_that_turns_bad_in_an_outage_is_told_once_more(
    live: HomeLink, far_home: FarHome, caplog: pytest.LogCaptureFixture
):
    far_home.refuses = AuthFailedError()
    far_home.ends[-1].end()
    while live.attempts < 6:  # noqa: ASYNC110 - as many attempts as it makes
        await asyncio.sleep(0)
    assert [record.levelname for record in caplog.records if record.levelno > logging.INFO] == ["WARNING", "ERROR"]


async def test_a_call_cut_off_in_flight_is_uncertain_and_not_sent_again(live: HomeLink, far_home: FarHome):
    dispatcher = HaDispatcher(live, live.mirror)
    far_home.breaks_on.add("call_service")
    with pytest.raises(CallUncertainError):
        await dispatcher.call(CALL)
    far_home.breaks_on.clear()
    await reached(live.life, Phase.LIVE)
    calls = [message for end in far_home.ends for message in end.sent if message["type"] == "call_service"]
    assert len(calls) == 1


async def test_a_connection_that_breaks_while_the_home_is_read_is_tried_again(link: HomeLink, far_home: FarHome):
    far_home.breaks_on.add("get_services")
    await link.start()
    with pytest.raises(NotConnectedError):
        await link.settled()
    far_home.breaks_on.clear()
    await reached(link.life, Phase.LIVE)
    assert "light.turn_on" in link.mirror.services


async def test_a_listener_for_events_outlives_the_connection(live: HomeLink, far_home: FarHome):
    fired: list[object] = []
    undo = await live.mirror.listen("automation_triggered", lambda event: fired.append(event["data"]))
    far_home.fire("automation_triggered", n=1)
    await live.send("ping")
    await back(live, far_home)
    far_home.fire("automation_triggered", n=2)
    await live.send("ping")
    undo()
    far_home.fire("automation_triggered", n=3)
    await live.send("ping")
    assert fired == [{"n": 1}, {"n": 2}]


async def test_whoever_waits_for_the_home_is_told_of_the_gap_before_its_differences(live: HomeLink, far_home: FarHome):
    told: list[object] = []

    def fails(_gap: object) -> None:
        raise RuntimeError

    undos = [live.mirror.on_known(fails), live.mirror.on_known(told.append)]
    live.mirror.watch(lambda _old, new: told.append(new.state if new else None))
    far_home.change(LAMP, "on", told=False)
    await back(live, far_home)
    assert told == [live.mirror.gaps[-1], "on"]
    for undo in undos:
        undo()
    await back(live, far_home)
    assert len(told) == 2


async def test_a_home_that_is_known_for_the_first_time_has_no_gap(far_home: FarHome):
    told: list[object] = []
    mirror = Mirror("home_1")
    mirror.on_known(told.append)
    link = HomeLink(Access("http://home.test"), mirror, limits=AT_ONCE, opener=far_home.open)
    await link.start()
    await link.settled()
    await link.close()
    assert told == [None]


async def test_many_lives_leave_no_task_behind(live: HomeLink, far_home: FarHome):
    await back(live, far_home)
    before = len(asyncio.all_tasks())
    for _ in range(20):
        await back(live, far_home)
    assert len(asyncio.all_tasks()) == before
    assert len(live.mirror.gaps) == 21


async def test_five_thousand_entities_reset_in_one_go_arrive_and_so_does_what_an_overflow_swallowed(far_home: FarHome):
    names = [f"sensor.n{n}" for n in range(5000)]
    far_home = FarHome(*names)
    link = HomeLink(Access("http://home.test"), Mirror("home_1"), limits=AT_ONCE, opener=far_home.open)
    await link.start()
    await link.settled()
    changes = heard(link)
    for name in names[:4095]:
        far_home.change(name, "on")
    for name in names[4095:]:
        far_home.change(name, "on", told=False)  # the 4,096th message closes the connection instead
    await back(link, far_home, 1000)
    assert changes == [("off", "on")] * 5000
    assert {state.state for state in link.mirror.states.values()} == {"on"}
    assert (link.overflows, link.mirror.gaps[-1].changed) == (1, 905)
    await link.close()


async def test_closed_is_closed_and_closing_again_does_nothing(live: HomeLink):
    await live.close()
    await live.close()
    assert live.life.phase is Phase.CLOSED
    with pytest.raises(NotConnectedError):
        await live.send("ping")


async def test_a_home_that_still_starts_holds_nobody_back_for_longer_than_asked(link: HomeLink, far_home: FarHome):
    far_home.phase = "STARTING"
    await link.start()
    await link.settled(0.01)
    assert (link.life.phase, link.mirror.connected, dict(link.mirror.states)) == (Phase.SYNCING, False, {})
    far_home.phase = "RUNNING"
    await reached(link.life, Phase.LIVE)
    assert link.mirror.connected


async def test_a_mistake_of_ours_does_not_end_the_link_for_good(
    live: HomeLink, far_home: FarHome, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    broken = [True]
    follow = live.mirror.follow

    async def fail_once(*given):
        if broken.pop() if broken else False:
            raise RuntimeError
        await follow(*given)

    monkeypatch.setattr(live.mirror, "follow", fail_once)
    await back(live, far_home)
    assert live.life.phase is Phase.LIVE
    assert "broke off" in caplog.text
