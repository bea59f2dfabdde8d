"""Loops and cascades of automations: found, counted as they were, and told with how it all began."""

import pytest

from homesteward.chronicle.cascades import CascadeKind, clusters
from homesteward.chronicle.query import Query
from homesteward.chronicle.record import Kind
from pasts import ANNA, after, called, change, context, ran


async def test_automations_that_set_each_other_off_are_found(past):
    contexts = [context(after(0), "c0")]
    for n in range(1, 6):
        contexts.append(context(after(n / 10), f"c{n}", contexts[-1]))
    lamps = ("light.hall", "light.porch")
    await past.tell(change(after(0), "light.hall", "off", "on", contexts[0]))
    for n, of in enumerate(contexts[1:], 1):
        automation, lamp = ("automation.echo", "automation.dusk")[n % 2], lamps[n % 2]
        old, new = ("on", "off") if (n // 2) % 2 else ("off", "on")
        await past.tell(
            ran(after(n / 10), automation, of, f"state of {lamps[1 - n % 2]}"),
            called(after(n / 10 + 0.01), f"light.turn_{new}", of, lamp),
            change(after(n / 10 + 0.02), lamp, old, new, of),
        )

    why = await past.history.why("light.porch")

    assert why.cascade is not None
    assert why.cascade.kind is CascadeKind.LOOP
    assert set(why.cascade.entity_ids) == {"automation.echo", "automation.dusk"}
    assert "set each other off" in why.text


async def test_one_trigger_with_four_runs_is_found(past):
    door = context(after(0), "door")
    runs = [context(after(0.08 * n), f"r{n}", door) for n in range(1, 5)]
    names = ("automation.hall_motion", "automation.dusk", "automation.echo", "automation.hall_motion")
    await past.tell(
        change(after(0), "binary_sensor.door", "off", "on", door),
        *(ran(of_at, name, of, "state of binary_sensor.door") for of_at, name, of in zip(
            (after(0.08 * n) for n in range(1, 5)), names, runs, strict=True)),
        called(after(0.33), "light.turn_on", runs[3], "light.hall"),
        change(after(0.34), "light.hall", "off", "on", runs[3]),
    )  # fmt: skip

    why = await past.history.why("light.hall")

    assert why.cascade is not None
    assert (why.cascade.kind, why.cascade.runs, why.cascade.span_ms) == (CascadeKind.BURST, 4, 240)
    assert "One trigger set off 4 runs in 240 ms" in why.text


async def _a_loop(past, rounds: int) -> None:
    """Anna turns on a lamp, and two automations answer each other."""
    lamps = ("light.hall", "light.porch")
    of = context(after(0), "c0", user=ANNA)
    await past.tell(
        called(after(0), "light.turn_on", of, lamps[0]),
        change(after(0.01), lamps[0], "off", "on", of),
        users={ANNA: "Anna"},
    )
    for n in range(1, rounds + 1):
        of = context(after(n / 5), f"c{n}", of)
        automation, lamp = ("automation.echo", "automation.dusk")[n % 2], lamps[n % 2]
        old, new = ("on", "off") if (n // 2) % 2 else ("off", "on")
        await past.tell(
            ran(after(n / 5), automation, of, f"state of {lamps[1 - n % 2]}"),
            called(after(n / 5 + 0.01), f"light.turn_{new}", of, lamp),
            change(after(n / 5 + 0.02), lamp, old, new, of),
        )


@pytest.mark.parametrize("rounds", [5, 15, 16])
async def test_a_loop_is_counted_as_history_has_it_and_whoever_started_it_is_named(past, rounds):
    await _a_loop(past, rounds)

    why = await past.history.why("light.porch")

    assert why.cascade is not None
    assert (why.cascade.runs, why.cascade.span_ms, why.cascade.at_least) == (rounds, (rounds - 1) * 200, False)
    assert f"ran {rounds} times in " in why.text
    assert "Anna" in why.text


async def test_a_loop_too_long_for_one_graph_ran_at_least_so_often_and_still_has_its_beginning(past):
    await _a_loop(past, 60)

    why = await past.history.why("light.porch")

    assert why.cascade is not None
    assert why.cascade.at_least
    assert f"ran at least {why.cascade.runs} times" in why.text
    assert "It all began at 18:02, started by Anna." in why.text
    assert f"liefen mindestens {why.cascade.runs} Mal" in (await past.history.why("light.porch", language="de")).text


async def test_runs_are_worth_following_up_where_they_are_many_or_one_comes_again_soon(past):
    await past.tell(
        *(
            ran(after(at), f"automation.{name}", context(after(at), f"{name}{at}"))
            for at, name in (
                (0, "echo"), (5, "dusk"),  # two at about the same time are nothing yet
                (60, "echo"), (65, "echo"),
                (120, "echo"), (121, "dusk"), (130, "hall_motion"),
            )
        )
    )  # fmt: skip
    rows = (await past.history.rows(Query(kinds=frozenset({Kind.AUTOMATION})))).rows
    found = clusters(rows)
    assert [[row.at for row in each] for each in found] == [
        [after(120), after(121), after(130)],
        [after(60), after(65)],
    ]
