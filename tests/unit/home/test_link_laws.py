"""Whatever happens to a connection, in whatever order: the mirror is the home in the end, and whoever watched knows the way there."""

import asyncio
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from homesteward.home.access import Access
from homesteward.home.errors import AuthFailedError, NotConnectedError
from homesteward.home.life import Limits, Phase
from homesteward.home.link import HomeLink
from homesteward.home.mirror import Mirror
from homesteward.home.model import State
from unit.home.far_home import FarHome, reached

AT_ONCE = Limits(first_s=0, longest_s=0, restart_s=0, stable_s=0)
NAMES = [f"light.n{n}" for n in range(4)]
HAPPENINGS = st.lists(
    st.tuples(
        st.sampled_from(["change", "unheard change", "come or go", "cut", "goodbye", "restart", "down", "refused"]),
        st.sampled_from(NAMES),
    ),
    max_size=12,
)


class Witness:
    """Somebody who saw the home once and from then on knows of it only by what is told."""

    def __init__(self, mirror: Mirror) -> None:
        self.states = {name: state.state for name, state in mirror.states.items()}
        mirror.watch(self.told)

    def told(self, old: State | None, new: State | None) -> None:
        known = new or old
        assert known
        assert self.states.get(known.entity_id) == (old.state if old else None), "told from a state that was never told"
        if new:
            self.states[new.entity_id] = new.state
        else:
            del self.states[known.entity_id]


async def happen(what: str, name: str, far_home: FarHome, link: HomeLink) -> None:
    """Let it happen, and wait until the home is followed again."""
    match what:
        case "change" | "unheard change" if name in far_home.states:
            state = "off" if far_home.states[name]["s"] == "on" else "on"
            far_home.change(name, state, told=what == "change")
            return
        case "come or go":
            if far_home.states.pop(name, None) is None:
                far_home.states[name] = {"s": "on", "lc": 5.0}
            return
        case "change" | "unheard change":
            return
        case "restart":
            far_home.fire("call_service", domain="homeassistant", service="restart")
            far_home.phase = "STARTING"
        case "down":
            far_home.refuses = NotConnectedError("nobody there")
        case "refused":
            far_home.refuses = AuthFailedError()
    tries = link.attempts
    far_home.ends[-1].end(1000 if what in {"goodbye", "restart"} else 1006)
    while link.attempts < tries + 2 and (far_home.refuses or link.attempts == tries):  # noqa: ASYNC110 - attempts are counted
        await asyncio.sleep(0)
    far_home.refuses, far_home.phase = None, "RUNNING"
    await reached(link.life, Phase.LIVE)


async def live_through(happenings: list[tuple[str, str]]) -> None:
    far_home = FarHome(*NAMES)
    link = HomeLink(
        Access("http://home.test"), Mirror("home_1"), limits=AT_ONCE, chance=Random(1), opener=far_home.open
    )
    await link.start()
    await link.settled()
    witness, losses = Witness(link.mirror), 0
    for what, name in happenings:
        await happen(what, name, far_home, link)
        losses += what in {"cut", "goodbye", "restart", "down", "refused"}
    await happen("cut", NAMES[0], far_home, link)
    assert witness.states == {name: state["s"] for name, state in far_home.states.items()}
    assert witness.states == {name: state.state for name, state in link.mirror.states.items()}
    assert len(link.mirror.gaps) == link.reconnects == losses + 1
    assert all(gap.start <= gap.end for gap in link.mirror.gaps)
    await link.close()
    assert asyncio.all_tasks() == {asyncio.current_task()}


@settings(deadline=None, max_examples=60)
@given(HAPPENINGS)
def test_whoever_saw_the_home_once_and_heard_every_change_since_knows_it(happenings: list[tuple[str, str]]):
    asyncio.run(live_through(happenings))
