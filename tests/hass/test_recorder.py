"""What a real Home Assistant remembers: three weeks of a life, of which its recorder has purged all states but the last three days."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import aiohttp
import pytest

from hass.raw import RawError, RawSocket, raw_socket
from homesteward.demo import DemoHome
from homesteward.home.connection import Connection
from homesteward.home.errors import (
    BadWindowError,
    NotCountedError,
    NothingRecordedError,
    UnknownEntityError,
    UnknownRunError,
)
from homesteward.home.mirror import Mirror
from homesteward.home.recorder import Flow, Meter, Period, Recorder, RunKey, in_steps, steps
from homesteward.people import SYSTEM
from homesteward.tools import ToolContext, standard_tools

pytestmark = [pytest.mark.hass, pytest.mark.timeout(120)]

CHARGER, METER, OUTSIDE = "sensor.car_charger_energy", "sensor.electricity_energy", "sensor.outdoor_temperature"
RAIN = "sensor.outdoor_rain"  # begins anew every day
HEAT_PUMP, PER_HOUR = "sensor.heat_pump_energy", 0.75  # gone since, but for its statistics; it was reset ten days ago
KEPT_DAYS = 3
HOUR = timedelta(hours=1)


@pytest.fixture(scope="module")
async def purged_home(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[DemoHome]:
    """The furnished house after three weeks of life, its recorder purged to the last three days."""
    home = await DemoHome.start(tmp_path_factory.mktemp("purged-home"), past=timedelta(days=21))
    try:
        async with raw_socket(home.address.url, home.address.token) as socket:
            await import_heat_pump(socket)
            await socket.call("recorder", "purge", keep_days=KEPT_DAYS)
            async with asyncio.timeout(60):
                while await first_state(socket) < datetime.now(UTC) - timedelta(days=KEPT_DAYS, hours=1):
                    await recorded(socket)  # one slice of the purge has been done
        yield home
    finally:
        await home.stop()


@pytest.fixture
async def raw(purged_home: DemoHome) -> AsyncIterator[RawSocket]:
    async with raw_socket(purged_home.address.url, purged_home.address.token) as socket:
        yield socket


@pytest.fixture
async def recorder(purged_home: DemoHome) -> AsyncIterator[Recorder]:
    connection = await Connection.open(purged_home.address.url, purged_home.address.token)
    try:
        yield Recorder(connection)
    finally:
        await connection.close()


@pytest.mark.parametrize("meter", [CHARGER, METER, RAIN, HEAT_PUMP])
@pytest.mark.parametrize("days", [2, 20, 50])
async def test_a_total_over_purge_and_resets_is_the_sum_of_the_changes(recorder: Recorder, raw: RawSocket, meter, days):
    """Acceptance 17: the number is the statistics' own, not the reading at the end less that at the beginning."""
    until = full_hour(datetime.now(UTC))
    since = until - timedelta(days=days)

    total = await recorder.total(meter, since, until)

    hours = await hours_of(raw, meter, since, until)
    assert total.value == pytest.approx(sum(row["change"] for row in hours), rel=0.001)
    assert (total.unit, total.exact) == ("mm" if meter == RAIN else "kWh", True)


async def test_a_meter_that_was_reset_is_not_told_by_its_readings(recorder: Recorder, raw: RawSocket):
    until = full_hour(datetime.now(UTC))
    since = until - timedelta(days=50)
    readings = [row["state"] for row in await hours_of(raw, HEAT_PUMP, since, until)]

    total = await recorder.total(HEAT_PUMP, since, until)

    assert any(after < before for before, after in pairwise(readings))
    assert total.value == pytest.approx(50 * 24 * PER_HOUR)
    assert abs(max(readings) - min(readings) - total.value) > 100
    assert abs(readings[-1] - readings[0] - total.value) > 100


async def test_a_model_that_asks_for_the_energy_is_told_the_same_number(purged_home: DemoHome, raw: RawSocket):
    """Acceptance 17, through the tool that a model has."""
    connection = await Connection.open(purged_home.address.url, purged_home.address.token)
    mirror = await Mirror.start(connection)
    tools = standard_tools(mirror, None, recorder=Recorder(connection))
    until = full_hour(datetime.now(UTC))
    since = until - timedelta(days=20)
    arguments = {"entity": METER, "mode": "total", "since": since.isoformat(), "until": until.isoformat()}
    try:
        result = await tools.call("get_history", arguments, ToolContext(SYSTEM, "how much power in three weeks?"))
        nothing = await tools.call(
            "get_history", {**arguments, "since": "2020-01-01", "until": "2020-02-01"}, ToolContext(SYSTEM, "")
        )
    finally:
        await mirror.close()
        await connection.close()

    hours = await hours_of(raw, METER, since, until)
    assert result.data["total"] == pytest.approx(sum(row["change"] for row in hours), rel=0.001)
    assert (result.data["unit"], result.data["exact"]) == ("kWh", True)
    assert (nothing.ok, nothing.error.code) == (False, "nothing_recorded")


async def test_a_part_of_an_hour_whose_states_are_gone_is_left_out_and_said(recorder: Recorder):
    until = full_hour(datetime.now(UTC)) - timedelta(days=10)
    whole = await recorder.total(METER, until - 6 * HOUR, until)

    part = await recorder.total(METER, until - 6 * HOUR + timedelta(minutes=20), until)

    (gap,) = part.gaps
    assert (gap.since, gap.until) == (part.window.since, until - 5 * HOUR)
    assert part.value + (gap.up_to or 0) == pytest.approx(whole.value)


async def test_part_of_an_hour_before_the_purge_alone_is_not_made_up(recorder: Recorder):
    since = full_hour(datetime.now(UTC)) - timedelta(days=10)
    with pytest.raises(NothingRecordedError) as told:
        await recorder.total(METER, since + timedelta(minutes=10), since + timedelta(minutes=50))
    assert "The hour around it counted" in told.value.message


async def test_minutes_of_today_are_counted_by_states_through_a_reset(recorder: Recorder, raw: RawSocket):
    await read(raw, METER, "10240.0")
    since = datetime.now(UTC)
    await read(raw, METER, "10241.5")
    await raw.call("button", "press", "button.electricity_meter_reset")
    await read(raw, METER, "0.25")
    await recorded(raw)

    total = await recorder.total(METER, since, datetime.now(UTC))

    assert total.value == pytest.approx(1.75)
    assert (total.exact, total.sources) == (True, ("states",))


async def test_no_data_is_said_and_nothing_is_invented(recorder: Recorder):
    long_ago = datetime.now(UTC) - timedelta(days=900)
    for meter in (METER, "sensor.never_was_there"):
        with pytest.raises(NothingRecordedError) as told:
            await recorder.total(meter, long_ago, long_ago + timedelta(days=30))
        assert meter in told.value.message
    with pytest.raises(NothingRecordedError):
        await recorder.series(OUTSIDE, long_ago, long_ago + timedelta(days=1))


async def test_a_thermometer_has_no_total_and_the_future_no_history(recorder: Recorder):
    now = datetime.now(UTC)
    with pytest.raises(NotCountedError):
        await recorder.total(OUTSIDE, now - HOUR, now)
    with pytest.raises(BadWindowError, match="has not come yet"):
        await recorder.series(OUTSIDE, now + HOUR, now + 2 * HOUR)


async def test_a_series_is_states_after_the_purge_and_hours_before_it(recorder: Recorder, raw: RawSocket):
    until = datetime.now(UTC)
    since = until - timedelta(days=12)

    series = await recorder.series(OUTSIDE, since, until)

    oldest = await first_state(raw)
    assert series.states_from is not None
    assert series.states_from == series.rows[-1].end == full_hour(oldest) + HOUR
    assert series.readings[0].at == series.states_from
    assert all(later.start >= earlier.end for earlier, later in pairwise(series.rows))
    assert series.rows[0].start == full_hour(since)
    assert series.unit == "°C"


async def test_a_series_in_days_agrees_with_home_assistants_own_days(recorder: Recorder, raw: RawSocket):
    zone = ZoneInfo((await raw.ask("get_config"))["time_zone"])
    today = datetime.now(zone).replace(hour=0, minute=0, second=0, microsecond=0)
    since = today - timedelta(days=10)
    own = await raw.ask(
        "recorder/statistics_during_period",
        start_time=since.isoformat(), end_time=(today - HOUR).isoformat(), statistic_ids=[OUTSIDE, CHARGER], period="day",
    )  # fmt: skip

    warmth = await recorder.series(OUTSIDE, since, today)
    energy = await recorder.series(CHARGER, since, today)

    days = in_steps(warmth, steps(warmth.window, zone, 12))
    assert [day.mean for day in days] == pytest.approx([row["mean"] for row in own[OUTSIDE]], abs=0.1)
    assert [day.max for day in days] == pytest.approx([row["max"] for row in own[OUTSIDE]])
    counted = in_steps(energy, steps(energy.window, zone, 12))
    assert sum(day.change or 0 for day in counted) == pytest.approx(sum(row["change"] for row in own[CHARGER]))


async def test_history_is_what_home_assistant_answers_at_once(recorder: Recorder, raw: RawSocket):
    until = datetime.now(UTC)
    since = until - timedelta(days=KEPT_DAYS - 1)
    things = ["light.kitchen_ceiling_light", OUTSIDE, "climate.living_room", "person.robin"]
    whole = await raw.ask(
        "history/history_during_period",
        start_time=since.isoformat(), end_time=until.isoformat(), entity_ids=things, significant_changes_only=False,
    )  # fmt: skip

    found = await recorder.history([*things, "light.nobody_has"], since, until)

    assert not found["light.nobody_has"].states
    assert found["light.nobody_has"].known_from is None
    for entity_id in things:
        past = found[entity_id]
        assert [state.state for state in past.states] == [row["s"] for row in whole[entity_id]]
        assert [state.attributes for state in past.states] == [row["a"] for row in whole[entity_id]]
        assert past.known_from == since


async def test_what_cannot_be_an_entity_is_said(recorder: Recorder):
    now = datetime.now(UTC)
    with pytest.raises(UnknownEntityError, match="the hall light"):
        await recorder.history(["the hall light"], now - HOUR, now)


async def test_statistics_come_in_five_minutes_too(recorder: Recorder):
    until = datetime.now(UTC)
    rows = (await recorder.statistics([OUTSIDE], until - 3 * HOUR, until, Period.FIVE_MINUTES))[OUTSIDE]
    measures = await recorder.measures([OUTSIDE, METER, "sensor.nonsense"])
    assert len(rows) > 30
    assert all(row.end - row.start == timedelta(minutes=5) for row in rows)
    assert {name: (measure.unit, measure.counts) for name, measure in measures.items()} == {
        OUTSIDE: ("°C", False),
        METER: ("kWh", True),
    }


async def test_the_energy_dashboard_names_its_meters(recorder: Recorder, raw: RawSocket):
    assert await recorder.meters() == ()
    grid = {"type": "grid", "stat_energy_from": METER, "stat_energy_to": None, "cost_adjustment_day": 0}
    prices = dict.fromkeys(("stat_cost", "entity_energy_price", "number_energy_price", "stat_compensation"))
    exports = dict.fromkeys(("entity_energy_price_export", "number_energy_price_export"))
    charger = {"stat_consumption": CHARGER, "name": "Car", "included_in_stat": METER}
    await raw.ask("energy/save_prefs", energy_sources=[grid | prices | exports], device_consumption=[charger])

    assert await recorder.meters() == (
        Meter(METER, Flow.FROM_GRID),
        Meter(CHARGER, Flow.DEVICE, "Car", METER),
    )


async def test_a_trace_leads_from_an_automation_to_the_scripts_it_started(recorder: Recorder, raw: RawSocket):
    began = datetime.now(UTC)
    await raw.call("input_button", "press", "input_button.arrival")
    await recorded(raw)

    (run,) = await recorder.traces("automation", "arrival_button")
    trace = await recorder.trace(run.key)
    inner = await recorder.trace(trace.children[0])

    assert run.trigger == "state of input_button.arrival"
    assert trace.trigger_entity_id == "input_button.arrival"
    assert [child.item_id for child in trace.children] == ["arrive"]
    assert [child.item_id for child in inner.children] == ["coming_home"]
    assert inner.context_id == trace.context_id
    entries = await recorder.logbook(began, datetime.now(UTC) + HOUR)
    told = next(entry for entry in entries if entry.run_id == run.key.run_id)
    assert (told.entity_id, told.context_id) == ("automation.arrival_button", trace.context_id)
    calls = await recorder.action_calls(began, datetime.now(UTC) + HOUR)
    assert ("script", "arrive", trace.context_id) in {(call.domain, call.service, call.context_id) for call in calls}


async def test_a_trace_tells_which_branch_was_taken(recorder: Recorder, raw: RawSocket):
    await raw.call("homesteward_demo", "set_state", "binary_sensor.back_door_contact", state="on")
    await raw.call("script", "let_the_dog_out")

    run = (await recorder.traces("script", "let_the_dog_out"))[-1]
    trace = await recorder.trace(run.key)

    assert [step.branch for step in trace.steps if step.branch] == ["default"]
    assert trace.steps[-1].service == "light.turn_on"
    assert not any(step.service == "lock.unlock" for step in trace.steps)


async def test_a_trace_tells_at_which_step_a_script_failed_and_why(
    purged_home: DemoHome, recorder: Recorder, raw: RawSocket
):
    steps = [{"action": "light.turn_on", "target": {"entity_id": "light.porch_light"}}, {"action": "notify.nobody"}]
    async with aiohttp.ClientSession(headers={"Authorization": f"Bearer {purged_home.address.token}"}) as session:
        url = f"{purged_home.address.url}/api/config/script/config/broken"
        assert (await session.post(url, json={"alias": "Broken", "sequence": steps})).ok
    await raw.watch()
    async with asyncio.timeout(20):
        while "script.broken" not in raw.states:
            await raw.watch()  # it is written before it is loaded
    with pytest.raises(RawError):
        await raw.call("script", "broken")

    trace = await recorder.trace((await recorder.traces("script", "broken"))[-1].key)

    assert trace.failed is not None
    assert (trace.failed.path, trace.summary.execution) == ("sequence/1", "error")
    assert "notify.nobody" in trace.failed.error
    assert trace.summary.error == trace.failed.error


async def test_a_run_that_is_not_kept_is_said(recorder: Recorder):
    with pytest.raises(UnknownRunError):
        await recorder.trace(RunKey("automation", "arrival_button", "00000000000000000000000000000000"))


async def import_heat_pump(socket: RawSocket) -> None:
    """Give the home sixty days of a meter that showed some 5,000 kWh when it was reset to nothing, ten days ago."""
    until = full_hour(datetime.now(UTC))
    rows, reading, total = [], 4000.0, 0.0
    for hour in range(60 * 24, 0, -1):
        reading = PER_HOUR if hour == 10 * 24 else reading + PER_HOUR
        total += PER_HOUR
        rows.append({"start": (until - hour * HOUR).isoformat(), "state": reading, "sum": total})
    metadata = {
        "statistic_id": HEAT_PUMP, "source": "recorder", "name": None, "has_sum": True,
        "mean_type": 0, "unit_class": "energy", "unit_of_measurement": "kWh",
    }  # fmt: skip
    await socket.ask("recorder/import_statistics", metadata=metadata, stats=rows)
    await recorded(socket)


def full_hour(at: datetime) -> datetime:
    return at.replace(minute=0, second=0, microsecond=0)


async def recorded(socket: RawSocket) -> None:
    """Return when the recorder has written what happened until now: this command waits for its turn in its queue."""
    await socket.ask("recorder/clear_statistics", statistic_ids=["sensor.gone"])


async def read(socket: RawSocket, meter: str, state: str) -> None:
    await socket.call("homesteward_demo", "set_state", meter, state=state)


async def first_state(socket: RawSocket) -> datetime:
    rows = await socket.ask(
        "history/history_during_period",
        start_time=(datetime.now(UTC) - timedelta(days=60)).isoformat(),
        entity_ids=[OUTSIDE],
        minimal_response=True,
        no_attributes=True,
    )
    return datetime.fromtimestamp(rows[OUTSIDE][0]["lu"], UTC)


async def hours_of(socket: RawSocket, meter: str, since: datetime, until: datetime) -> list[dict[str, float]]:
    found: dict[str, list[dict[str, float]]] = await socket.ask(
        "recorder/statistics_during_period",
        start_time=since.isoformat(), end_time=until.isoformat(), statistic_ids=[meter], period="hour",
    )  # fmt: skip
    return found[meter]


async def test_a_home_that_began_today_knows_what_held_a_moment_ago(demo_home: DemoHome):
    """Its recorder has no past: what is known begins with the home's first start."""
    lamp = "light.kitchen_ceiling_light"
    connection = await Connection.open(demo_home.address.url, demo_home.address.token)
    try:
        async with raw_socket(demo_home.address.url, demo_home.address.token) as socket:
            await socket.call("light", "turn_on", lamp)
            await recorded(socket)
            since = datetime.now(UTC)
            await socket.call("light", "turn_off", lamp)
            await recorded(socket)
        recorder = Recorder(connection)
        now = datetime.now(UTC)
        lately = (await recorder.history([lamp], since, now))[lamp]
        ever = (await recorder.history([lamp], now - timedelta(days=365), now))[lamp]
    finally:
        await connection.close()
    assert [state.state for state in lately.states] == ["on", "off"]
    assert lately.held
    assert not ever.held
    assert ever.known_from is not None
    assert ever.known_from > now - timedelta(hours=1)
