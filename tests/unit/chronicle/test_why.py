"""Why: one sentence that says what is known, as sure as it is, and admits the rest."""

from dataclasses import replace

import pytest

from homesteward.chronicle.query import Query
from homesteward.chronicle.record import Kind, Outage, Source
from homesteward.chronicle.times import InTheFutureError
from homesteward.core.ids import born, new_id
from homesteward.home.errors import UnknownEntityError
from pasts import ANNA, acted, after, called, change, context, ran

MOTION = context(after(0), "motion")
RUN = context(after(0.1), "run", MOTION)


async def _motion_light(past) -> None:
    await past.tell(
        change(after(0), "binary_sensor.hall", "off", "on", MOTION),
        ran(after(0.1), "automation.hall_motion", RUN, "state of binary_sensor.hall"),
        called(after(0.12), "light.turn_on", RUN, "light.hall"),
        change(after(0.2), "light.hall", "off", "on", RUN),
    )


async def test_the_chain_behind_a_light_is_one_plain_sentence(past):
    await _motion_light(past)

    why = await past.history.why("light.hall")

    assert why.text == (
        "Hall light turned on at 18:02 because the automation Hall motion ran, triggered by Hall sensor detecting motion."
    )
    assert why.complete
    assert [row.subject for row in why.chain] == ["binary_sensor.hall", "automation.hall_motion", "light.hall"]


async def test_the_same_in_german(past):
    await _motion_light(past)

    why = await past.history.why("light.hall", language="de-AT")

    assert why.text == (
        "Hall light ging um 18:02 an, weil die Automation Hall motion lief, ausgelöst durch Hall sensor (Bewegung erkannt)."
    )


async def test_the_answer_has_the_form_of_the_contract(past):
    await _motion_light(past)

    answer = (await past.history.why("light.hall")).as_json()

    assert answer["complete"] is True
    assert answer["chain"][0] | {"ref": ""} == {
        "kind": "state",
        "subject": "binary_sensor.hall",
        "at": "2026-11-03T17:02:00+00:00",
        "context_id": MOTION.id,
        "parent_id": None,
        "by": None,
        "ref": "",
    }
    assert answer["chain"][1]["parent_id"] == MOTION.id


async def test_a_script_between_automation_and_lights_is_told_in_its_place(past):
    await past.tell(
        change(after(0), "binary_sensor.hall", "off", "on", MOTION),
        ran(after(0.1), "automation.hall_motion", RUN, "state of binary_sensor.hall"),
        called(after(0.12), "script.evening", RUN),
        ran(after(0.13), "script.evening", RUN),
        called(after(0.15), "light.turn_on", RUN, "light.hall", "light.kitchen", "light.porch"),
        *(change(after(0.2), each, "off", "on", RUN) for each in ("light.hall", "light.kitchen", "light.porch")),
    )

    whys = [await past.history.why(each) for each in ("light.hall", "light.kitchen", "light.porch")]

    assert (
        "because the script Evening ran, started by the automation Hall motion, triggered by Hall sensor"
        in whys[0].text
    )
    for why in whys:
        assert [row.subject for row in why.chain][:-1] == [
            "binary_sensor.hall",
            "automation.hall_motion",
            "script.evening",
        ]


async def test_what_was_asked_about_earlier_is_told_as_it_was_then(past):
    await _motion_light(past)
    await past.tell(change(after(600), "light.hall", "on", "off"))

    assert "turned on" in (await past.history.why("light.hall", after(60))).text
    assert "turned off" in (await past.history.why("light.hall")).text


@pytest.mark.parametrize(
    ("trigger", "english", "german"),
    [
        ("sunset", "triggered by sunset", "ausgelöst durch Sonnenuntergang"),
        ("time", "triggered by the time", "ausgelöst durch die Uhrzeit"),
        ("time pattern", "triggered by a time pattern", "ausgelöst durch ein Zeitmuster"),
        ("Home Assistant starting", "triggered by the start of Home Assistant", "durch den Start von Home Assistant"),
    ],
)
async def test_the_sun_and_the_clock_are_named_and_nobody_else_is(past, trigger, english, german):
    """E32: sun and time triggers start an automation without a parent; nobody is made up for it."""
    dusk = context(after(0), "dusk")
    await past.tell(
        ran(after(0), "automation.dusk", dusk, trigger),
        called(after(0.1), "light.turn_on", dusk, "light.porch"),
        change(after(0.2), "light.porch", "off", "on", dusk),
    )

    why = await past.history.why("light.porch")

    assert why.text == f"Porch light turned on at 18:02 because the automation Dusk ran, {english}."
    assert why.complete
    assert why.chain[0].as_json()["user"] is None
    assert german in (await past.history.why("light.porch", language="de")).text


async def test_the_user_behind_a_phone_button_is_named_through_the_automation(past):
    """E34: the user of the parent is the one behind it, also where nothing but the context is remembered of that."""
    button = context(after(-7200), "button", user=ANNA)
    run = context(after(0), "run", button)
    await past.tell(
        called(after(-7200), "notify.nobody", button),
        ran(after(0), "automation.echo", run, "event 'mobile_app_action'"),
        called(after(0.1), "input_boolean.toggle", run, "input_boolean.guests"),
        change(after(0.2), "input_boolean.guests", "off", "on", run),
        users={ANNA: "Anna"},
    )

    why = await past.history.why("input_boolean.guests")

    assert "Anna" in why.text
    assert why.chain[-1].user == "Anna"


async def test_a_parent_that_was_never_seen_is_called_an_unknown_origin(past):
    """E34: unknown parent."""
    run = context(after(0), "run", context(after(-5), "never"))
    await past.tell(
        ran(after(0), "automation.echo", run, "event 'x'"),
        called(after(0.1), "light.turn_on", run, "light.porch"),
        change(after(0.2), "light.porch", "off", "on", run),
    )

    why = await past.history.why("light.porch")

    assert "unknown origin" in why.text
    assert not why.complete


async def test_a_person_at_a_dashboard_is_named(past):
    of = context(after(0), "anna", user=ANNA)
    await past.tell(
        called(after(0), "light.turn_on", of, "light.hall"),
        change(after(0.1), "light.hall", "off", "on", of),
        users={ANNA: "Anna"},
    )

    why = await past.history.why("light.hall")

    assert why.text == "Hall light turned on at 18:02 because Anna asked Home Assistant for it (light.turn_on)."
    assert why.complete


async def test_an_act_of_ours_names_person_request_plan_and_rule(past):
    of = context(after(0), "ours", user=ANNA)
    await past.tell(
        acted(after(0), "light.turn_on", of, "light.kitchen", person="Ben"),
        called(after(0.01), "light.turn_on", of, "light.kitchen"),
        change(after(0.1), "light.kitchen", "off", "on", of),
        users={ANNA: "Homesteward"},
    )

    why = await past.history.why("light.kitchen")

    assert why.text == (
        'Kitchen light turned on at 18:02 because Ben asked for it with the words "turn on the kitchen light" '
        "(plan plan_1, rule family.routine)."
    )
    assert [row.kind for row in why.chain] == [Kind.ACT, Kind.STATE]
    assert why.as_json()["chain"][0]["by"] == "Ben"


async def test_what_was_asked_for_ahead_of_time_names_when_that_was(past):
    of, run_id = context(after(0), "ours", user=ANNA), new_id("run")
    act = acted(after(0), "light.turn_on", of, "light.kitchen", person="Ben")
    await past.tell(
        replace(act, channel="trigger", run_id=run_id),
        change(after(0.1), "light.kitchen", "off", "on", of),
        users={ANNA: "Homesteward"},
    )
    why = await past.history.why("light.kitchen")
    assert "because Ben asked for it ahead of time (" in why.text
    assert f"{born(run_id):%M}) with the words" in why.text  # zones of this house are whole hours off


async def test_a_sensor_reports_by_itself(past):
    await past.tell(change(after(0), "binary_sensor.door", "off", "on"))

    why = await past.history.why("binary_sensor.door")

    assert why.text == "Front door opened at 18:02, as it reported by itself."
    assert why.complete


async def test_a_light_that_nothing_turned_on_is_not_somebodys_doing(past):
    """E32: a missing parent is never a person."""
    await past.tell(change(after(0), "light.hall", "off", "on"))

    why = await past.history.why("light.hall")

    assert "Home Assistant did not do it" in why.text
    assert "manual" not in why.text
    assert not why.complete


async def test_a_blind_that_arrives_is_told_with_what_set_it_going(past):
    of = context(after(0), "anna", user=ANNA)
    await past.tell(
        called(after(0), "cover.open_cover", of, "cover.blinds"),
        change(after(0.1), "cover.blinds", "closed", "opening", of),
        change(after(15), "cover.blinds", "opening", "open", None, {"current_position": 100}),
        users={ANNA: "Anna"},
    )

    why = await past.history.why("cover.blinds")

    assert why.text == ("Blinds opened at 18:02, probably because Anna asked Home Assistant for it (cover.open_cover).")
    assert not why.complete


async def test_a_blind_moved_at_the_wall_goes_on_from_what_it_began(past):
    await past.tell(
        change(after(0), "cover.blinds", "closed", "opening"), change(after(65), "cover.blinds", "opening", "open")
    )

    why = await past.history.why("cover.blinds")

    assert why.text == (
        "Blinds opened at 18:03, probably because it had begun at 18:02. "
        "Home Assistant did not do it: it came from the device or from outside, and the cause is not known."
    )


async def test_a_cause_that_home_assistant_names_wrongly_is_not_believed(past):
    of = context(after(0), "anna", user=ANNA)
    await past.tell(
        called(after(0), "light.turn_on", of, "light.hall"),
        change(after(0.1), "light.hall", "off", "on", of),
        change(after(3), "light.hall", "on", "off", of),
        users={ANNA: "Anna"},
    )

    why = await past.history.why("light.hall")

    assert why.text == (
        "Hall light turned off at 18:02. Home Assistant names light.turn_on as the cause, but that does not do this; "
        "the cause is not known."
    )
    assert not why.complete


async def test_a_set_point_is_told_with_its_value(past):
    of = context(after(60), "anna", user=ANNA)
    await past.tell(
        change(after(0), "climate.hall", "off", "heat", None, {"temperature": 20, "hvac_action": "idle"}),
        called(after(60), "climate.set_temperature", of, "climate.hall", temperature=21.5),
        change(after(60.1), "climate.hall", "heat", "heat", of, {"temperature": 21.5, "hvac_action": "idle"}),
        users={ANNA: "Anna"},
    )

    why = await past.history.why("climate.hall")

    assert why.text.startswith("Hall heating was set to 21.5 °C at 18:03 because Anna")
    assert (await past.history.why("climate.hall", language="de")).text.startswith(
        "Hall heating wurde um 18:03 auf 21.5 °C gestellt, weil Anna"
    )


async def test_a_number_is_told_with_its_unit(past):
    await past.tell(change(after(0), "sensor.power", "5", "95"))

    assert (await past.history.why("sensor.power")).text == (
        "Power changed from 5 W to 95 W at 18:02, as it reported by itself."
    )


async def test_what_was_read_afterwards_has_no_cause(past):
    await past.tell(change(after(0), "light.hall", "off", "on", source=Source.BACKFILL))

    why = await past.history.why("light.hall")

    assert "nobody was listening" in why.text
    assert not why.complete


async def test_what_was_found_when_listening_began_says_so(past):
    await past.tell(change(after(0), "light.hall", None, "on", source=Source.FOUND))

    why = await past.history.why("light.hall")

    assert why.text == (
        "Hall light was found on when listening began at 18:02; when and why it came to that is not known."
    )


async def test_nothing_remembered_is_said(past):
    why = await past.history.why("light.hall")

    assert why.text.startswith("Nothing was remembered of Hall light yet")
    assert (why.chain, why.complete) == ((), False)


async def test_an_entity_that_never_was_is_an_error(past):
    with pytest.raises(UnknownEntityError):
        await past.history.why("light.never")


async def test_a_run_is_told_with_what_set_it_off(past):
    await _motion_light(past)

    why = await past.history.why("automation.hall_motion")

    assert why.text == "Hall motion ran at 18:02, triggered by Hall sensor detecting motion."


async def test_a_trigger_that_nothing_is_known_behind_leaves_the_chain_open(past):
    of = context(after(0), "porch")
    run = context(after(0.1), "run", of)
    await past.tell(
        change(after(0), "light.porch", "off", "on", of),
        ran(after(0.1), "automation.echo", run, "state of light.porch"),
        called(after(0.12), "light.turn_on", run, "light.hall"),
        change(after(0.2), "light.hall", "off", "on", run),
    )

    why = await past.history.why("light.hall")

    assert why.text.endswith("because the automation Echo ran, triggered by Porch light turning on.")
    assert not why.complete


async def test_a_trigger_too_small_to_be_kept_is_named_by_its_run(past):
    run = context(after(0.1), "run", context(after(0), "dropped"))
    await past.tell(
        ran(after(0.1), "automation.echo", run, "numeric state of sensor.power"),
        called(after(0.12), "light.turn_on", run, "light.hall"),
        change(after(0.2), "light.hall", "off", "on", run),
    )

    why = await past.history.why("light.hall")

    assert why.text.endswith("because the automation Echo ran, triggered by the value of Power.")
    assert not why.complete


async def test_another_day_is_named(past):
    await past.tell(change(after(-86_400), "binary_sensor.door", "off", "on"))
    assert "yesterday at 18:02" in (await past.history.why("binary_sensor.door")).text

    await past.tell(change(after(-40 * 86_400), "binary_sensor.hall", "off", "on"))
    assert "on 24 September at 19:02" in (await past.history.why("binary_sensor.hall")).text
    assert "am 24. September um 19:02" in (await past.history.why("binary_sensor.hall", language="de")).text


async def test_whoever_does_not_see_the_cause_is_told_that_it_is_not_known(past):
    await _motion_light(past)

    why = await past.history.why("light.hall", visible={"light.hall"}.__contains__)

    assert "motion" not in repr(why).casefold()
    assert "sensor" not in why.text
    assert not why.complete


async def test_where_nobody_listens_any_more_that_is_said(past):
    await _motion_light(past)
    await past.tell(outages=(Outage(after(60), None, "cut"),))

    why = await past.history.why("light.hall")

    assert why.text.endswith(" Listening stopped at 18:03: it may have changed since.")
    assert not why.complete
    assert (await past.history.why("light.hall", after(30))).complete


async def test_a_sensor_made_from_a_light_follows_the_light(past):
    await _motion_light(past)
    await past.tell(change(after(0.25), "sensor.power", "5", "45", RUN))

    why = await past.history.why("sensor.power")

    assert why.text.startswith(
        "Power changed from 5 W to 45 W at 18:02, probably following Hall light turning on, started by the automation Hall motion"
    )
    assert [row.subject for row in why.chain][-2:] == ["light.hall", "sensor.power"]
    assert not why.complete


async def test_a_home_that_moved_is_told_in_its_new_time(past):
    await _motion_light(past)
    past.home.config = replace(past.home.config, time_zone="Asia/Kolkata")

    assert "at 22:32" in (await past.history.why("light.hall")).text


async def test_the_chain_goes_on_past_what_set_off_the_automation(past):
    of = context(after(-1), "anna", user=ANNA)
    run = context(after(0.1), "run", of)
    await past.tell(
        called(after(-1), "light.turn_on", of, "light.porch"),
        change(after(-0.9), "light.porch", "off", "on", of),
        ran(after(0.1), "automation.echo", run, "state of light.porch"),
        called(after(0.12), "light.turn_on", run, "light.hall"),
        change(after(0.2), "light.hall", "off", "on", run),
        users={ANNA: "Anna"},
    )

    assert (await past.history.why("light.hall")).text == (
        "Hall light turned on at 18:02 because the automation Echo ran, triggered by Porch light turning on, started by Anna."
    )


async def test_a_button_is_pressed_and_does_not_change_to_a_moment(past):
    pressed = context(after(0), "press", user=ANNA)
    moment = after(0).isoformat()
    await past.tell(
        change(after(0), "input_button.arrival", "unknown", moment, pressed),
        ran(after(0.1), "automation.hall_motion", context(after(0.1), "r", pressed), "state of input_button.arrival"),
        users={ANNA: "Anna"},
    )

    english = [(await past.history.why(each)).text for each in ("automation.hall_motion", "input_button.arrival")]
    german = [(await past.history.why("input_button.arrival", language="de")).text]

    assert "triggered by input_button.arrival being pressed for Anna" in english[0]
    assert english[1].startswith("input_button.arrival was pressed at 18:02")
    assert german[0].startswith("input_button.arrival wurde um 18:02 gedrückt")
    assert not [text for text in english + german if "2026" in text]


async def test_a_state_that_is_a_moment_is_told_as_the_clock_at_home_shows_it(past):
    await past.tell(change(after(0), "sensor.next_alarm", "2026-11-04T05:00:00+00:00", "2026-11-05T05:30:00+00:00"))

    text = (await past.history.why("sensor.next_alarm")).text

    assert "changed from 2026-11-04 06:00 to 2026-11-05 06:30" in text


async def test_nothing_remembered_yet_is_a_sentence(past):
    assert (await past.history.why("light.hall")).text == "Nothing was remembered of Hall light yet at 19:02."


@pytest.mark.parametrize("ask", ["why", "home_at", "difference", "rows"])
async def test_what_has_not_come_yet_cannot_be_asked_about(past, ask):
    ahead = after(3600 * 24 * 30)
    asked = {
        "why": lambda: past.history.why("light.hall", ahead),
        "home_at": lambda: past.history.home_at(ahead),
        "difference": lambda: past.history.difference(after(0), ahead),
        "rows": lambda: past.history.rows(Query(since=ahead)),
    }

    with pytest.raises(InTheFutureError) as caught:
        await asked[ask]()

    assert "has not come yet" in caught.value.message
    assert "Europe/Berlin" in caught.value.message
