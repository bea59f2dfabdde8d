"""Whoever wants to hear at once that something became of a plan: told once it is kept, beside the audit that takes it down."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from sqlalchemy import Connection

from homesteward.actions.ties import AnyWitness, nothing_witnessed
from homesteward.core.ids import new_id
from homesteward.core.json import JsonObject
from homesteward.store import after_commit

type Undo = Callable[[], None]
type Listener = Callable[[str], None]
"""Takes the id of a plan that is another now. It runs on the event loop and must be quick."""


class Doings:
    """A witness of the gate's that passes on what it sees, and tells whoever listens which plan it was about."""

    def __init__(self, onward: AnyWitness = nothing_witnessed) -> None:
        """Have `onward` take everything down."""
        self._onward = onward
        self._listeners: dict[int, tuple[asyncio.AbstractEventLoop, Listener]] = {}
        self._next = 0
        self._start, self._count = new_id("start"), 0

    @property
    def mark(self) -> str:
        """Return a word that is another whenever something became of a plan since, also over a restart."""
        return f"{self._start}.{self._count}"

    def __call__(self, connection: Connection, kind: str, actor: str, subject: str, data: JsonObject, /) -> None:
        """Take down one entry about the plan `subject`, on a thread of the database."""
        self._onward(connection, kind, actor, subject, data)
        after_commit(connection, partial(self._pass_on, subject))

    def subscribe(self, callback: Listener) -> Undo:
        """Call `callback` on this loop with each plan that is another, once it is kept, until the returned undo is called."""
        self._next += 1
        key = self._next
        self._listeners[key] = (asyncio.get_running_loop(), callback)

        def undo() -> None:
            self._listeners.pop(key, None)

        return undo

    def _pass_on(self, plan_id: str) -> None:
        self._count += 1
        for loop, callback in list(self._listeners.values()):
            with suppress(RuntimeError):  # the loop has ended: nobody listens there any more
                loop.call_soon_threadsafe(callback, plan_id)
