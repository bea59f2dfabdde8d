"""A PIN that nobody asked for, or that comes in pieces: it is taken out or the sentence is withheld, and what a request needs stays."""

import logging
import re
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homesteward.core.json import dumps
from homesteward.home.inventory import Thing
from homesteward.home.simulation import SimulatedHome
from homesteward.language import NotUnderstood
from homesteward.language.tables import languages, table
from homesteward.models.scripted import ScriptedModel
from homesteward.people import Caller, Channel, Role
from homesteward.steward import Outcome, Request, Route, answer_json
from homesteward.steward.conversations import MOST_EACH, Conversations, Pending
from homesteward.steward.intake import WITHHELD, Taken, withhold
from homesteward.steward.pin import take_out
from homesteward.steward.unasked import Surroundings

LONG = "73915826"
UNLOCK = "unlock the front door"


def taken(text, language="en", **rest):
    rest, pin = take_out(text, language, **{"expected": False, **rest})
    return rest, pin and pin.reveal()


@pytest.mark.parametrize(
    ("text", "language", "rest", "pin"),
    [
        ("unlock the front door 4862", "en", "unlock the front door", "4862"),
        ("unlock the front door with 73915826", "en", "unlock the front door", LONG),
        ("please use four eight six two to unlock the front door", "en", "please unlock the front door", "4862"),
        ("73915826 unlock the front door", "en", "unlock the front door", LONG),
        ("disarm the alarm 73 91 58 26 please", "en", "disarm the alarm please", LONG),
        ("unlock the front door b7k9x2", "en", "unlock the front door", "b7k9x2"),
        ("unlock the front door 48.62", "en", "unlock the front door", "4862"),
        ("unlock the front door 48:62", "en", "unlock the front door", "4862"),
        ("my secret number is 73915826", "en", "", LONG),
        ("schließe die Haustür auf 73915826", "de", "schließe die Haustür auf", LONG),
        ("nimm 4862 um die Haustür zu öffnen", "de", "die Haustür zu öffnen", "4862"),
        ("déverrouille Front door sept trois neuf un cinq huit deux six", "fr", "déverrouille Front door", LONG),
        ("déverrouille la porte vier acht sechs zwei", "fr", "déverrouille la porte", "4862"),
        ("abre la puerta 4862", "es", "abre la puerta", "4862"),
        ("apri la porta quattro otto sei due", "it", "apri la porta", "4862"),
        ("open de voordeur 4862", "nl", "open de voordeur", "4862"),
        ("otwórz drzwi 4862", "pl", "otwórz drzwi", "4862"),
        ("открой дверь 4862", "ru", "открой дверь", "4862"),
    ],
)
def test_a_long_number_beside_a_lock_that_is_no_part_of_the_request_is_a_pin(text, language, rest, pin):
    assert taken(text, language) == (rest, pin)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("set the heating to 21", "en"),
        ("set the thermostat to 2150?", "en"),
        ("turn on light 4711?", "en"),
        ("play channel 1234", "en"),
        ("what happened on 12 March 2026 at 18:30", "en"),
        ("who opened the front door on 12 March 2026 at 18:30", "en"),
        ("who opened the front door on March 12, 2026", "en"),
        ("when was the garage door opened on 2026-03-12", "en"),
        ("how often was the door opened in 2025", "en"),
        ("open the garage door to 50 percent", "en"),
        ("open the blinds to 50, 60 and 70 percent", "en"),
        ("unlock the front door at 1830", "en"),
        ("set the garage light to 2700 kelvin", "en"),
        ("set the garage light to 2700K", "en"),
        ("lock the door for 1200 seconds", "en"),
        ("wer hat die Haustür am 12. März 2026 um 18:30 geöffnet", "de"),
        ("mach die Garage auf 2700 Kelvin", "de"),
        ("qui a ouvert la porte le 12 mars 2026 à 18h30", "fr"),
    ],
)
def test_a_time_a_date_a_channel_or_another_amount_is_no_pin(text, language):
    assert taken(text, language) == (text, None)


def test_a_name_of_the_home_with_a_number_in_it_stays():
    home = SimulatedHome.build([Thing("lock.gate", "Gate 4711", None, "locked")])
    around = LOST(home)
    assert taken("unlock gate 4711", around=around) == ("unlock gate 4711", None)
    assert taken("unlock gate 4711 with 8362", around=around) == ("unlock gate 4711", "8362")
    assert taken("unlock lock 4711", around=around) == ("unlock lock", "4711")


@pytest.mark.parametrize(
    ("said", "language"),
    [
        ("sieben drei neun eins, fünf acht zwei und sechs", "de"),
        ("seven three nine one, um, five eight two and six", "en"),
        ("sept trois neuf un, cinq huit deux et six", "fr"),
    ],
)
def test_a_pin_with_a_pause_in_it_is_one_pin(said, language):
    assert taken(said, language, expected=True) == ("", LONG)


def test_a_key_of_letters_and_digits_is_taken_alone_where_a_pin_was_asked_for_lately():
    assert taken("b7k9x2 please", lately=True) == ("", "b7k9x2")
    for text in ("sesame", "turn on lamp2b", "yes", "2b"):
        assert taken(text, lately=True) == (text, None)


# --- half of a PIN ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("siebn drei neun oans fünf acht zwo sechs", True),
        ("siebn drei neun oans", True),
        ("unlock the front door siebn drei neun oans fünf acht zwo sechs", False),
        ("let me in 739, 158", False),
    ],
)
def test_what_is_not_understood_and_may_hold_half_a_pin_is_withheld_whatever_was_taken_out(home, text, expected):
    rest, pin = take_out(text, "de", expected=expected)
    kept = withhold(Taken(Request(rest, ANN), pin), "de", LOST(home), expected=expected)
    if text.startswith("let"):
        rest = text
    assert (kept.request.text, kept.withheld) == (WITHHELD, True)
    assert kept.pin is None  # half of one is no try


def test_a_whole_pin_among_words_that_nobody_understands_counts_and_the_words_are_not_kept(home):
    rest, pin = take_out("8351 darling", "en", expected=True)
    kept = withhold(Taken(Request(rest, ANN), pin), "en", LOST(home), expected=True)
    assert (kept.request.text, kept.pin.reveal(), kept.only_pin) == (WITHHELD, "8351", True)


ANN, BEN = (Caller(Role.MEMBER, Channel.PAGE, name, person_id=name) for name in ("ann", "ben"))


def LOST(home):  # noqa: N802 - reads as what it is: nothing is understood
    return Surroundings(home, NotUnderstood)


# --- whose question it is --------------------------------------------------------------------------------------------------------


def test_what_somebody_else_is_asked_leaves_ones_own_question_open(clock):
    open_questions = Conversations(clock)
    mine, theirs = Pending(ANN, UNLOCK, plan_ids=("p",), pin=True), Pending(BEN, "turn on the light")
    open_questions.ask("kitchen", mine)
    open_questions.ask("kitchen", theirs)
    assert (open_questions.open_for("kitchen", ANN), open_questions.open_for("kitchen", BEN)) == (mine, theirs)
    assert open_questions.expects_pin("kitchen")
    open_questions.close("kitchen", BEN)
    assert open_questions.open_for("kitchen", ANN) == mine


def test_many_conversations_of_one_person_push_out_nobody_elses(clock):
    open_questions = Conversations(clock)
    open_questions.ask("kitchen", Pending(ANN, UNLOCK))
    for n in range(1000):
        open_questions.ask(f"c{n}", Pending(BEN, "turn on the light"))
    assert open_questions.open_for("kitchen", ANN)
    assert sum(bool(open_questions.open_for(f"c{n}", BEN)) for n in range(1000)) == MOST_EACH


def test_for_five_minutes_a_pin_may_come_in_another_conversation(clock):
    open_questions = Conversations(clock)
    open_questions.ask("kitchen", Pending(ANN, UNLOCK, pin=True))
    open_questions.close("kitchen", ANN)
    assert (open_questions.asked_lately(ANN), open_questions.asked_lately(BEN)) == (True, False)
    clock.advance(timedelta(minutes=5, seconds=1))
    assert not open_questions.asked_lately(ANN)


# --- nowhere ------------------------------------------------------------------------------------------------------------------


IDS = re.compile(r"[0-9a-f]{32,}|\d\.\d+")  # made at random, or of the time


class Listening(ScriptedModel):
    """A model that keeps every word it was sent."""

    def __init__(self, kept):
        super().__init__([{"text": "Done."}])
        self._kept = kept

    async def request(self, messages, model_settings, model_request_parameters):
        self._kept += [str(part.content) for message in messages for part in message.parts if hasattr(part, "content")]
        return await super().request(messages, model_settings, model_request_parameters)


async def said_in(guarded, caplog, turns):
    """Everything that is told, kept in a run or sent to a model while callers say `turns`, and the last answer."""
    caplog.set_level(logging.DEBUG)
    heard, shown, answer = [], [], None
    steward = guarded.with_model(lambda: Listening(heard))
    for text, caller, conversation_id, language in turns:
        for route in Route:
            run = steward.start(Request(text, caller, conversation_id, language=language, route=route))
            events = [event async for event in steward.runs.watch(run)]
            shown += [run.request.text, str(events), dumps(answer_json(run.answer))]
            answer = run.answer
    told = "\n".join([*heard, *shown, *(record.getMessage() for record in caplog.records)])
    return IDS.sub("", told).casefold(), answer


@pytest.mark.parametrize(
    ("text", "language", "parts"),
    [
        ("unlock the front door 73915826", "en", [LONG]),
        ("unlock the front door with 73915826", "en", [LONG]),
        ("please use seven three nine one to unlock the front door", "en", ["seven", "three nine"]),
        ("73915826 unlock the front door", "en", [LONG]),
        ("would you be so kind and let me in through the door 73915826", "en", [LONG]),
        ("don't unlock the front door 73915826", "en", [LONG]),
        ("my secret number is 73915826", "en", [LONG]),
        ("schließe die Haustür auf 73915826", "de", [LONG]),
        ("déverrouille Front door sept trois neuf un cinq huit deux six", "fr", ["sept", "trois neuf"]),
    ],
)
async def test_a_pin_that_nobody_asked_for_is_in_no_run_reply_log_or_model(
    guarded, meet, caplog, tmp_path, text, language, parts
):
    ann = await meet(guarded, "Ann", "8351")
    shown, _ = await said_in(guarded, caplog, [(text, ann, "", language)])
    for part in parts:
        assert part not in shown, part
        assert all(part.encode() not in file.read_bytes().lower() for file in tmp_path.rglob("*.db*")), part


async def test_the_right_pin_with_the_request_opens_the_lock_though_no_word_for_it_is_said(guarded, home, meet):
    ann = await meet(guarded, "Ann", "8351")
    answer = await guarded.steward.ask(Request(f"{UNLOCK} with 8351", ann))
    assert (answer.outcome, answer.plan.request) == (Outcome.ACTED, UNLOCK)


async def test_a_key_is_expected_of_an_owner_although_somebody_else_spoke_in_between(guarded, home, meet, caplog):
    ann, ben = await meet(guarded, "Ann", "b7k9x2", is_admin=True), await meet(guarded, "Ben")
    asked = await guarded.steward.ask(Request(UNLOCK, ann, "hall"))
    await guarded.steward.ask(Request("turn on the light", ben, "hall"))
    assert asked.question.kind == "pin"
    done = await guarded.steward.ask(Request("b7k9x2", ann, "hall"))
    assert (done.outcome, [call.id for call in home.calls][-1]) == (Outcome.ACTED, "lock.unlock")


async def test_a_key_that_comes_after_something_else_or_elsewhere_is_passed_on_to_nobody(guarded, meet, caplog):
    ann = await meet(guarded, "Ann", "b7k9x2")
    shown, answer = await said_in(
        guarded,
        caplog,
        [(UNLOCK, ann, "a", "en"), ("turn on the kitchen light", ann, "a", "en"), ("b7k9x2", ann, "b", "en")],
    )
    assert "b7k9x2" not in shown
    assert answer.outcome is Outcome.FAILED


# --- for any PIN at all -------------------------------------------------------------------------------------------------------------

CARRIERS = {
    "en": [
        "unlock the front door {}",
        "unlock the front door with {}",
        "{} unlock the front door",
        "please use {} to unlock the front door",
        "open the garage, {}",
        "disarm the alarm using {} please",
        "could you {} open the gate for me",
        "my secret number is {}",
    ],
    "de": [
        "schließe die Haustür auf {}",
        "mit {} die Haustür aufschließen",
        "{} öffne das Garagentor",
        "entsperre bitte die Tür {}",
        "nimm {} um die Haustür zu öffnen",
    ],
    "fr": [
        "déverrouille la porte {}",
        "ouvre le garage avec {}",
        "{} ouvre la porte",
        "utilise {} pour ouvrir la porte",
    ],
}


def _ways(language, digits):
    words = [group[0] for group in table("pins", language)["digits"]]
    spelled = [words[int(digit)] for digit in digits]
    return [digits, " ".join(digits), "-".join(digits), ", ".join(digits), " ".join(spelled), ", ".join(spelled)]


PINS = st.text("0123456789", min_size=4, max_size=12).filter(
    lambda pin: not (len(pin) == 4 and pin[:2] in {"19", "20"})
)


@given(st.data(), PINS, st.sampled_from(sorted(CARRIERS)))
def test_whatever_the_pin_and_the_sentence_around_it_nothing_of_it_stays(data, pin, language):
    said = data.draw(st.sampled_from(_ways(language, pin)))
    carrier = data.draw(st.sampled_from(CARRIERS[language]))
    bare = {word for group in table("pins", language)["digits"] for word in group} - {
        "ein",
        "eine",
        "un",
        "une",
        "o",
        "oh",
    }
    for text, expected in ((carrier.format(said), False), (carrier.format(said), True), (said, True)):
        rest, given_pin = taken(text, language, expected=expected)
        assert given_pin == pin
        assert not any(sign.isdigit() for sign in rest)
        assert not bare & set(rest.casefold().split())


def test_every_language_says_what_a_pin_opens_and_what_is_an_amount():
    for language in languages("pins"):
        raw = table("pins", language)
        assert all(raw[key] for key in ("about", "onward", "clock", "channel", "year", "months", "units")), language
