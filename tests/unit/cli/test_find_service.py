"""Which service a command talks to: the one named, the environment's, the one that runs here, the demo's; never one that is gone."""

import json
import os

import pytest

from homesteward.cli.client import Place, find_service


def write(folder, **changes):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "service.json").write_text(
        json.dumps({"url": f"http://{folder.name}", "token": f"of {folder.name}", "pid": os.getpid()} | changes)
    )


@pytest.fixture
def here(tmp_path):
    """An environment whose data folder is `tmp_path/data`; the demo's is beside it."""
    return {"HOMESTEWARD_DATA": str(tmp_path / "data")}


def test_without_anything_there_is_none(here):
    assert find_service(environ=here) is None


def test_the_one_that_runs_here_is_found_before_the_demo(here, tmp_path):
    write(tmp_path / "data")
    write(tmp_path / "data-demo")
    assert find_service(environ=here) == Place("http://data", "of data")


def test_the_demo_is_found_where_nothing_else_runs(here, tmp_path):
    write(tmp_path / "data-demo")
    assert find_service(environ=here) == Place("http://data-demo", "of data-demo")


def test_the_environment_wins_over_what_runs_here(here, tmp_path):
    write(tmp_path / "data")
    named = here | {"HOMESTEWARD_URL": "http://named", "HOMESTEWARD_TOKEN": "named"}
    assert find_service(environ=named) == Place("http://named", "named", named=True)


def test_what_is_said_wins_over_the_environment(here):
    named = here | {"HOMESTEWARD_URL": "http://named", "HOMESTEWARD_TOKEN": "named"}
    assert find_service("http://said", "said", named) == Place("http://said", "said", named=True)


def test_a_token_that_is_said_is_the_one_that_is_used(here, tmp_path):
    write(tmp_path / "data")
    assert find_service(token="said", environ=here) == Place("http://data", "said")


def test_the_token_of_the_service_here_is_never_sent_elsewhere(here, tmp_path):
    write(tmp_path / "data")
    assert find_service("http://elsewhere", environ=here) == Place("http://elsewhere", "", named=True)


@pytest.mark.parametrize("pid", [2**22 + 1, 0, -1, "1", None, 2**70])
def test_a_file_whose_process_is_gone_is_left_alone(here, tmp_path, pid):
    write(tmp_path / "data", pid=pid)
    write(tmp_path / "data-demo")
    assert find_service(environ=here) == Place("http://data-demo", "of data-demo")


@pytest.mark.parametrize("change", [{"url": ""}, {"url": None}, {"token": 7}])
def test_a_file_without_an_address_or_a_token_is_left_alone(here, tmp_path, change):
    write(tmp_path / "data", **change)
    assert find_service(environ=here) is None


@pytest.mark.parametrize("text", ["", "{", "[]", "7", "\x00"])
def test_a_broken_file_is_left_alone(here, tmp_path, text):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "service.json").write_text(text)
    assert find_service(environ=here) is None


def test_a_folder_in_the_files_place_is_left_alone(here, tmp_path):
    (tmp_path / "data" / "service.json").mkdir(parents=True)
    assert find_service(environ=here) is None
