"""What the users behind contexts are called: asked of Home Assistant at the start, and again when an unknown one turns up."""

import asyncio
import logging
from collections.abc import Callable, Mapping

from pydantic import BaseModel, TypeAdapter, ValidationError

from homesteward.home.errors import HomeError
from homesteward.home.live import HeardHome, Undo
from homesteward.home.recorder import Line

_LOG = logging.getLogger(__name__)

PACE_S = 60.0  # a user who cannot be found would be asked for with every change he makes
MAX_UNKNOWN = 1_000  # ids that nobody knows: of users who were deleted

type Namer = Callable[[str, str], None]
"""Keeps what a user id is called."""


class _UserRow(BaseModel):
    id: str
    name: str | None = None
    username: str | None = None


_USERS = TypeAdapter(list[_UserRow])


class UserNames:
    """Learn the names of users and hand each new one to `tell`. Administrators' tokens get all; for others, persons stand in."""

    def __init__(self, home: HeardHome, line: Line, tell: Namer, pace_s: float = PACE_S) -> None:
        """Ask over `line` at most once in `pace_s` seconds; `home` has the persons."""
        self._home, self._line, self._tell, self._pace_s = home, line, tell, pace_s
        self._known: dict[str, str] = {}
        self._unknown: set[str] = set()
        self._wanted = asyncio.Event()

    def start(self) -> Undo:
        """Begin to learn; the returned undo ends it."""
        task = asyncio.create_task(self._go_on(), name="chronicle users")
        undo = self._home.on_known(lambda _gap: self._wanted.set())
        self._wanted.set()

        def stop() -> None:
            undo()
            task.cancel()

        return stop

    def saw(self, user_id: str) -> None:
        """Take that a user did something; one whose name is not known is asked for."""
        if user_id not in self._known and user_id not in self._unknown:
            self._wanted.set()
            if len(self._unknown) < MAX_UNKNOWN:
                self._unknown.add(user_id)

    async def _go_on(self) -> None:
        while True:
            await self._wanted.wait()
            self._wanted.clear()
            if self._home.connected:
                self._learn({**self._persons(), **await self._listed()})
            await asyncio.sleep(self._pace_s)

    def _learn(self, names: Mapping[str, str]) -> None:
        for user_id, name in names.items():
            if name and self._known.get(user_id) != name:
                self._known[user_id] = name
                self._tell(user_id, name)
        self._unknown -= self._known.keys()

    async def _listed(self) -> Mapping[str, str]:
        try:
            rows = _USERS.validate_python(await self._line.send("config/auth/list"))
        except (HomeError, ValidationError) as error:
            _LOG.debug("The users cannot be listed (%s); persons stand in for them", type(error).__name__)
            return {}
        return {row.id: row.name or row.username or "" for row in rows}

    def _persons(self) -> Mapping[str, str]:
        """Return the names of persons by the user each is."""
        persons = [state for state in self._home.states.values() if state.domain == "person"]
        return {str(user_id): person.name for person in persons if (user_id := person.attributes.get("user_id"))}
