"""What is heard of a house becomes records: changes, runs, calls and scenes, each with its context, and none with a secret."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from homes import small_home
from homesteward.chronicle.filter import Filter
from homesteward.chronicle.filter_rules import OwnerRules
from homesteward.chronicle.intake import Intake
from homesteward.chronicle.memory import Logged, Memory
from homesteward.chronicle.record import Call, Context, Kind, Record, Run, Source, StateChange
from homesteward.chronicle.redaction import Redaction
from homesteward.core import FrozenClock
from homesteward.core.redaction import Redactor
from homesteward.home.calls import BodyStep, ResolvedCall, Target
from homesteward.home.calls import Call as AskedCall
from homesteward.home.inventory import Thing
from homesteward.home.model import Area, Floor
from homesteward.home.simulation import SimulatedHome

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


class Listening:
    """A home, an intake on it, and what it has put since."""

    def __init__(self, home: SimulatedHome, clock: FrozenClock) -> None:
        self.home, self.clock = home, clock
        self.records: list[Record] = []
        self.full = False

    def put(self, record: Record) -> bool:
        self.records.append(record)
        return True

    async def start(self, memory: Memory | None = None, rules: OwnerRules | None = None, **rest) -> Intake:
        self.intake = Intake(self.home, self.put, Filter(rules, memory), self.clock, **rest)
        self.undo = await self.intake.start()
        return self.intake

    def since(self) -> list[Record]:
        """Return what was put since this was asked last."""
        new, self.records = self.records, []
        return new


def furnished(*things: Thing, clock: FrozenClock) -> SimulatedHome:
    return SimulatedHome.build(
        [*things],
        areas=[Area("kitchen", "Kitchen", "ground"), Area("hall", "Hall", "ground")],
        floors=[Floor("ground", "Ground")],
        clock=clock,
    )


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock(NOON)


@pytest.fixture
async def listening(clock: FrozenClock) -> Listening:
    """The small home, listened to; what it was found like is put already."""
    made = Listening(small_home(clock), clock)
    await made.start()
    made.since()
    clock.advance(timedelta(minutes=1))
    return made


def call(service: str, *entity_ids: str, **data) -> ResolvedCall:
    domain, _, name = service.partition(".")
    return ResolvedCall(domain, name, entity_ids, data)


async def test_a_change_is_kept_with_its_context_and_what_matters(listening: Listening):
    listening.home.set_state("light.kitchen", "on", brightness=120, rgb_color=[1, 2, 3])
    context = Context(str(listening.home.states["light.kitchen"].context_id))
    at = NOON + timedelta(minutes=1)
    assert listening.since() == [
        StateChange(at, "light.kitchen", "off", "on", {"brightness": 120}, context, Source.HEARD)
    ]


async def test_a_call_its_runs_and_what_they_do_have_one_context_and_only_automations_make_a_child(
    listening: Listening,
):
    await listening.home.call(call("automation.trigger", "automation.on_arrival"))
    trigger, run, unlock, lock = listening.since()[:4]
    assert isinstance(trigger, Call)
    assert isinstance(run, Run)
    assert isinstance(unlock, Call)
    assert isinstance(lock, StateChange)
    assert (trigger.service, run.kind, unlock.service, lock.entity_id) == (
        "trigger",
        Kind.AUTOMATION,
        "unlock",
        "lock.front_door",
    )
    assert trigger.context
    assert run.context
    assert run.context.parent_id == trigger.context.id
    assert unlock.context == lock.context == run.context


async def test_a_script_runs_in_its_callers_context(listening: Listening):
    await listening.home.call(call("script.turn_on", "script.welcome"))
    records = listening.since()
    assert [type(record).__name__ for record in records[:4]] == ["Call", "Run", "Call", "StateChange"]
    assert len({record.context for record in records}) == 1


@pytest.mark.parametrize("field", ["code", "pin", "password", "token"])
async def test_a_code_never_gets_into_a_record(listening: Listening, field: str):
    await listening.home.call(call("lock.unlock", "lock.front_door", **{field: "4711"}))
    assert "4711" not in repr(listening.since())


async def test_a_message_is_kept_unless_the_owner_says_otherwise(listening: Listening):
    await listening.home.call(call("notify.phone", message="The door is open"))
    assert listening.since()[0].data == {"message": "The door is open"}
    listening.undo()
    await listening.start(redaction=Redaction(("message",)))
    listening.since()
    await listening.home.call(call("notify.phone", message="The door is open"))
    assert "open" not in repr(listening.since())


async def test_a_password_that_is_typed_into_a_text_field_is_never_kept(clock: FrozenClock):
    field = Thing("input_text.wifi", state="before-4711", attributes={"mode": "password"})
    listening = Listening(furnished(field, clock=clock), clock)
    await listening.start()
    listening.home.set_state("input_text.wifi", "after-4711")
    data = {"entity_id": "input_text.wifi", "value": "after-4711"}
    listening.home.fire("call_service", domain="input_text", service="set_value", service_data=data)
    records = listening.since()
    assert [type(record).__name__ for record in records] == ["StateChange", "StateChange", "Call"]
    assert "4711" not in repr(records)


async def test_what_was_stored_without_its_secret_is_not_found_anew_at_every_start(clock: FrozenClock):
    field = Thing("input_text.wifi", state="4711", attributes={"mode": "password"})
    stream = Thing("sensor.stream", state="rtsp://admin:hunter2@camera.local/live")
    listening = Listening(furnished(field, stream, clock=clock), clock)
    await listening.start()
    stored = {row.entity_id: Logged(row.new, row.attributes, row.at) for row in listening.since()}
    listening.undo()
    await listening.start(Memory(stored))
    assert listening.since() == []


async def test_an_address_with_credentials_is_kept_without_them(listening: Listening):
    listening.home.set_state("sensor.stream", "rtsp://admin:hunter2-4711@camera.local/live")
    listening.home.set_state("sensor.short", "ftp://a:4711@h")
    listening.home.set_state("media_player.speaker", "playing", media_title="http://x/y.mp3?token=hunter2-4711")
    records = listening.since()
    assert len(records) == 3
    assert "4711" not in repr(records)
    assert "camera.local/live" in repr(records)


async def test_what_is_found_at_the_start_says_so_and_is_as_old_as_it_is(clock: FrozenClock):
    home = furnished(Thing("light.a", area="kitchen"), Thing("light.b"), clock=clock)
    clock.advance(timedelta(hours=3))
    listening = Listening(home, clock)
    await listening.start(Memory({"light.a": Logged("on", at=NOON - timedelta(days=1)), "light.b": Logged("off")}))
    assert listening.since() == [StateChange(NOON, "light.a", "on", "off", source=Source.FOUND)]


async def test_what_is_gone_at_the_start_is_found_gone(clock: FrozenClock):
    listening = Listening(furnished(Thing("light.a"), clock=clock), clock)
    await listening.start(
        Memory({"light.a": Logged("off"), "light.gone": Logged("on"), "light.long_gone": Logged(None)})
    )
    assert listening.since() == [StateChange(NOON, "light.gone", "on", None, source=Source.FOUND)]


async def test_a_moment_that_was_kept_already_is_not_gone_behind(clock: FrozenClock):
    """A clock that was set back must not put what is found now before what is stored."""
    listening = Listening(furnished(Thing("light.a"), clock=clock), clock)
    stored = NOON + timedelta(hours=1)
    clock.advance(timedelta(hours=2))
    await listening.start(Memory({"light.a": Logged("on", at=stored)}))
    assert [record.at for record in listening.since()] == [NOON + timedelta(hours=2)]


async def test_what_changed_while_nobody_listened_is_found_when_the_home_is_there_again(listening: Listening):
    home = listening.home
    home.connected = False
    home.states["lock.front_door"] = replace(home.states["lock.front_door"], state="unlocked", last_changed=NOON)
    home.reconnect()
    (found,) = listening.since()
    assert isinstance(found, StateChange)
    assert (found.entity_id, found.old, found.new, found.source) == (
        "lock.front_door",
        "locked",
        "unlocked",
        Source.FOUND,
    )


async def test_a_home_that_is_not_there_yet_is_found_when_it_comes(clock: FrozenClock):
    home = furnished(Thing("light.a"), clock=clock)
    home.connected = False
    listening = Listening(home, clock)
    await listening.start()
    assert listening.since() == []
    home.reconnect()
    assert [record.entity_id for record in listening.since()] == ["light.a"]


async def test_a_scene_that_is_applied_is_a_run_and_one_that_only_comes_back_is_none(clock: FrozenClock):
    listening = Listening(furnished(Thing("scene.cosy", "Cosy"), clock=clock), clock)
    await listening.start()
    listening.home.set_state("scene.cosy", clock.now().isoformat())
    (run,) = listening.since()
    assert isinstance(run, Run)
    assert (run.kind, run.entity_id, run.name) == (Kind.SCENE, "scene.cosy", "Cosy")
    applied = clock.now().isoformat()
    listening.home.set_state("scene.cosy", "unavailable")
    clock.advance(timedelta(hours=1))
    listening.home.set_state("scene.cosy", applied)
    assert listening.since() == []


async def test_a_place_and_a_group_stand_for_what_is_in_them(listening: Listening):
    data = {"floor_id": ["upper"], "entity_id": "light.upstairs"}
    listening.home.fire("call_service", domain="light", service="turn_off", service_data=data)
    (heard,) = listening.since()
    assert isinstance(heard, Call)
    assert set(heard.entity_ids) == {
        "light.upstairs",
        "light.reading_lamp_bedroom",
        "light.study",
        "light.reading_lamp_study",
    }
    assert heard.data == {}


async def test_a_call_that_fits_nothing_is_still_a_call(listening: Listening):
    data = {"area_id": ["nowhere"], "entity_id": ["light.hall", "light.unknown"], "brightness": 5}
    listening.home.fire("call_service", domain="light", service="explode", service_data=data)
    (heard,) = listening.since()
    assert isinstance(heard, Call)
    assert heard.entity_ids == ("light.hall", "light.unknown")


async def test_all_stands_for_all_that_the_service_acts_on(listening: Listening):
    listening.home.fire("call_service", domain="fan", service="turn_off", service_data={"entity_id": "all"})
    (heard,) = listening.since()
    assert isinstance(heard, Call)
    assert heard.entity_ids == ("fan.ceiling",)


async def test_an_event_of_another_form_is_counted_and_nothing_else_suffers(listening: Listening):
    listening.home.fire("call_service", domain=1)
    assert listening.since() == []
    assert listening.intake.unread == 1


async def test_what_the_owner_drops_is_in_no_record_of_its_own(clock: FrozenClock):
    body = (BodyStep(AskedCall("light", "turn_on", Target(entity_id=("light.b",))), "b"),)
    listening = Listening(furnished(Thing("script.a", body=body), Thing("light.b"), clock=clock), clock)
    await listening.start(rules=OwnerRules(drop=("script.*", "light.b")))
    await listening.home.call(call("script.turn_on", "script.a"))
    assert [type(record).__name__ for record in listening.since()] == ["Call", "Call"]


async def test_after_the_undo_nothing_is_heard(listening: Listening):
    listening.undo()
    listening.home.set_state("light.hall", "on")
    await listening.home.call(call("light.turn_off", "light.hall"))
    listening.home.reconnect()
    assert listening.since() == []


async def test_no_secret_that_is_known_is_kept_however_short_the_text_is(clock: FrozenClock):
    secret = "hunter2-4711"
    redactor = Redactor()
    redactor.add(secret)
    home = furnished(Thing("sensor.note", state="x"), Thing("media_player.tv", state="off"), clock=clock)
    listening = Listening(home, clock)
    await listening.start(redaction=Redaction((), redactor))
    home.set_state("sensor.note", secret)
    home.set_state("sensor.note", "y")
    home.set_state("media_player.tv", "playing", media_title=secret, source_list=[secret])
    home.set_state("sensor.note", secret)
    listening.intake._gone(home.states["sensor.note"])
    home.fire("automation_triggered", entity_id="automation.x", name=secret, source=f"event {secret}")
    assert isinstance(listening.records[-1], Run)
    assert secret not in str(listening.records)
