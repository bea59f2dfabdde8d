"""A connection gives each command its own answer, each subscription its events, and everybody a clean end."""

import asyncio
from typing import cast

import aiohttp
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from homesteward.home.connection import Connection, Event, Heartbeat, socket_url
from homesteward.home.errors import ConnectionLostError, HaError, HaTimeoutError, NotConnectedError
from homesteward.home.life import Ending
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
    assert "was cut" in await connection.closed
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


async def test_a_server_that_answers_no_ping_hangs_and_is_left(far_end: FarEnd):
    far_end.silent |= {"ping", "call_service"}
    hung = Connection(
        cast("aiohttp.ClientWebSocketResponse", far_end), "http://home.test", None, heartbeat=Heartbeat(0, 0.01)
    )
    with pytest.raises(ConnectionLostError, match="ping"):
        await hung.send("call_service")
    assert hung.ending is Ending.HUNG
    await hung.close()


async def test_a_server_that_answers_pings_is_kept_and_the_way_is_measured(far_end: FarEnd):
    sent = asyncio.Event()
    far_end.answers["ping"] = lambda _message: sent.set()
    alive = Connection(
        cast("aiohttp.ClientWebSocketResponse", far_end), "http://home.test", None, heartbeat=Heartbeat(0, 5)
    )
    await sent.wait()
    assert await alive.send("hello") is None
    assert not alive.closed.done()
    await alive.close()
    assert alive.ending is Ending.CLOSED


@pytest.mark.parametrize(("code", "ending"), [(1000, Ending.GOODBYE), (1006, Ending.BROKEN), (1001, Ending.BROKEN)])
async def test_a_goodbye_is_told_from_a_cut(connection: Connection, far_end: FarEnd, code: int, ending: Ending):
    far_end.end(code)
    await connection.closed
    assert connection.ending is ending


async def test_a_connection_knows_when_it_heard_something_last(connection: Connection):
    began = connection.heard
    await connection.send("hello")
    assert connection.heard >= began
    assert connection.frames == 1


@pytest.mark.parametrize(("mebibytes", "comes"), [(20, True), (65, False)])
async def test_a_message_of_a_large_home_comes_whole_and_one_without_end_does_not(mebibytes: int, *, comes: bool):
    """Over a real socket, whose library would stop at 4 MiB."""

    async def speak(request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await socket.send_json({"type": "auth_required"})
        await socket.receive_json()
        await socket.send_json({"type": "auth_ok"})
        async for message in socket:
            asked = message.json()
            result = "x" * (mebibytes * 2**20) if asked["type"] == "get_states" else None
            await socket.send_json({"id": asked["id"], "type": "result", "success": True, "result": result})
        return socket

    app = web.Application()
    app.router.add_get("/api/websocket", speak)
    async with TestServer(app) as server:
        connection = await Connection.open(str(server.make_url("/")), "token")
        if comes:
            assert len(str(await connection.send("get_states"))) == mebibytes * 2**20
        else:
            with pytest.raises(ConnectionLostError):
                await connection.send("get_states")
        await connection.close()
