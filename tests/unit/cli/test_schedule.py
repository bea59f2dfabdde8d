"""What is to be done later, from the command line."""

import json
from datetime import datetime
from zoneinfo import ZoneInfo


def written(tmp_path, name, document):
    file = tmp_path / name
    file.write_text(json.dumps(document))
    return str(file)


def home_time(home, at):
    return f"{datetime.fromisoformat(at).astimezone(ZoneInfo(home.config.time_zone)):%Y-%m-%d %H:%M}"


async def test_something_is_scheduled_listed_and_called_off(homesteward, service, home, tmp_path):
    light = written(tmp_path, "light.json", {"service": "light.turn_on", "entity_id": "light.kitchen"})
    given = written(tmp_path, "if.json", {"entity_id": "light.hall", "state": "off"})
    assert (await homesteward("schedule", "list")).out == "Nothing is scheduled.\n"
    added = await homesteward(
        "schedule", "add", light, "--in", "00:10:00", "--if", given, "--request", "supper", "--json"
    )
    assert (added.code, added.json["state"]) == (0, "completed")
    listed = await homesteward("schedule", "list")
    assert "light.turn_on light.kitchen" in listed.out
    assert "supper" in listed.out
    assert home_time(home, (await homesteward("schedule", "list", "--json")).json[0]["at"]) in listed.out
    (kept,) = (await homesteward("schedule", "list", "--json")).json
    assert kept["if"] == [{"entity_id": "light.hall", "state": ["off"]}]
    assert (await homesteward("schedule", "cancel", kept["id"])).code == 0
    assert (await homesteward("schedule", "list", "--json")).json == []
    (over,) = (await homesteward("schedule", "list", "--all", "--json")).json
    assert (over["state"], home.calls) == ("cancelled", [])


async def test_for_a_while_is_done_now_and_taken_back_later(homesteward, service, home, tmp_path):
    light = written(tmp_path, "light.json", {"service": "light.turn_on", "entity_id": "light.kitchen"})
    assert (await homesteward("schedule", "add", light, "--for", "3600")).code == 0
    assert [call.id for call in home.calls] == ["light.turn_on"]
    (kept,) = (await homesteward("schedule", "list", "--json")).json
    assert kept["call"]["service"] == "turn_off"


async def test_how_it_ended_is_the_exit_code(homesteward, service, tmp_path):
    unlock = written(tmp_path, "unlock.json", {"service": "lock.unlock", "entity_id": "lock.front_door"})
    shell = written(tmp_path, "shell.json", {"service": "shell_command.backup"})
    assert (await homesteward("schedule", "add", unlock, "--in", "600")).code == 4
    assert (await homesteward("schedule", "add", shell, "--in", "600")).code == 3
    assert (await homesteward("schedule", "add", unlock)).code == 2
    assert (await homesteward("schedule", "cancel", "schedule_none")).code == 1
