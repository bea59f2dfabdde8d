"""Every failure has a status that somebody chose: what may work later is not told to be a mistake of whoever asks."""

import importlib
import pkgutil

import pytest

import homesteward
from homesteward.core.errors import HomestewardError
from homesteward.faces.web.problems import MEANINGS, STATUS


def kinds(of=HomestewardError):
    for kind in of.__subclasses__():
        yield kind
        yield from kinds(kind)


@pytest.fixture(scope="module")
def failures():
    """Every kind of failure that there is."""
    for module in pkgutil.walk_packages(homesteward.__path__, "homesteward."):
        if not module.name.endswith("__main__") and ".migrations." not in module.name:  # run by Alembic alone
            importlib.import_module(module.name)
    return [kind for kind in kinds() if kind.__module__.startswith("homesteward.")]


def test_every_failure_of_the_store_the_home_and_the_chronicle_has_a_status(failures):
    rooms = (
        "homesteward.store.failures",
        "homesteward.home.errors",
        "homesteward.chronicle.",
        "homesteward.faces.web.intake",
    )
    assert {kind.code for kind in failures if kind.__module__.startswith(rooms)} - {"error"} <= set(STATUS)


def test_every_code_with_a_status_is_one_that_there_is(failures):
    said = {"internal", "unknown_tool", "not_found"}  # said by a router or a task's root, not by an error of their own
    assert set(STATUS) - said <= {kind.code for kind in failures}
    assert set(STATUS.values()) <= set(MEANINGS)


@pytest.mark.parametrize(
    "code",
    [
        "disk_full",
        "database_busy",
        "database_unreachable",
        "commit_unknown",
        "ha_timeout",
        "call_failed",
        "auth_failed",
    ],
)
def test_what_fails_behind_us_is_no_mistake_of_whoever_asks(code):
    assert STATUS[code] == 503
