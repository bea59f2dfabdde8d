"""How a command ends: with its result, or with an error in the form that was asked for; always with the right exit code."""

import asyncio
import logging
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import NoReturn

import typer

from homesteward.cli import exits, show
from homesteward.cli.exits import Exit
from homesteward.core.errors import ErrorInfo, HomestewardError
from homesteward.core.redaction import Redactor

LOG = logging.getLogger(__name__)

STOPS = (signal.SIGINT, signal.SIGTERM)


def ended(app: typer.Typer) -> NoReturn:
    """Run the command line of `app` to its exit. With `--json`, bad usage is a JSON document like every other failure."""
    if "--json" not in sys.argv:
        app()
    try:
        code = app(standalone_mode=False) or Exit.DONE
    except typer.TyperException as error:
        show.as_json({"error": ErrorInfo("bad_usage", error.format_message(), retry=False, next="See --help.")})
        code = Exit.USAGE
    sys.exit(code)


def guarded[T](work: Callable[[], Awaitable[T]], *, as_json: bool, serves: bool = False) -> T:
    """Return what `work` gives; where it fails, show the error in the form asked for and exit with its code.

    A service gets the faster event loop; a command is over before that has been loaded.
    """
    try:
        return asyncio.run(_awaited(work), loop_factory=_fast_loop if serves else None)
    except HomestewardError as error:
        fail(error.info, as_json=as_json)
    except Exception:  # the root of every command: whatever broke is told in the form that was asked for
        LOG.exception("A command failed inside Homesteward")
        fail(INTERNAL, as_json=as_json)


def fail(error: ErrorInfo, *, as_json: bool) -> NoReturn:
    """Show `error` and exit with its code. Something pasted into the wrong place is not repeated if it looks like a token."""
    clean = Redactor().clean
    error = replace(error, message=clean(error.message), next=clean(error.next))
    if as_json:
        show.as_json({"error": error})
    else:
        show.failure(error)
    raise typer.Exit(exits.error_exit(error.code))


async def until_told(work: Callable[[], Awaitable[None]]) -> None:
    """Run `work` to its end, or until SIGINT or SIGTERM cancels it: what it holds is given back, and that is a good end.

    A second signal ends the process at once.
    """
    loop = asyncio.get_running_loop()
    task = asyncio.ensure_future(work())
    told = False

    def stop(number: int) -> None:
        nonlocal told
        if told:
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)
        told = True
        task.cancel()

    for number in STOPS:
        loop.add_signal_handler(number, stop, number)
    try:
        await task
    except asyncio.CancelledError:
        if not told:
            raise
    finally:
        for number in STOPS:
            loop.remove_signal_handler(number)


INTERNAL = ErrorInfo(
    "internal", "Something failed inside Homesteward.", retry=False, next="What is above says where; please report it."
)


def _fast_loop() -> asyncio.AbstractEventLoop:
    import uvloop  # noqa: PLC0415 - only where a service runs

    return uvloop.new_event_loop()


async def _awaited[T](work: Callable[[], Awaitable[T]]) -> T:
    return await work()
