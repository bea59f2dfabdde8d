"""The connection to a real Home Assistant: who gets in, what is said, how it ends."""

import asyncio
import logging
from pathlib import Path

import pytest

from homesteward.core.redaction import PLACEHOLDER, RedactingFilter, Redactor
from homesteward.demo import DemoHome
from homesteward.home.connection import Connection
from homesteward.home.errors import AuthFailedError, HaError, NeedsAdminError, NotConnectedError
from homesteward.home.mirror import Mirror

pytestmark = pytest.mark.hass


async def test_a_token_that_is_not_accepted_says_what_to_do(demo_home: DemoHome):
    with pytest.raises(AuthFailedError) as told:
        await Connection.open(demo_home.address.url, "not-a-token-at-all")
    assert "long-lived access token" in told.value.next


async def test_the_token_is_in_no_log_line(demo_home: DemoHome, caplog: pytest.LogCaptureFixture):
    """E49: not whole, not as a prefix of eight characters, at the most talkative level."""
    redactor, token = Redactor(), demo_home.address.token
    caplog.handler.addFilter(RedactingFilter(redactor))
    with caplog.at_level(logging.DEBUG):
        connection = await Connection.open(demo_home.address.url, token, redactor=redactor)
        with pytest.raises(HaError) as told:
            await connection.send("no_such_command", access_token=token)
        logging.getLogger("homesteward").error("Invalid command: %s", {"access_token": token})
        await connection.close()
    assert token[:8] not in caplog.text
    assert token[-8:] not in caplog.text
    assert PLACEHOLDER in caplog.text
    assert token[:8] not in f"{told.value} {told.value.next}"


async def test_many_commands_at_once_get_each_its_own_answer(demo_home: DemoHome):
    connection = await Connection.open(demo_home.address.url, demo_home.address.token)
    config, areas, *pings = await asyncio.gather(
        connection.send("get_config"),
        connection.send("config/area_registry/list"),
        *(connection.send("get_panels") for _ in range(200)),
    )
    await connection.close()
    assert isinstance(config, dict)
    assert config["state"] == "RUNNING"
    assert isinstance(areas, list)
    assert len(pings) == 200


async def test_a_member_of_the_household_gets_in_but_cannot_read_the_whole_home(demo_home: DemoHome):
    connection = await Connection.open(demo_home.address.url, demo_home.address.member_token)
    with pytest.raises(NeedsAdminError, match="administrator"):
        await Mirror.start(connection)
    await connection.close()


async def test_a_home_that_stops_closes_the_connection_and_the_mirror_says_so(tmp_path: Path):
    demo_home = await DemoHome.start(tmp_path)  # one of its own: others still speak to the session's
    connection = await Connection.open(demo_home.address.url, demo_home.address.token)
    mirror = await Mirror.start(connection)
    await demo_home.restart()
    async with asyncio.timeout(10):
        await connection.closed
    assert not mirror.connected
    assert mirror.states["light.kitchen_ceiling_light"].state == "off"
    with pytest.raises(NotConnectedError):
        await connection.send("ping")
    await mirror.close()
    await connection.close()
    await demo_home.stop()
