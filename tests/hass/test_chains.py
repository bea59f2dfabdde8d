"""Chains through a real Home Assistant: each script and scene between a button and a lock, in its place, as sure as the traces are."""

import asyncio
from pathlib import Path

import pytest

from hass.raw import raw_socket
from hass.test_chronicle_intake import CLOCK, Remembering, remembered
from hass.test_link import linked
from homesteward.chronicle.chains import Start
from homesteward.chronicle.graph import Certainty, Graph
from homesteward.chronicle.history import History
from homesteward.chronicle.query import Query
from homesteward.chronicle.record import Kind, Run
from homesteward.demo import DemoHome
from homesteward.home.recorder import Recorder

pytestmark = pytest.mark.hass

NESTED = ["automation.arrival_button", "script.arrive", "script.coming_home", "scene.welcome_home"]


def behind_runs(graph: Graph) -> dict[str, tuple[str, Certainty]]:
    """Return what each script and scene is linked to."""
    return {
        row.subject: (graph.by_ref[link.cause].subject, link.certainty)
        for row in graph.rows
        if isinstance(row.record, Run) and row.kind is not Kind.AUTOMATION
        for link in graph.causes(row.ref)
    }


async def pressed(remembering: Remembering, home: DemoHome) -> None:
    """Press the arrival button and wait until the front door has been unlocked and all of it is written down."""
    async with raw_socket(home.address.url, home.address.token) as socket:
        await socket.watch()
        await socket.call("input_button", "press", "input_button.arrival")
        await socket.until("lock.front_door", lambda state: state["state"] == "unlocked")
    await asyncio.sleep(1)  # the scripts around it end, and with that their traces
    await remembering.settled()


@pytest.mark.parametrize("traced", [True, False])
async def test_nested_scripts_are_each_in_their_place_and_certain_only_by_their_traces(
    demo_home: DemoHome, tmp_path: Path, *, traced: bool
):
    async with (
        linked(demo_home.address.url, demo_home.address.token) as link,
        remembered(link, tmp_path) as remembering,
    ):
        await pressed(remembering, demo_home)
        history = History(remembering.database, link.mirror, CLOCK, Recorder(link) if traced else None)
        script, lock = await history.why("script.coming_home"), await history.why("lock.front_door")
        row = (await history.rows(Query(("script.coming_home",), kinds=frozenset({Kind.SCRIPT})))).rows[0]
        graph = await history.chain(Start(row.ref))

    sure = Certainty.CERTAIN if traced else Certainty.LIKELY
    assert behind_runs(graph) == {
        "script.arrive": ("automation.arrival_button", Certainty.CERTAIN),  # nothing else ran yet
        "script.coming_home": ("script.arrive", sure),
        "scene.welcome_home": ("script.coming_home", sure),
    }
    assert "started by the script Arrive, started by the automation Arrival button" in script.text
    assert [step.subject for step in lock.chain if step.subject in NESTED] == NESTED
