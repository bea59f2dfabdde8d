"""The tools every home has, behind a real gate on the small home."""

from collections.abc import AsyncIterator

import pytest

from homesteward.tools import ToolRegistry, standard_tools
from rooms import acting_gate


@pytest.fixture
async def registry(home, tmp_path) -> AsyncIterator[ToolRegistry]:
    """The tools on `home`; what they ask for is really done."""
    async with acting_gate(home, tmp_path) as gate:
        yield standard_tools(home, gate)
