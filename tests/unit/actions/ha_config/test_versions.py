"""Versions: numbered per object, the same content once, and no more than so many."""

import pytest

from homesteward.actions.ha_config import Versions
from homesteward.actions.ha_config.errors import UnknownVersionError
from homesteward.actions.ha_config.versions import MOST


@pytest.fixture
def versions(database, clock):
    return Versions(database, "home", clock)


async def test_the_same_content_is_kept_once(versions):
    first = await versions.keep("script", "a", {"x": 1}, "ann", "p1")
    assert await versions.keep("script", "a", {"x": 1}, "ben", "p2") == first
    assert [version.author for version in await versions.listed("script", "a")] == ["ann"]


async def test_that_there_was_nothing_is_a_version_too(versions):
    await versions.keep("script", "a", None, "home assistant", "")
    await versions.keep("script", "a", {"x": 1}, "ann", "p")
    assert [version.config for version in await versions.listed("script", "a")] == [{"x": 1}, None]
    assert (await versions.newest("script", "a"), await versions.newest("script", "b")) == ({"x": 1}, None)


async def test_the_oldest_go_and_numbers_go_on(versions):
    for n in range(MOST + 5):
        await versions.keep("script", "a", {"x": n}, "ann", "p")
    kept = await versions.listed("script", "a")
    assert (len(kept), kept[0].n, kept[-1].n) == (MOST, MOST + 5, 6)
    with pytest.raises(UnknownVersionError):
        await versions.get("script", "a", 1)


async def test_each_object_and_each_home_has_its_own(versions, database, clock):
    await versions.keep("script", "a", {"x": 1}, "ann", "p")
    await versions.keep("scene", "a", {"x": 2}, "ann", "p")
    assert await versions.objects() == (("scene", "a", 1), ("script", "a", 1))
    assert await Versions(database, "other", clock).objects() == ()


async def test_each_is_told_to_the_witness_without_its_content(database, clock):
    told = []
    versions = Versions(database, "home", clock, lambda _connection, *entry: told.append(entry))
    await versions.keep("script", "a", {"x": "words"}, "ann", "p")
    ((kind, actor, subject, data),) = told
    assert (kind, actor, subject, data["n"], "words" in str(data)) == ("config.version", "ann", "script.a", 1, False)
