"""What led to what: chains from any of their ends, as sure as the evidence and no surer."""

import pytest

from homesteward.chronicle.chains import BadChainError, Direction, NothingThereError, Start, direction_of
from homesteward.chronicle.graph import Certainty, Evidence, Graph
from homesteward.chronicle.query import Query
from homesteward.chronicle.record import Kind, Source
from homesteward.core.errors import HomestewardError
from homesteward.home.recorder.traces import RunKey, Trace, TraceStep, TraceSummary
from pasts import ANNA, acted, after, called, change, context, ran

MOTION = context(after(0), "motion")
RUN = context(after(0.1), "run", MOTION)
LIGHTS = ("light.hall", "light.kitchen", "light.porch")


def story(graph: Graph) -> list[str]:
    return [row.subject for row in graph.story]


def link_to(graph: Graph, subject: str, kind: Kind = Kind.STATE):
    row = next(row for row in graph.rows if row.subject == subject and row.kind is kind)
    return graph.causes(row.ref)[0]


async def _motion_script_lights(past) -> None:
    await past.tell(
        change(after(0), "binary_sensor.hall", "off", "on", MOTION),
        ran(after(0.1), "automation.hall_motion", RUN, "state of binary_sensor.hall", run_id="r1"),
        change(after(0.11), "automation.hall_motion", "on", "on", RUN, {"current": 1}),
        called(after(0.12), "script.evening", RUN),
        ran(after(0.13), "script.evening", RUN, run_id="r2"),
        change(after(0.14), "script.evening", "off", "on", RUN),
        called(after(0.15), "light.turn_on", RUN, *LIGHTS),
        *(change(after(0.2), light, "off", "on", RUN) for light in LIGHTS),
        change(after(0.3), "script.evening", "on", "off", RUN),
        change(after(0.31), "automation.hall_motion", "on", "on", RUN, {"current": 0}),
    )


async def test_from_any_id_the_same_chain_comes_in_the_order_of_its_causes(past):
    await _motion_script_lights(past)
    rows = (await past.history.rows(Query())).rows

    starts = [MOTION.id, RUN.id, *(row.ref for row in rows)]
    graphs = [await past.history.chain(Start(start)) for start in starts]

    bare = [
        [s for s in story(graph) if s in {"binary_sensor.hall", "automation.hall_motion", "script.evening", *LIGHTS}]
        for graph in graphs
    ]
    assert all(
        list(dict.fromkeys(each)) == ["binary_sensor.hall", "automation.hall_motion", "script.evening", *LIGHTS]
        for each in bare
    )
    assert story(graphs[0]) == ["binary_sensor.hall", "automation.hall_motion", "script.evening", *LIGHTS]
    assert all(graph.complete for graph in graphs)


async def test_door_automation_and_light_come_back_in_order_from_any_of_three_contexts(past):
    door, run = context(after(0), "door"), context(after(0.1), "run", context(after(0), "door"))
    light = context(after(0.2), "light", run)
    await past.tell(
        change(after(0), "binary_sensor.door", "off", "on", door),
        ran(after(0.1), "automation.hall_motion", run, "state of binary_sensor.door"),
        change(after(0.2), "light.hall", "off", "on", light),
    )

    graphs = [await past.history.chain(Start(each.id)) for each in (door, run, light)]

    assert [story(graph) for graph in graphs] == [["binary_sensor.door", "automation.hall_motion", "light.hall"]] * 3


async def test_four_lights_of_one_millisecond_are_four(past):
    lights = [*LIGHTS, "light.more"]
    of = context(after(0), "anna", user=ANNA)
    await past.tell(
        called(after(0), "light.turn_on", of, *lights), *(change(after(0), each, "off", "on", of) for each in lights)
    )

    graph = await past.history.chain(Start(of.id))

    assert sorted(row.subject for row in graph.rows if row.kind is Kind.STATE) == sorted(lights)


async def test_each_direction_goes_its_own_way(past):
    other = context(after(0.2), "other", MOTION)
    await _motion_script_lights(past)
    await past.tell(ran(after(0.2), "automation.echo", other, "state of binary_sensor.hall"))

    found = {way: story(await past.history.chain(Start(RUN.id, way))) for way in Direction}

    assert "binary_sensor.hall" in found[Direction.BACKWARD]
    assert "binary_sensor.hall" not in found[Direction.FORWARD]
    assert "automation.echo" not in found[Direction.BOTH]
    assert {"automation.hall_motion", "automation.echo"} <= set(found[Direction.SIBLINGS])


async def test_a_depth_that_ends_before_the_chain_says_so(past):
    of = [context(after(0), "c0")]
    for n in range(1, 7):
        of.append(context(after(n), f"c{n}", of[-1]))
    await past.tell(*(ran(after(n), "automation.echo", each) for n, each in enumerate(of)))

    up = await past.history.chain(Start(of[6].id, Direction.BACKWARD, 3))
    down = await past.history.chain(Start(of[0].id, Direction.FORWARD, 3))
    whole = await past.history.chain(Start(of[3].id, Direction.BOTH, 3))

    assert [(len(graph.rows), graph.deeper, graph.complete) for graph in (up, down, whole)] == [
        (4, True, False), (4, True, False), (7, False, True),
    ]  # fmt: skip


async def test_more_rows_than_a_graph_holds_are_cut_and_said(past):
    await past.tell(
        ran(after(0), "automation.hall_motion", RUN),
        *(change(after(n / 100), "light.hall", "off", str(n), RUN) for n in range(1, 600)),
    )

    graph = await past.history.chain(Start(RUN.id))

    assert graph.truncated
    assert len(graph.rows) == 501
    assert not graph.complete


async def test_contexts_that_name_each_other_as_parent_end(past):
    """E34: two contexts that name each other as parent."""
    one = context(after(0), "one", context(after(1), "two"))
    two = context(after(1), "two", one)
    await past.tell(ran(after(0), "automation.echo", one), ran(after(1), "automation.dusk", two))

    graph = await past.history.chain(Start(one.id))

    assert sorted(story(graph)) == ["automation.dusk", "automation.echo"]


async def test_a_parent_that_was_never_seen_is_an_unknown_origin(past):
    """E34: a parent id that was never seen."""
    never = context(after(-5), "never")
    of = context(after(0), "run", never)
    await past.tell(ran(after(0), "automation.echo", of, "event 'x'"))

    graph = await past.history.chain(Start(of.id))

    assert graph.unknown == (never.id,)
    assert not graph.complete


async def test_a_context_used_by_one_change_alone_is_found_as_a_parent(past):
    await _motion_script_lights(past)

    graph = await past.history.chain(Start(RUN.id, Direction.BACKWARD))

    assert story(graph)[0] == "binary_sensor.hall"
    assert link_to(graph, "automation.hall_motion", Kind.AUTOMATION).evidence == (Evidence.CONTEXT, Evidence.TRIGGER)


async def test_a_change_that_the_call_does_is_certain(past):
    await _motion_script_lights(past)

    graph = await past.history.chain(Start(RUN.id))

    assert link_to(graph, "light.hall").certainty is Certainty.CERTAIN
    assert link_to(graph, "light.hall").evidence == (Evidence.CONTEXT, Evidence.EFFECT)


async def test_a_change_that_the_call_cannot_have_made_is_told_as_contradicted(past):
    of = context(after(0), "anna", user=ANNA)
    await past.tell(
        called(after(0), "light.turn_on", of, "light.hall"),
        change(after(0.1), "light.hall", "off", "on", of),
        change(after(3), "light.hall", "on", "off", of),
    )

    graph = await past.history.chain(Start(of.id))

    off = graph.rows[-1]
    assert graph.causes(off.ref)[0].certainty is Certainty.UNKNOWN
    assert Evidence.CONTRADICTED in graph.causes(off.ref)[0].evidence
    assert not graph.complete


async def test_a_cover_that_arrives_long_after_the_call_is_likely_its_doing(past):
    of = context(after(0), "anna", user=ANNA)
    await past.tell(
        called(after(0), "cover.open_cover", of, "cover.blinds"),
        change(after(0.1), "cover.blinds", "closed", "opening", of),
        change(after(15), "cover.blinds", "opening", "open", None, {"current_position": 100}),
    )

    back = await past.history.chain(Start((await _newest(past)).ref))
    onward = await past.history.chain(Start(of.id, Direction.FORWARD))

    for graph in (back, onward):
        link = graph.causes(graph.rows[-1].ref)[0]
        assert (link.certainty, link.evidence) == (Certainty.LIKELY, (Evidence.WINDOW, Evidence.EFFECT))
        assert story(graph)[-1] == "cover.blinds"


async def _newest(past):
    return (await past.history.rows(Query())).rows[0]


async def test_a_cover_that_somebody_moved_by_hand_goes_on_from_opening_to_open(past):
    await past.tell(
        change(after(0), "cover.blinds", "closed", "opening"),
        change(after(15), "cover.blinds", "opening", "open"),
    )

    graph = await past.history.chain(Start((await _newest(past)).ref))

    assert [row.record.new for row in graph.rows] == ["opening", "open"]
    assert graph.links[0].evidence == (Evidence.GOES_ON,)


async def test_what_came_later_than_a_call_can_take_is_not_its_doing(past):
    of = context(after(0), "anna", user=ANNA)
    await past.tell(
        called(after(0), "light.turn_on", of, "light.hall"),
        change(after(0.1), "light.hall", "off", "on", of),
        change(after(6), "light.hall", "on", "off"),
        change(after(30), "light.hall", "off", "on"),
    )

    graph = await past.history.chain(Start((await _newest(past)).ref))

    assert len(graph.rows) == 1
    assert not graph.links


async def test_an_act_of_ours_stands_before_what_it_did(past):
    of = context(after(0), "ours", user=ANNA)
    await past.tell(
        called(after(0), "light.turn_on", of, "light.kitchen"),
        change(after(0.1), "light.kitchen", "off", "on", of),
        acted(after(0.05), "light.turn_on", of, "light.kitchen"),
    )

    graph = await past.history.chain(Start(of.id))

    assert [row.kind for row in graph.story] == [Kind.ACT, Kind.STATE]
    assert graph.complete


async def test_an_act_whose_answer_was_lost_is_the_likely_cause_of_what_its_step_window_saw(past):
    await past.tell(
        acted(after(0), "light.turn_on", None, "light.kitchen", seconds=4, outcome="uncertain"),
        change(after(2), "light.kitchen", "off", "on"),
    )

    graph = await past.history.chain(Start((await _newest(past)).ref))

    assert [row.kind for row in graph.story] == [Kind.ACT, Kind.STATE]
    assert graph.links[0].evidence == (Evidence.STEP, Evidence.EFFECT)
    assert graph.links[0].certainty is Certainty.LIKELY


async def test_a_row_read_afterwards_is_alone_and_its_cause_is_not_made_up(past):
    await past.tell(change(after(0), "light.hall", "off", "on", source=Source.BACKFILL))

    graph = await past.history.chain(Start((await _newest(past)).ref))

    assert (len(graph.rows), graph.links) == (1, ())


@pytest.mark.parametrize("text", ["sideways", "", "both ways"])
def test_a_bad_direction_is_an_error_that_names_the_good_ones(text):
    with pytest.raises(BadChainError) as caught:
        direction_of(text)

    assert "backward" in caught.value.next


@pytest.mark.parametrize("depth", [0, 21])
def test_a_depth_has_bounds(depth):
    with pytest.raises(BadChainError):
        Start("x", depth=depth)


@pytest.mark.parametrize(
    "start", ["01ARZ3NDEKTSV4RRFFQ69G5FAV", "nonsense", "", "1-1", "99999999999999999-1", "a" * 1000]
)
async def test_a_start_that_nothing_carries_is_an_error(past, start):
    await _motion_script_lights(past)

    with pytest.raises(NothingThereError):
        await past.history.chain(Start(start))


async def test_what_somebody_does_not_see_is_not_in_the_chain_and_not_a_start(past):
    await _motion_script_lights(past)
    only = {"light.hall"}.__contains__

    graph = await past.history.chain(Start(RUN.id), only)

    assert {row.subject for row in graph.rows} == {"light.hall", "light.turn_on"}
    assert "binary_sensor" not in repr(graph)
    assert "script" not in repr(graph)
    assert not graph.complete
    with pytest.raises(NothingThereError):
        await past.history.chain(Start(MOTION.id, Direction.BACKWARD), only)


class _Traces:
    def __init__(self, *traces: Trace) -> None:
        self.traces = {trace.summary.key: trace for trace in traces}

    async def trace(self, key: RunKey) -> Trace:
        if key not in self.traces:
            raise HomestewardError("gone")
        return self.traces[key]


async def test_a_trace_says_which_step_of_an_automation_started_the_script(past):
    key, child = RunKey("automation", "hall_motion", "r1"), RunKey("script", "evening", "r2")
    step = TraceStep("action/0/choose/1/sequence/0", after(0.12), child=child)
    past.history._traces = _Traces(
        Trace(TraceSummary(key, after(0.1), None, "finished"), RUN.id, MOTION.id, None, (step,))
    )
    await _motion_script_lights(past)

    graph = await past.history.chain(Start(RUN.id))

    link = link_to(graph, "script.evening", Kind.SCRIPT)
    assert (link.certainty, Evidence.TRACE in link.evidence, link.note) == (Certainty.CERTAIN, True, step.path)


async def test_the_members_of_a_group_hang_on_the_call_to_the_group(past):
    of = context(after(0), "anna", user=ANNA)
    await past.tell(
        called(after(0), "homeassistant.turn_on", of, "light.hall"),
        called(after(0.01), "light.turn_on", of, "light.hall"),
        change(after(0.1), "light.hall", "off", "on", of),
    )

    graph = await past.history.chain(Start(of.id))

    assert [row.subject for row in graph.path(graph.rows[-1].ref)] == [
        "homeassistant.turn_on",
        "light.turn_on",
        "light.hall",
    ]
    assert story(graph) == ["homeassistant.turn_on", "light.hall"]
