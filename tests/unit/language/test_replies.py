"""What is told: no more than the evidence, in the language asked."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from string import Formatter

import pytest

from homesteward.actions.plan import Evidence, Needs, Plan, PlanState, Status, Step, StepState
from homesteward.core import ErrorInfo
from homesteward.home.calls import ResolvedCall
from homesteward.language import describe, error_text, not_understood, nothing_changed
from homesteward.language.acts import ACTS
from homesteward.language.tables import languages
from homesteward.language.texts import texts
from homesteward.people import Caller
from homesteward.people.caller import Channel, Role
from homesteward.people.errors import LockedOutError, PinMustChangeError, PinNotSetError, WrongPinError
from homesteward.policy.decision import Action, Decision, Impact, Level

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
ALLOW = Decision(Action.ALLOW, "family.routine", "routine things are allowed", Impact(Level.ROUTINE, "light"))
DENY = Decision(Action.DENY, "family.unknown", "nobody may restart the house", Impact(Level.CRITICAL, "restart"))


def step(
    service: str,
    *entities: str,
    state: StepState = StepState.DONE,
    data: dict[str, object] | None = None,
    **more: object,
) -> Step:
    domain, _, name = service.partition(".")
    return replace(Step(1, ResolvedCall(domain, name, entities, data or {}), ALLOW, state), **more)


def plan(*steps: Step, state: PlanState = PlanState.COMPLETED, needs: Needs | None = None) -> Plan:
    caller = Caller(Role.OWNER, Channel.CLI)
    return Plan("plan_1", "home", state, caller, "", NOW, NOW + timedelta(hours=1), "0", steps, needs)


def seen(entity_id: str, status: Status, observed: str = "on") -> Evidence:
    return Evidence(entity_id, "on", observed, status, NOW)


def test_what_was_seen_is_told_as_done(furnished):
    done = step("light.turn_on", "light.kitchen", evidence=(seen("light.kitchen", Status.VERIFIED),))
    assert describe([plan(done)], furnished, "en") == "Turned on Kitchen light."
    assert describe([plan(done)], furnished, "de") == "Eingeschaltet: Kitchen light."


def test_what_was_so_before_is_told_as_already_so(furnished):
    skipped = step("light.turn_on", "light.kitchen", state=StepState.SKIPPED, note="already on")
    assert describe([plan(skipped)], furnished, "en") == "Kitchen light is already on."
    assert describe([plan(skipped)], furnished, "de") == "Kitchen light ist bereits an."


def test_a_lamp_that_is_off_is_told_as_off_and_not_as_dimmed_already(home):
    home.set_state("light.kitchen", "off")
    dimmed = step(
        "light.turn_on",
        "light.kitchen",
        state=StepState.SKIPPED,
        note="already off",
        data={"brightness_step_pct": -10},
    )
    assert describe([plan(dimmed)], home, "en") == "Kitchen light is already off."


@pytest.mark.parametrize(
    ("service", "entity_id", "data", "text"),
    [
        ("humidifier.set_humidity", "humidifier.x", {"humidity": 55}, "Set humidifier.x to 55 %."),
        (
            "alarm_control_panel.alarm_arm_night",
            "alarm_control_panel.x",
            {},
            "Armed alarm_control_panel.x for the night.",
        ),
        ("alarm_control_panel.alarm_disarm", "alarm_control_panel.x", {}, "Disarmed alarm_control_panel.x."),
        ("select.select_option", "select.x", {"option": "fast"}, "Set select.x to fast."),
        ("input_number.set_value", "input_number.x", {"value": 45}, "Set input_number.x to 45."),
        ("lock.open", "lock.x", {}, "Opened lock.x."),
        ("water_heater.set_temperature", "water_heater.x", {"temperature": 60}, "Set water_heater.x to 60 °."),
    ],
)
def test_a_service_that_was_done_is_told_by_what_it_does(furnished, service, entity_id, data, text):
    done = step(service, entity_id, data=data, evidence=(seen(entity_id, Status.VERIFIED),))
    assert describe([plan(done)], furnished, "en") == text


def test_a_jammed_lock_is_not_told_as_locked(furnished):
    jammed = step(
        "lock.lock",
        "lock.back_door",
        state=StepState.FAILED,
        evidence=(seen("lock.back_door", Status.MISMATCHED, "jammed"),),
    )
    assert (
        describe([plan(jammed, state=PlanState.FAILED)], furnished, "en")
        == "Locking Back door did not work: it reports jammed."
    )


def test_what_was_only_sent_is_told_as_not_confirmed(furnished):
    sent = step(
        "light.turn_on",
        "light.old_bulb",
        state=StepState.UNCERTAIN,
        evidence=(seen("light.old_bulb", Status.UNCERTAIN, "off"),),
    )
    assert describe([plan(sent)], furnished, "en") == "Turning on Old bulb was sent, but is not confirmed."


def test_a_done_step_without_evidence_is_not_told_as_done(furnished):
    assert "not confirmed" in describe([plan(step("light.turn_on", "light.kitchen"))], furnished, "en")


def test_the_message_of_home_assistant_is_told(furnished):
    failed = step("light.turn_on", "light.kitchen", state=StepState.FAILED, error="Device is offline")
    assert (
        describe([plan(failed, state=PlanState.FAILED)], furnished, "en")
        == "Turning on Kitchen light failed: Device is offline."
    )


@pytest.mark.parametrize(
    ("needs", "text"),
    [
        (Needs.APPROVE, "Unlocking Front door waits for approval."),
        (Needs.CONFIRM, "Unlocking Front door needs your yes."),
        (Needs.PIN, "Unlocking Front door needs your PIN."),
    ],
)
def test_a_waiting_plan_says_what_it_waits_for(furnished, needs, text):
    waiting = plan(
        step("lock.unlock", "lock.front_door", state=StepState.PENDING), state=PlanState.WAITING, needs=needs
    )
    assert describe([waiting], furnished, "en") == text


def test_a_refusal_gives_its_reason(furnished):
    refused = plan(step("homeassistant.restart", state=StepState.PENDING, decision=DENY), state=PlanState.REJECTED)
    assert describe([refused], furnished, "en") == "“Restart” was refused: nobody may restart the house."


def test_a_dry_run_says_that_nothing_was_sent(furnished):
    simulated = plan(step("light.turn_on", "light.kitchen"), state=PlanState.SIMULATED)
    assert describe([simulated], furnished, "en") == "Turning on Kitchen light was only simulated; nothing was sent."


def test_one_answer_says_what_ran_and_what_waits(furnished):
    """E19: the blinds moved, the garage door waits."""
    blinds = ("cover.bedroom_blinds", "cover.study_blinds")
    ran = plan(
        step("cover.open_cover", *blinds, evidence=tuple(seen(name, Status.VERIFIED, "open") for name in blinds))
    )
    waits = plan(
        step("cover.open_cover", "cover.garage_door", state=StepState.PENDING),
        state=PlanState.WAITING,
        needs=Needs.APPROVE,
    )
    assert describe([ran, waits], furnished, "en") == (
        "Opened Bedroom blinds and Study blinds. Opening Garage door waits for approval."
    )


def test_each_entity_is_told_by_its_own_evidence(furnished):
    mixed = step(
        "light.turn_on",
        "light.kitchen",
        "light.old_bulb",
        state=StepState.FAILED,
        evidence=(seen("light.kitchen", Status.VERIFIED), seen("light.old_bulb", Status.MISMATCHED, "off")),
    )
    assert describe([plan(mixed, state=PlanState.FAILED)], furnished, "en") == (
        "Turned on Kitchen light. Turning on Old bulb did not work: it reports off."
    )


def test_a_step_after_a_failed_one_was_not_tried(furnished):
    failed = step("light.turn_on", "light.kitchen", state=StepState.FAILED, error="offline")
    later = step("lock.lock", "lock.front_door", state=StepState.SKIPPED, note="an earlier step failed")
    assert "Locking Front door was not tried." in describe(
        [plan(failed, later, state=PlanState.FAILED)], furnished, "en"
    )


@pytest.mark.parametrize(
    ("service", "entity", "data", "text"),
    [
        ("light.turn_on", "light.study", {"brightness_pct": 25}, "Set Study light to 25 %."),
        ("light.turn_on", "light.study", {"color_name": "blue"}, "Set Study light to blue."),
        ("light.turn_on", "light.study", {"brightness_step_pct": -10}, "Made Study light dimmer."),
        ("light.turn_on", "light.study", {"transition": 2}, "Turned on Study light."),
        ("climate.set_temperature", "climate.thermostat", {"temperature": 21}, "Set Thermostat to 21 °."),
        ("climate.set_temperature", "climate.thermostat", {"target_temp_low": 19}, "Set Thermostat to ? °."),
        (
            "media_player.volume_set",
            "media_player.speaker",
            {"volume_level": 0.4},
            "Set the volume of Speaker to 40 %.",
        ),
        ("media_player.volume_mute", "media_player.speaker", {"is_volume_muted": False}, "Unmuted Speaker."),
        ("vacuum.start", "vacuum.robot", {}, "Started Robot."),
        ("vacuum.stop", "vacuum.robot", {}, "Stopped Robot."),
        ("vacuum.pause", "vacuum.robot", {}, "Paused Robot."),
        ("made_up.thing", "light.gone", {"names": 1}, "“Thing” was done for light.gone."),
    ],
)
def test_the_sentence_follows_service_and_data(furnished, service, entity, data, text):
    done = step(service, entity, data=data, evidence=(seen(entity, Status.VERIFIED),))
    assert describe([plan(done)], furnished, "en") == text


@pytest.mark.parametrize("state", list(PlanState))
@pytest.mark.parametrize("language", ["en", "de", "fr", "nl", "ru", "es", "it", "pl", "sv"])
def test_every_state_of_a_plan_can_be_told(furnished, state, language):
    assert describe([plan(step("light.turn_on", "light.kitchen"), state=state)], furnished, language)


@pytest.mark.parametrize("state", list(StepState))
@pytest.mark.parametrize("status", [None, *Status])
def test_only_verified_evidence_is_told_as_done(furnished, state, status):
    evidence = () if status is None else (seen("light.kitchen", status),)
    text = describe([plan(step("light.turn_on", "light.kitchen", state=state, evidence=evidence))], furnished, "en")
    finished = state in {StepState.DONE, StepState.FAILED, StepState.UNCERTAIN}
    assert ("Turned on" in text) == (status is Status.VERIFIED and finished)


def test_an_error_keeps_its_words_and_its_way_on():
    info = ErrorInfo("x", "There is no light.longue.", retry=False, next="Did you mean light.lounge?")
    assert error_text(info, "en") == "There is no light.longue. Did you mean light.lounge?"


def test_not_understood_offers_what_this_home_can_do(furnished):
    assert "turn on Hall light" in not_understood(furnished, "en")
    assert "schalte Hall light an" in not_understood(furnished, "de")
    assert "Cellar light" not in not_understood(furnished, "en")


OURS = ["de", "en", "es", "fr", "it", "nl", "pl", "ru"]


@pytest.mark.parametrize("language", OURS)
def test_every_language_has_every_sentence_with_the_same_places(language):
    own, english = texts(language).table, texts("en").table
    assert texts(language).language == language
    shared = {
        key: sentence for key, sentence in english.items() if key != "unknown_language"
    }  # only ever said in English
    assert {key for key in own if not key.startswith("color.")} - {"unknown_language"} == set(shared)
    for key, sentence in shared.items():
        assert _places(own[key]) == _places(sentence), key


def _places(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("fr", "J'ai allumé Kitchen light."),
        ("nl", "Kitchen light aangezet."),
        ("ru", "Включено: Kitchen light."),
        ("es", "He encendido Kitchen light."),
        ("it", "Ho acceso Kitchen light."),
        ("pl", "Włączono: Kitchen light."),
    ],
)
def test_what_was_done_is_told_in_the_language_asked(furnished, language, text):
    done = step("light.turn_on", "light.kitchen", evidence=(seen("light.kitchen", Status.VERIFIED),))
    assert describe([plan(done)], furnished, language) == text


def test_a_language_without_texts_is_answered_in_english(furnished):
    assert nothing_changed("sv") == nothing_changed("en")
    assert not_understood(furnished, "sv") == not_understood(furnished, "en")


@pytest.mark.parametrize(
    "error",
    [
        WrongPinError("That is not the PIN.", next="Try again."),
        LockedOutError("There were too many wrong tries.", timedelta(minutes=5)),
        PinNotSetError("You have no PIN, and this needs one."),
        PinMustChangeError("This PIN was chosen for you, and is good for choosing your own only."),
    ],
)
def test_what_went_wrong_with_a_pin_is_said_in_the_language_asked(error):
    told = {language: error_text(error.info, language) for language in languages("replies")}
    assert len(set(told.values())) == len(told)
    assert told["en"].startswith(error.info.message)
    assert all("try again" not in text.lower() for language, text in told.items() if language != "en")


@pytest.mark.parametrize(
    ("wait", "german"), [(1, "1 Sekunden"), (90, "90 Sekunden"), (300, "5 Minuten"), (14_400, "4 Stunden")]
)
def test_a_lockout_says_for_how_long_in_the_language_asked(wait, german):
    error = LockedOutError("There were too many wrong tries.", timedelta(seconds=wait))
    assert german in error_text(error.info, "de")


ASKED_FOR = sorted({f"{domain}.{service}" for act in ACTS.values() for domain, service in act.services.items()})


@pytest.mark.parametrize("language", languages("replies"))
@pytest.mark.parametrize("service", [*ASKED_FOR, "todo.add_item", "vacuum.send_command", "notify.somebody"])
def test_no_reply_is_the_name_of_a_service(furnished, language, service):
    for entities in (("light.kitchen",), ()):
        for state in (PlanState.COMPLETED, PlanState.WAITING, PlanState.REJECTED):
            done = step(service, *entities, data={"item": "milk"}, evidence=(seen("light.kitchen", Status.VERIFIED),))
            reply = describe([plan(done, state=state, needs=Needs.APPROVE)], furnished, language)
            assert service not in reply
            assert "_" not in reply


@pytest.mark.parametrize("language", languages("replies"))
def test_an_entry_for_a_list_is_told_in_words(furnished, language):
    done = step(
        "todo.add_item", "light.kitchen", data={"item": "oat milk"}, evidence=(seen("light.kitchen", Status.VERIFIED),)
    )
    reply = describe([plan(done)], furnished, language)
    assert "oat milk" in reply
    assert "Kitchen light" in reply
    assert "Add item" not in reply


@pytest.mark.parametrize("language", languages("replies"))
def test_what_a_value_may_be_is_told_in_the_language_asked(language):
    wrong = ErrorInfo(
        "invalid_data",
        "temperature of climate.set_temperature cannot be 80 for Hall.",
        retry=False,
        next="Allowed: 7 to 35 °C.",
    )
    text = error_text(wrong, language)
    assert "climate" not in text
    assert "7" in text
    assert "35 °C" in text
    assert (language == "en") == ("Possible is" in text)
    missing = replace(wrong, message="It needs a temperature.", next="Say the missing part.")
    assert error_text(missing, language) == "It needs a temperature. Say the missing part."


@pytest.mark.parametrize("language", languages("replies"))
def test_a_no_that_somebody_said_is_no_refusal(furnished, language):
    asked = replace(ALLOW, action=Action.CONFIRM, reason="the family asks first")
    dropped = replace(step("light.turn_on", "light.kitchen"), decision=asked)
    assert asked.reason not in describe([plan(dropped, state=PlanState.REJECTED)], furnished, language)
    denied = replace(dropped, decision=DENY)
    assert DENY.reason in describe([plan(denied, state=PlanState.REJECTED)], furnished, language)
