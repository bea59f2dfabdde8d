"""Looking at Home Assistant's users whenever they are others, so that nobody stays more here than they are there."""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from homesteward.core.errors import HomestewardError
from homesteward.home.health import Gap
from homesteward.home.live import HeardHome, Undo
from homesteward.home.users import CHANGES, Asks, users_of
from homesteward.people.person import Person
from homesteward.people.persons import People

_LOG = logging.getLogger(__name__)

type AsyncUndo = Callable[[], Awaitable[None]]
type Tell = Callable[[Sequence[Person]], None]


def _tell_the_log(changed: Sequence[Person]) -> None:
    for person in changed:
        _LOG.warning("Home Assistant's word changed somebody here: %s", person.id)


class Lookout:
    """Looks once at the start, at each change of a user there, and each time the home is known anew after a gap."""

    def __init__(self, home: HeardHome, ask: Asks, people: People, tell: Tell = _tell_the_log) -> None:
        """Hear of changes from `home`, ask `ask` for the users, have `people` follow them, and `tell` after each look whom it changed."""
        self._tell = tell
        self._home = home
        self._ask = ask
        self._people = people
        self._due = asyncio.Event()

    async def start(self) -> AsyncUndo:
        """Begin to look; return what ends it. Raises what listening to the home raises."""
        undo: list[Undo] = [self._home.on_known(self._known)]
        undo += [await self._home.listen(event_type, self._changed) for event_type in CHANGES]
        self._due.set()
        looking = asyncio.create_task(self._look_on(), name="users")

        async def end() -> None:
            for each in undo:
                each()
            looking.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await looking

        return end

    def _known(self, _gap: Gap | None) -> None:
        self._due.set()

    def _changed(self, _event: Mapping[str, Any]) -> None:
        self._due.set()

    async def _look_on(self) -> None:
        while True:
            await self._due.wait()
            self._due.clear()
            await self._look()

    async def _look(self) -> None:
        try:
            self._tell(await self._people.look(await users_of(self._ask)))
        except HomestewardError as error:  # the next connection, or the next change, brings another look
            _LOG.info("Home Assistant's users could not be read: %s", error.message)
        except Exception:  # noqa: BLE001 - the root of a task: whatever broke must not end the looking
            _LOG.exception("A look at Home Assistant's users failed")
