"""Long commands end in order at the first signal."""

import asyncio
import os
import signal

import pytest

from homesteward.cli.ending import until_told


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_a_signal_ends_the_work_and_what_it_holds_is_given_back(number):
    given_back = []

    async def work():
        try:
            asyncio.get_running_loop().call_soon(os.kill, os.getpid(), number)
            await asyncio.Event().wait()
        finally:
            given_back.append(True)

    await until_told(work)
    assert given_back == [True]


async def test_work_that_ends_by_itself_ends():
    async def work():
        return None

    await until_told(work)


async def test_what_the_work_raises_comes_through():
    async def work():
        raise RuntimeError("it broke")

    with pytest.raises(RuntimeError, match="it broke"):
        await until_told(work)


async def test_a_cancellation_that_nobody_signalled_stays_one():
    async def work():
        raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        await until_told(work)
