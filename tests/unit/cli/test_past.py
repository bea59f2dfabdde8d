"""What the terminal shows of the past: in the home's time, with what the answer's headers say beside it."""

import asyncio

import pytest

from homesteward.cli import past

ROW = {"at": "2026-11-30T23:28:41+00:00", "kind": "state", "entity_id": "light.kitchen", "old": "off", "new": "on"}
WHY = {
    "text": "Kitchen light turned on at 00:28.",
    "chain": [{"at": "2026-11-30T23:28:41+00:00", "kind": "state", "subject": "light.kitchen", "by": None}],
}
HOUSE = {"states": {"light.kitchen": {"state": "on", "since": "2026-11-30T23:28:41+00:00"}}, "unknown": {}}
LEARNED = {
    "of": "cover awning",
    "service": "open_cover",
    "samples": 9,
    "usual_s": 80.0,
    "window_s": 120.0,
    "table_s": 60,
    "holds_s": 120.0,
}
ANSWERS = {"/history": [ROW], "/why/light.kitchen": WHY, "/home-at": HOUSE, "/chronicle/windows": [LEARNED]}


class _Api:
    """Answers as the service does, and keeps what was asked."""

    def __init__(self, **headers: str) -> None:
        self.told = {"x-homesteward-time-zone": "Europe/Berlin"} | {
            f"x-homesteward-{name}": value for name, value in headers.items()
        }
        self.asked: dict[str, object] = {}

    async def get(self, path: str, **params: object) -> object:
        self.asked = params
        return ANSWERS[path]


@pytest.fixture
def service(monkeypatch):
    """Let the commands talk to an API with these headers."""

    def answering(**headers: str) -> _Api:
        api = _Api(**headers)
        monkeypatch.setattr(past, "with_api", lambda work, *_: asyncio.run(work(api)))
        return api

    return answering


@pytest.mark.parametrize(
    "words", [("history",), ("why", "light.kitchen"), ("home-at", "2026-12-01 00:30")], ids=lambda words: words[0]
)
async def test_times_are_those_of_the_home_and_that_is_said(homesteward, service, words):
    service()

    ended = await homesteward(*words)

    assert "2026-12-01 00:28" in ended.out
    assert "Times are those of the home, Europe/Berlin." in ended.err


async def test_history_that_was_cut_says_how_to_go_on_and_goes_on(homesteward, service):
    api = service(cursor="bzEtMQ")

    ended = await homesteward("history", "--cursor", "bzEtMg", "--json")

    assert api.asked["cursor"] == "bzEtMg"
    assert ended.json == [ROW]
    assert ended.err.strip() == "There is more: --cursor bzEtMQ"


async def test_how_a_time_was_understood_is_said(homesteward, service):
    service(notes="2026-10-25 02:30 came twice that night; the first is meant.")

    assert "came twice" in (await homesteward("home-at", "2026-10-25 02:30")).err


async def test_the_house_is_asked_about_only_the_entities_that_are_named(homesteward, service):
    api = service()

    await homesteward("home-at", "NOW", "--entity", "light.*")

    assert api.asked["entity"] == ["light.*"]


async def test_recent_activity_has_no_other_form_than_text_and_markdown(homesteward, service):
    service()

    ended = await homesteward("chronicle", "recent", "--format", "html")

    assert ended.code == 2
    assert "html" in ended.err


async def test_what_was_learned_of_how_long_things_take_is_shown_beside_what_is_usual(homesteward, service):
    service()

    ended = await homesteward("chronicle", "windows")

    heads, row = ended.out.splitlines()
    assert heads.split() == ["of", "service", "samples", "usual_s", "table_s", "holds_s"]
    assert row.split() == ["cover", "awning", "open_cover", "9", "80.0", "60", "120.0"]
