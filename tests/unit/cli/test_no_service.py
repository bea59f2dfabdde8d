"""Without a service: what can be done is done here, and what cannot says why, in one document and with its exit code."""

import asyncio
import os
import socket
import sys

import pytest

from homesteward.core.json import dumps, loads
from homesteward.store import DataFolder


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ([], 2),
        (["nothing"], 2),
        (["ask"], 2),
        (["ask", "hello", "--nothing"], 2),
        (["plans"], 2),
        (["plans", "approve"], 2),
        (["plans", "approve", "plan_none", "--steps", "one"], 2),
        (["plans", "list", "--limit", "0"], 2),
        (["demo", "up", "--port", "70000"], 2),
    ],
)
async def test_bad_usage_exits_two_with_nothing_done(homesteward, words, code):
    plain = await homesteward(*words)
    assert plain.code == code
    as_json = await homesteward(*words, "--json")
    assert (as_json.code, as_json.json["error"]["code"]) == (code, "bad_usage")


async def test_help_is_no_failure(homesteward):
    ended = await homesteward("ask", "--help")
    assert ended.code == 0
    assert "--conversation" in ended.out


@pytest.mark.parametrize("words", [["ask", "hello"], ["plans", "list"], ["tools", "list"]])
async def test_without_a_home_either_it_is_not_connected(homesteward, words):
    ended = await homesteward(*words, "--json")
    assert (ended.code, ended.json["error"]["code"]) == (5, "not_connected")
    assert "demo up" in ended.json["error"]["next"]


async def test_an_address_where_nobody_answers_is_not_connected(homesteward):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    ended = await homesteward("ask", "hello", "--url", f"http://127.0.0.1:{port}", "--json")
    assert (ended.code, ended.json["error"]["code"]) == (5, "service_silent")
    assert ended.json["error"]["retry"]


@pytest.mark.parametrize("url", ["nowhere", "http://", "http://[", "ftp://127.0.0.1"])
async def test_an_address_that_is_none_is_not_connected(homesteward, url):
    ended = await homesteward("ask", "hello", "--url", url, "--json")
    assert (ended.code, ended.json["error"]["code"]) == (5, "service_silent")


async def test_a_data_folder_in_use_without_an_answer_is_not_connected(homesteward, data):
    with DataFolder.open(data):
        ended = await homesteward("ask", "hello", "--json")
    assert (ended.code, ended.json["error"]["code"]) == (5, "data_folder_locked")


async def test_a_service_file_left_by_a_killed_service_is_not_in_the_way(homesteward, data):
    """Its process id belongs to somebody else by now, and nobody listens at its port."""
    data.mkdir()
    (data / "service.json").write_text(dumps({"url": "http://127.0.0.1:1", "token": "old", "pid": os.getppid()}))
    ended = await homesteward("ask", "hello", "--json")
    assert ended.json["error"]["code"] == "not_connected"


async def test_bad_settings_are_bad_usage(homesteward, tmp_path):
    file = tmp_path / "settings.yaml"
    file.write_text("polcy: {}")
    ended = await homesteward("ask", "hello", "--config", str(file), "--json")
    assert (ended.code, ended.json["error"]["code"]) == (2, "bad_settings")


@pytest.mark.parametrize("home", [{}, {"HOMESTEWARD_HA__URL": "http://127.0.0.1:1"}])
async def test_the_doctor_says_that_home_assistant_is_missing(homesteward, monkeypatch, home):
    for name, value in home.items():
        monkeypatch.setenv(name, value)
    ended = await homesteward("doctor", "--json")
    assert ended.code == 1
    [check] = ended.json
    assert (check["check"], check["status"]) == ("home assistant", "fail")
    assert check["next"]
    assert "home assistant" in (await homesteward("doctor")).out


async def test_a_token_pasted_for_an_address_is_not_repeated(homesteward, monkeypatch):
    """E49: the whole kind, at the door of the command line."""
    token = "eyJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJmYWtlIn0.c2lnbmF0dXJl"
    named = await homesteward("ask", "hello", "--url", token, "--json")
    monkeypatch.setenv("HOMESTEWARD_HA__URL", token)
    monkeypatch.setenv("HOMESTEWARD_HA__TOKEN", token)
    opened = await homesteward("ask", "hello", "--json")
    examined = await homesteward("doctor", "--json")
    assert (named.code, opened.code, examined.code) == (5, 5, 1)
    for ended in (named, opened, examined):
        assert token[:8] not in ended.out + ended.err


async def test_no_demo_home_runs(homesteward):
    status = await homesteward("demo", "status", "--json")
    assert (status.code, status.json) == (5, {})
    assert (await homesteward("demo", "down", "--json")).json == {"stopped": False}


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"pid": "x"}'])
async def test_a_broken_demo_file_is_no_demo_home(homesteward, data, text):
    folder = data.with_name("data-demo")
    folder.mkdir()
    (folder / "demo.json").write_text(text)
    assert (await homesteward("demo", "status", "--json")).json == {}


async def test_a_process_that_only_got_the_demos_old_number_is_not_stopped(homesteward, data):
    folder = data.with_name("data-demo")
    folder.mkdir()
    stranger = await asyncio.create_subprocess_exec(sys.executable, "-c", "input()", stdin=asyncio.subprocess.PIPE)
    old = {"url": "http://127.0.0.1:1", "token": "old", "pid": stranger.pid}
    (folder / "demo.json").write_text(dumps(old))
    assert (await homesteward("demo", "down", "--json")).json == {"stopped": False}
    assert stranger.returncode is None
    stranger.kill()
    await stranger.wait()


async def test_what_breaks_inside_is_told_in_the_form_asked_for(homesteward, data, monkeypatch):
    """A fault of ours: still one document, exit 1, and the trace on stderr."""

    def broken(_: object) -> object:
        raise RuntimeError("a bolt came loose")

    monkeypatch.setattr("homesteward.cli.demo.loads", broken)
    folder = data.with_name("data-demo")
    folder.mkdir()
    (folder / "demo.json").write_text("{}")
    ended = await homesteward("demo", "status", "--json")
    assert (ended.code, ended.json["error"]["code"]) == (1, "internal")
    assert loads(ended.out)
