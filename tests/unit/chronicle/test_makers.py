"""Which run made a call: by its traces, else by what can have made it, and never surer than that."""

from homesteward.chronicle.chains import Start
from homesteward.chronicle.graph import Certainty, Graph
from homesteward.chronicle.record import Kind
from homesteward.home.recorder.traces import RunKey, Trace, TraceStep, TraceSummary
from pasts import ANNA, after, called, change, context, ran
from unit.chronicle.test_chains import MOTION, RUN, _Traces, link_to


def started(graph: Graph, effect: str, kind: Kind = Kind.SCRIPT) -> list[tuple[str, Certainty]]:
    """Return what each run of `effect` is linked to, and how surely."""
    return [
        (graph.by_ref[link.cause].subject, link.certainty)
        for row in graph.rows
        if row.subject == effect and row.kind is kind
        for link in graph.causes(row.ref)
    ]


async def _nested(past) -> None:
    """A motion, an automation, a script, a script in it, a scene in that, and what the scene does; only the automation has a context."""
    await past.tell(
        change(after(0), "binary_sensor.hall", "off", "on", MOTION),
        ran(after(0.1), "automation.hall_motion", RUN, "state of binary_sensor.hall", run_id="r1"),
        called(after(0.12), "script.arrive", RUN),
        ran(after(0.13), "script.arrive", RUN, run_id="r2"),
        called(after(0.14), "script.turn_on", RUN, "script.evening"),
        ran(after(0.15), "script.evening", RUN, run_id="r3"),
        called(after(0.16), "scene.turn_on", RUN, "scene.cosy"),
        ran(after(0.17), "scene.cosy", RUN),
        called(after(0.18), "light.turn_on", RUN, "light.hall"),
        change(after(0.2), "light.hall", "off", "on", RUN),
    )


def _trace(domain: str, item: str, run: str, *steps: TraceStep, finished: bool = True) -> Trace:
    end = after(1) if finished else None
    return Trace(TraceSummary(RunKey(domain, item, run), after(0.1), end, "finished"), RUN.id, MOTION.id, None, steps)


async def test_a_script_in_a_script_hangs_on_the_one_that_called_it_and_only_likely_without_a_trace(past):
    await _nested(past)

    graph = await past.history.chain(Start(RUN.id))

    assert started(graph, "script.arrive") == [("automation.hall_motion", Certainty.CERTAIN)]
    assert started(graph, "script.evening") == [("script.arrive", Certainty.LIKELY)]
    assert started(graph, "scene.cosy", Kind.SCENE) == [("script.evening", Certainty.LIKELY)]
    assert [row.subject for row in graph.path(graph.rows[-1].ref) if row.kind is not Kind.CALL][1:-2] == [
        "automation.hall_motion",
        "script.arrive",
        "script.evening",
    ]


async def test_traces_make_every_step_of_nested_scripts_certain(past):
    arrive, evening = RunKey("script", "arrive", "r2"), RunKey("script", "evening", "r3")
    past.history._traces = _Traces(
        _trace("automation", "hall_motion", "r1", TraceStep("action/0", after(0.12), "script.arrive", child=arrive)),
        _trace("script", "arrive", "r2", TraceStep("sequence/0", after(0.14), "script.turn_on", child=evening)),
        _trace("script", "evening", "r3", TraceStep("sequence/0", after(0.16), "scene.turn_on")),
    )
    await _nested(past)

    graph = await past.history.chain(Start(RUN.id))

    assert started(graph, "script.arrive") == [("automation.hall_motion", Certainty.CERTAIN)]
    assert started(graph, "script.evening") == [("script.arrive", Certainty.CERTAIN)]
    assert started(graph, "scene.cosy", Kind.SCENE) == [("script.evening", Certainty.CERTAIN)]


async def test_the_sentence_names_every_script_between_an_automation_and_a_light(past):
    await _nested(past)

    why = await past.history.why("light.hall")

    assert "started by the script script.arrive, started by the automation Hall motion" in why.text
    assert "script Evening" in why.text


async def test_after_a_script_has_ended_its_automation_is_the_only_one_that_can_have_called(past):
    await past.tell(
        ran(after(0.1), "automation.hall_motion", RUN),
        called(after(0.12), "script.evening", RUN),
        ran(after(0.13), "script.evening", RUN),
        change(after(0.14), "script.evening", "off", "on", RUN),
        change(after(0.3), "script.evening", "on", "off", RUN),
        called(after(0.4), "script.arrive", RUN),
        ran(after(0.41), "script.arrive", RUN),
    )

    graph = await past.history.chain(Start(RUN.id))

    assert started(graph, "script.arrive") == [("automation.hall_motion", Certainty.CERTAIN)]


async def test_scripts_in_parallel_are_never_certain_to_have_made_a_call(past):
    await past.tell(
        ran(after(0.1), "automation.hall_motion", RUN),
        called(after(0.12), "script.turn_on", RUN, "script.evening"),
        called(after(0.12), "script.turn_on", RUN, "script.arrive"),
        ran(after(0.13), "script.evening", RUN),
        ran(after(0.13), "script.arrive", RUN),
        called(after(0.2), "script.third", RUN),
        ran(after(0.21), "script.third", RUN),
        called(after(0.3), "light.turn_on", RUN, "light.hall"),
    )

    graph = await past.history.chain(Start(RUN.id))

    assert started(graph, "script.evening") == [("automation.hall_motion", Certainty.CERTAIN)]
    assert started(graph, "script.arrive") == [("automation.hall_motion", Certainty.CERTAIN)]
    assert [certainty for _, certainty in started(graph, "script.third")] == [Certainty.LIKELY]
    assert link_to(graph, "light.turn_on", Kind.CALL).certainty is Certainty.LIKELY


async def test_traces_of_two_runs_that_both_made_such_a_call_leave_it_likely(past):
    step = TraceStep("sequence/0", after(0.2), "light.turn_on")
    past.history._traces = _Traces(_trace("script", "evening", "r2", step), _trace("script", "arrive", "r3", step))
    await past.tell(
        ran(after(0.1), "automation.hall_motion", RUN, run_id="r1"),
        ran(after(0.13), "script.evening", RUN, run_id="r2"),
        ran(after(0.13), "script.arrive", RUN, run_id="r3"),
        called(after(0.2), "light.turn_on", RUN, "light.hall"),
    )

    graph = await past.history.chain(Start(RUN.id))

    assert link_to(graph, "light.turn_on", Kind.CALL).certainty is Certainty.LIKELY


async def test_a_script_that_somebody_starts_hangs_on_the_call_and_what_is_called_in_it_on_the_script(past):
    of = context(after(0), "anna", user=ANNA)
    await past.tell(
        called(after(0), "homeassistant.turn_on", of, "script.evening"),
        called(after(0.01), "script.turn_on", of, "script.evening"),
        ran(after(0.02), "script.evening", of),
        called(after(0.03), "script.arrive", of),
        ran(after(0.04), "script.arrive", of),
    )

    graph = await past.history.chain(Start(of.id))

    assert [row.subject for row in graph.path(graph.rows[-1].ref)] == [
        "homeassistant.turn_on",
        "script.evening",
        "script.arrive",
    ]
    assert started(graph, "script.arrive") == [("script.evening", Certainty.CERTAIN)]


async def test_a_call_that_turns_a_script_off_did_not_start_it(past):
    await past.tell(
        ran(after(0.1), "automation.hall_motion", RUN),
        called(after(0.11), "script.turn_off", RUN, "script.evening"),
        called(after(0.12), "script.evening", RUN),
        ran(after(0.13), "script.evening", RUN),
    )

    graph = await past.history.chain(Start(RUN.id))

    assert started(graph, "script.evening") == [("automation.hall_motion", Certainty.CERTAIN)]


async def test_an_automation_that_was_triggered_by_a_call_hangs_on_that_call(past):
    inner = context(after(0.2), "inner", RUN)
    await past.tell(
        ran(after(0.1), "automation.hall_motion", RUN),
        called(after(0.15), "light.turn_on", RUN, "light.porch"),
        called(after(0.19), "automation.trigger", RUN, "automation.echo"),
        ran(after(0.2), "automation.echo", inner),
    )

    graph = await past.history.chain(Start(inner.id))

    assert started(graph, "automation.echo", Kind.AUTOMATION) == [("automation.trigger", Certainty.CERTAIN)]
