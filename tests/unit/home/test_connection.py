"""A connection gives each command its own answer, each subscription its events, and everybody a clean end."""

import asyncio

import pytest

from homesteward.home.connection import Connection, Event, socket_url
from homesteward.home.errors import ConnectionLostError, HaError, HaTimeoutError, NotConnectedError
from unit.home.far_end import FarEnd


async def test_ids_rise_and_answers_find_their_command(connection: Connection, far_end: FarEnd):
    far_end.answers["echo"] = lambda message: message["word"]
    answers = await asyncio.gather(*(connection.send("echo", word=word) for word in "abc"))
    assert answers == ["a", "b", "c"]
    assert [message["id"] for message in far_end.sent] == [1, 2, 3]


async def test_answers_may_come_in_any_order_and_in_one_frame(connection: Connection, far_end: FarEnd):
    far_end.silent.add("ask")
    waiting = [asyncio.create_task(connection.send("ask")) for _ in range(2)]
    await asyncio.sleep(0)
    far_end.say([{"id": n, "type": "result", "success": True, "result": n} for n in (2, 1)])
    assert [await task for task in waiting] == [1, 2]


async def test_home_assistants_error_keeps_its_code(connection: Connection, far_end: FarEnd):
    far_end.answers["bad"] = lambda _message: Exception("not_found", "Service light.explode not found.")
    with pytest.raises(HaError, match="explode") as told:
        await connection.send("bad")
    assert told.value.code == "not_found"


async def test_a_command_without_an_answer_times_out_and_leaves_nothing_behind(connection: Connection, far_end: FarEnd):
    far_end.silent.add("hang")
    with pytest.raises(HaTimeoutError, match="hang"):
        await connection.send("hang", timeout_s=0.01)
    assert not connection._waiting


async def test_a_cancelled_command_leaves_nothing_behind(connection: Connection, far_end: FarEnd):
    far_end.silent.add("hang")
    task = asyncio.create_task(connection.send("hang"))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not connection._waiting


async def test_events_reach_the_handler_also_before_the_answer_and_not_after_the_undo(
    connection: Connection, far_end: FarEnd
):
    heard: list[Event] = []
    far_end.silent.add("subscribe_events")
    task = asyncio.create_task(connection.subscribe("subscribe_events", heard.append))
    await asyncio.sleep(0)
    far_end.say(
        [{"id": 1, "type": "event", "event": {"n": 1}}, {"id": 1, "type": "result", "success": True, "result": None}]
    )
    undo = await task
    await undo()
    far_end.say({"id": 1, "type": "event", "event": {"n": 2}})
    await connection.send("ping")
    assert heard == [{"n": 1}]
    assert far_end.sent[1] == {"id": 2, "type": "unsubscribe_events", "subscription": 1}


async def test_a_refused_subscription_is_forgotten(connection: Connection, far_end: FarEnd):
    far_end.answers["subscribe_events"] = lambda _message: Exception("unauthorized", "Unauthorized")
    with pytest.raises(HaError):
        await connection.subscribe("subscribe_events", lambda _event: None)
    assert not connection._handlers


async def test_a_handler_that_fails_does_not_end_the_connection(
    connection: Connection, far_end: FarEnd, caplog: pytest.LogCaptureFixture
):
    def fails(_event: Event) -> None:
        raise RuntimeError

    await connection.subscribe("subscribe_events", fails)
    far_end.say({"id": 1, "type": "event", "event": {}})
    assert await connection.send("ping") is None
    assert "subscription 1 failed" in caplog.text


async def test_a_lost_connection_tells_what_was_sent_from_what_was_not(connection: Connection, far_end: FarEnd):
    far_end.breaks_on.add("call_service")
    with pytest.raises(ConnectionLostError):
        await connection.send("call_service")
    assert "Home Assistant closed" in await connection.closed
    with pytest.raises(NotConnectedError) as told:
        await connection.send("ping")
    assert not isinstance(told.value, ConnectionLostError)
    assert len(far_end.sent) == 1


async def test_closing_twice_is_closing_once(connection: Connection):
    await connection.close()
    await connection.close()
    assert connection.closed.result() == "closed by us"


@pytest.mark.parametrize(
    ("typed", "address"),
    [
        ("http://127.0.0.1:8123", "ws://127.0.0.1:8123/api/websocket"),
        ("https://home.test/", "wss://home.test/api/websocket"),
        ("ws://x:1/core/websocket", "ws://x:1/core/websocket"),
    ],
)
def test_the_address_that_a_person_types_leads_to_the_socket(typed: str, address: str):
    assert socket_url(typed) == address


def test_an_address_without_a_scheme_is_no_address():
    with pytest.raises(ValueError, match="home"):
        socket_url("home:8123")


async def test_nobody_there_is_not_connected():
    with pytest.raises(NotConnectedError, match="cannot be reached"):
        await Connection.open("http://127.0.0.1:9", "token-of-nobody")


async def test_a_wrong_address_is_not_connected():
    with pytest.raises(NotConnectedError):
        await Connection.open("home", "token-of-nobody")
