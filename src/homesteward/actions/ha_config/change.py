"""One change of one object: written once, looked at until Home Assistant really has it, and undone where it does not."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from homesteward.actions.ha_config.errors import NotTakenError
from homesteward.actions.ha_config.kind import Kind, Sight
from homesteward.actions.ha_config.text import same
from homesteward.core import HomestewardError
from homesteward.core.json import JsonObject
from homesteward.home.errors import CallUncertainError, HomeError

# Seconds between looks at what became of it: Home Assistant says yes before it has reloaded, and a reload takes a moment.
LOOKS = (0.05, 0.1, 0.2, 0.3, 0.5, 0.5, 1.0, 1.0, 2.0, 2.0, 3.0)
type Pause = Callable[[float], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Change:
    """One change of one object: what was there, and what shall be (None: nothing)."""

    kind: Kind
    object_id: str
    old: JsonObject | None
    wanted: JsonObject | None

    @property
    def expected(self) -> str:
        """Return in words what shall be seen."""
        return "gone" if self.wanted is None else "as it was written"

    @property
    def left_at(self) -> str:
        """Return the id that the object has afterwards: an entity may have been given another."""
        renamed = (self.wanted or {}).get("new_entity_id")
        return renamed if isinstance(renamed, str) else self.object_id

    @property
    def whole_old(self) -> JsonObject | None:
        """Return what is to be seen again where the change is undone."""
        if not self.kind.patches or self.old is None:
            return self.old
        return {key: value for key, value in self.old.items() if key in (self.wanted or {})}

    async def write(self) -> None:
        """Make the change."""
        if self.wanted is None:
            await self.kind.remove(self.object_id)
        else:
            await self.kind.write(self.object_id, self.wanted, self.old)

    async def undo(self) -> None:
        """Take the change back."""
        if self.old is None:
            if not (await self.kind.seen(self.object_id, None)).there:
                await self.kind.remove(self.object_id)
            return
        back = {**(self.whole_old or {})}
        if self.left_at != self.object_id:
            back["new_entity_id"] = self.object_id
        await self.kind.write(self.left_at, back, self.wanted)


async def made(change: Change, pause: Pause) -> Sight:
    """Make the change and return what Home Assistant shows of it in the end; raise NotTakenError where it refused and nothing changed.

    Where no answer came, whether it was taken shows in what is looked at.
    """
    try:
        await change.write()
    except HomeError as error:  # of several commands, one before may have been taken
        if not isinstance(error, CallUncertainError) and await _as_before(change):
            raise NotTakenError(
                f"Home Assistant did not take it: {error.message} What was there is as it was.", next=error.next
            ) from error
    return await looked(change.kind, change.object_id, change.wanted, pause)


async def put_back(change: Change, sight: Sight, pause: Pause) -> str:
    """Undo the change and return in words what was seen and what is there now; raise CallUncertainError where that is not known."""
    try:
        await change.undo()
        back = await looked(change.kind, change.object_id, change.whole_old, pause)
    except HomestewardError as error:
        back = Sight(there=False, subject=sight.subject, observed=error.message)
    if not back.there and not await _as_before(
        change
    ):  # where nothing is loaded, that it lies there again is all there is
        raise CallUncertainError(
            f"{sight.subject}: {sight.observed}; and what was there before could not be put back: {back.observed}.",
            next="Look at it in Home Assistant. Its last version is kept here.",
        )
    return f"{sight.observed}; {'it was taken away again' if change.old is None else 'what was there before is back'}"


async def looked(kind: Kind, object_id: str, wanted: JsonObject | None, pause: Pause) -> Sight:
    """Look until Home Assistant has it so, or it has had long enough."""
    sight = Sight(there=False, subject=f"{kind.name} {object_id}", observed="not looked at")
    for seconds in (0.0, *LOOKS):
        if seconds:
            await pause(seconds)
        try:
            sight = await kind.seen(object_id, wanted)
        except HomeError as error:
            sight = Sight(there=False, subject=sight.subject, observed=error.message)
        if sight.there:
            break
    return sight


async def _as_before(change: Change) -> bool:
    try:
        return same(await change.kind.read(change.object_id), change.old)
    except HomestewardError:
        return False
