"""What a terminal shows: text from outside stays text, and what is there to be copied is never cut short."""

from zoneinfo import ZoneInfo

import pytest

from homesteward.cli import show
from homesteward.core.errors import ErrorInfo

PLAN = {
    "id": "plan_01a22e07057b72289149c07bfa9bd57d",
    "state": "waiting",
    "needs": "approve",
    "request": "unlock [/red] the door",
    "created": "2026-11-30T12:00:00+00:00",
    "steps": [
        {
            "n": 1,
            "call": {"domain": "lock", "service": "unlock", "target": {"entity_id": ["lock.front_door"]}, "data": {"x": "[b]"}},
            "decision": {"action": "approve", "reason": "[/] a lock", "rule": "preset family: sensitive"},
            "state": "failed",
            "error": "it said \x1b[2J[/nonsense]",
            "note": "",
            "evidence": [
                {"entity_id": "lock.front_door", "expected": "unlocked", "observed": "[jammed]", "status": "mismatched"}
            ],
        }
    ],
}  # fmt: skip
ANSWER = {
    "reply": "Which one? :lock: [/bold]\x1b[1A\x9b2K",
    "plans": [PLAN],
    "question": {"kind": "which", "options": [{"label": "[link=x]Lamp"}]},
    "conversation_id": "conv_1",
}


@pytest.mark.parametrize("shown", [lambda: show.plan(PLAN), lambda: show.answer(ANSWER)])
def test_text_from_outside_is_shown_as_it_is_and_moves_nothing(shown, capsys):
    shown()
    out = capsys.readouterr().out
    assert "[jammed]" in out
    assert "\x1b" not in out
    assert "\x9b" not in out


def test_a_reply_keeps_its_brackets_and_colons(capsys):
    show.answer(ANSWER)
    out = capsys.readouterr().out
    assert "Which one? :lock: [/bold]" in out
    assert "[link=x]Lamp" in out


def test_an_id_is_never_cut_short_however_long_its_line_is(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    show.rows([PLAN | {"request": "a long request " * 20}], ("id", "state", "needs", "request"), "none")
    assert PLAN["id"] in capsys.readouterr().out


def test_a_row_stays_one_line_whatever_is_in_it(capsys):
    show.rows([{"name": "first\nsecond\tthird", "value": None}], ("name", "value"), "none")
    assert capsys.readouterr().out.splitlines() == ["name                value", "first second third"]


def test_a_time_is_shown_as_the_clock_on_the_wall_has_it(capsys, monkeypatch):
    monkeypatch.setattr(show, "_local", lambda moment, _zone: f"local {moment[:4]}")
    show.rows([PLAN], ("id", "created"), "none")
    assert "local 2026" in capsys.readouterr().out


def test_an_empty_table_says_so(capsys):
    show.rows([], ("id",), "There are no plans.")
    assert capsys.readouterr().out == "There are no plans.\n"


def test_a_failure_goes_to_stderr_with_the_way_on(capsys):
    show.failure(ErrorInfo("bad_usage", "[/] is wrong", retry=False, next="Write [x]."))
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err == "bad_usage: [/] is wrong\n  Write [x].\n"


def test_a_time_is_shown_in_the_zone_of_the_home_and_that_is_said(capsys):
    show.rows([PLAN], ("created",), "none", ZoneInfo("Asia/Kolkata"))
    show.in_zone(ZoneInfo("Asia/Kolkata"))

    told = capsys.readouterr()
    assert "2026-11-30 17:30" in told.out
    assert show.moment(PLAN["created"], ZoneInfo("Asia/Kolkata")) == "2026-11-30 17:30:00"
    assert "Asia/Kolkata" in told.err


def test_what_a_plan_reaches_beyond_what_it_names_is_shown(capsys):
    (step,) = PLAN["steps"]
    reaching = {**step, "reached": ["lock.front_door", "light.hall", "cover.garage"], "reached_more": 3}
    show.plan({**PLAN, "steps": [reaching]})
    assert "reaches light.hall, cover.garage, and 3 more" in capsys.readouterr().out


def test_the_way_from_a_call_to_what_decided_is_shown(capsys):
    (step,) = PLAN["steps"]
    decided = {**step["decision"], "path": ["script.turn_on", "script.let_in", "lock.front_door"]}
    show.plan({**PLAN, "steps": [{**step, "decision": decided}]})
    assert "reached by: script.turn_on > script.let_in > lock.front_door" in capsys.readouterr().out


@pytest.mark.parametrize("told", [show.plan, lambda document: show.decisions([document])], ids=["plan", "decision"])
def test_what_is_watched_for_longer_than_usual_is_said_with_the_reason(told, capsys):
    learned = {
        "entity_id": "cover.awning",
        "of": "cover awning",
        "service": "open_cover",
        "samples": 9,
        "usual_s": 80,
        "window_s": 120,
    }
    decision = {"action": "allow", "entity_ids": ["cover.awning"], "rule": "x", "reason": "y", "path": []}
    told({**PLAN, **decision, "learned": [learned]})
    out = capsys.readouterr().out
    assert "watched for up to 120 s: cover.awning (of 9 times, nine of ten took up to 80 s)" in out
