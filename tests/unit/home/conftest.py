"""A connection whose far end is scripted."""

from collections.abc import AsyncIterator
from typing import cast

import aiohttp
import pytest

from homesteward.home.connection import Connection
from unit.home.far_end import FarEnd


@pytest.fixture
def far_end() -> FarEnd:
    """The other side of `connection`."""
    return FarEnd()


@pytest.fixture
async def connection(far_end: FarEnd) -> AsyncIterator[Connection]:
    """A connection to the scripted far end."""
    opened = Connection(cast("aiohttp.ClientWebSocketResponse", far_end), "http://home.test:8123", None)
    yield opened
    await opened.close()
