"""A stream lives as long as there is something to tell and somebody who may hear it."""

import asyncio

import pytest

from homesteward.core import SystemClock
from homesteward.faces.web.streams import MOST_OF_ONE, Streams, TooManyStreamsError
from homesteward.people import Caller, Channel, Role
from homesteward.steward.request import Request
from homesteward.steward.runs import Runs

OWNER = Caller(Role.OWNER, Channel.PAGE, "Robin")


@pytest.fixture
def runs():
    return Runs(SystemClock())


@pytest.fixture
def run(runs):
    return runs.start(Request("hello", OWNER))


async def always():
    return True


def parts(stream):
    return stream.body_iterator


async def test_silence_is_broken_by_a_sign_of_life(runs, run):
    stream = Streams(beat_s=0.01).open(runs.watch(run), "robin", always)
    assert (await anext(parts(stream))).startswith(b":")
    runs.record(run, "done", {"outcome": "answered"})
    told = b"".join([part async for part in parts(stream)])
    assert b"event: done\n" in told
    assert b"id: 1\n" in told


async def test_a_stream_ends_with_the_session_it_was_opened_in(runs, run):
    signed_in = True

    async def alive():
        return signed_in

    stream = Streams(beat_s=0.01).open(runs.watch(run), "robin", alive)
    assert (await anext(parts(stream))).startswith(b":")
    signed_in = False
    told = [part async for part in parts(stream)]
    assert b"not_signed_in" in told[-1]


async def test_a_busy_stream_ends_with_the_session_too(runs, run):
    async def signed_out():
        return False

    stream = Streams(beat_s=0.01).open(runs.watch(run), "robin", signed_out)
    for _ in range(5):
        runs.record(run, "reasoning", {"text": "hm"})
    await asyncio.sleep(0.02)
    told = [part async for part in parts(stream)]
    assert b"not_signed_in" in told[-1]


async def test_one_caller_has_no_more_than_so_many_streams(runs, run):
    streams = Streams(beat_s=0.01)
    opened = [streams.open(runs.watch(run), "robin", always) for _ in range(MOST_OF_ONE)]
    for stream in opened:
        await anext(parts(stream))
    with pytest.raises(TooManyStreamsError):
        streams.open(runs.watch(run), "robin", always)
    await parts(opened[0]).aclose()
    streams.open(runs.watch(run), "robin", always)
    for stream in opened[1:]:
        await parts(stream).aclose()
