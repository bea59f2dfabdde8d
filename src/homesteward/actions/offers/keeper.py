"""The offers of a home: found by looking at each source, and read as what they are at this moment."""

import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from sqlalchemy import Connection

from homesteward.actions.offers.arguments import call_of
from homesteward.actions.offers.errors import away, gone, no_server, not_enabled
from homesteward.actions.offers.intake import not_found, taken_in
from homesteward.actions.offers.offer import Offer, OfferState
from homesteward.actions.offers.rows import OfferRows, OffersFullError, unknown
from homesteward.actions.offers.tool import Tool, ToolSource, keepable
from homesteward.actions.ties import AnyWitness, nothing_witnessed
from homesteward.core import Clock
from homesteward.core.json import JsonObject
from homesteward.home.calls import Call, ResolvedCall
from homesteward.home.live import LiveHome
from homesteward.home.model import EMPTY
from homesteward.people import SYSTEM, Caller, Role
from homesteward.people.audit import actor_of
from homesteward.policy import impact_of
from homesteward.store import Database

_LOG = logging.getLogger(__name__)

HOUSEHOLD = frozenset({Role.OWNER, Role.MEMBER, Role.SYSTEM})
FOUND, CHANGED, GONE = "offer.found", "offer.changed", "offer.gone"


@dataclass(frozen=True, slots=True)
class Looked:
    """What a look at a source came to: how many offers are new, changed or gone, and how many could not be kept."""

    new: int = 0
    changed: int = 0
    gone: int = 0
    left: int = 0


@dataclass(frozen=True, slots=True)
class _Listed:
    """What a source offered at one of its revisions, and how much of it cannot be kept."""

    revision: int
    tools: Mapping[str, Tool]
    left: int


class Offers:
    """Keep the offers of one home. Looking proposes; only `enabling.OfferCalls` enables, through the gate."""

    def __init__(
        self,
        database: Database,
        home: LiveHome,
        clock: Clock,
        *,
        sources: Iterable[ToolSource] = (),
        witness: AnyWitness = nothing_witnessed,
        tell: Callable[[Offer], None] = lambda _: None,
    ) -> None:
        """Look at `sources`; what becomes of an offer is told to `witness`, and to `tell` where one is not any more what was enabled."""
        self.rows = OfferRows(home.home_id)
        self.database, self.clock, self.witness = database, clock, witness
        self._home, self._tell_of = home, tell
        self._sources = {source.name: source for source in sources}
        self._looked: dict[str, int] = {}
        self._listed: dict[str, _Listed] = {}
        self._enabled: tuple[Offer, ...] | None = None
        self._decided = 0

    @property
    def sources(self) -> tuple[ToolSource, ...]:
        """Return the sources that are set up."""
        return tuple(self._sources.values())

    async def look(self, source: ToolSource) -> Looked:
        """Take in what `source` offers now. One that cannot be reached says nothing about what it offers."""
        if not source.connected:
            return Looked()
        revision = source.revision
        looked = await self._look(source)
        self._looked[source.name] = revision
        return looked

    async def catch_up(self) -> None:
        """Look at every source that may offer something else than when it was looked at last."""
        for source in self.sources:
            if source.connected and self._looked.get(source.name) != source.revision:
                looked = await self.look(source)
                if looked.left:
                    _LOG.warning("%d offers of %s could not be kept", looked.left, source.name)

    async def all(self, by: Caller) -> tuple[Offer, ...]:
        """Return the offers that exist for `by`, by source and tool."""
        await self.catch_up()
        found = await self.database.read(self.rows.all)
        return tuple(offer for offer in found if self._shown(offer, by))

    async def get(self, offer_id: str, by: Caller) -> Offer:
        """Return the offer; raise UnknownOfferError, also for one that does not exist for `by`."""
        await self.catch_up()
        found = await self.database.read(lambda connection: self.rows.one(connection, offer_id))
        if not self._shown(found, by):
            raise unknown(offer_id)
        return found

    async def enabled(self) -> tuple[Offer, ...]:
        """Return the enabled offers as they were read last, for a first look at a sentence: what is used is read anew (`sayable`)."""
        if self._enabled is not None:
            return self._enabled
        states, decided = (OfferState.ENABLED,), self._decided
        found = await self.database.read(lambda connection: self.rows.in_states(connection, states))
        if decided == self._decided:  # else it was read before what has been decided meanwhile
            self._enabled = found
        return found

    def decided(self) -> None:
        """Note that something was decided, so that what was read before counts no more."""
        self._enabled = None
        self._decided += 1

    async def sayable(self, by: Caller, area_id: str | None, *states: OfferState) -> tuple[Offer, ...]:
        """Return the offers in these states that `by` may use by what they are called, from where it is said."""
        await self.catch_up()
        found = await self.database.read(lambda connection: self.rows.in_states(connection, states))
        return tuple(offer for offer in found if self._for(offer, by, area_id))

    def call_of(self, offer: Offer, arguments: JsonObject = EMPTY) -> Call:
        """Return the ordinary call that uses the offer, to be given to the gate.

        Raises not_enabled, no_server, not_connected, tool_gone and needs_arguments: each says what keeps it.
        """
        if not offer.enabled:
            raise not_enabled(offer)
        if self.current(offer).fingerprint != offer.tool.fingerprint:  # changed a moment ago, and not looked at since
            raise not_enabled(offer)
        return call_of(offer, arguments)

    def current(self, offer: Offer) -> Tool:
        """Return the tool as its source offers it now; raise no_server, not_connected or tool_gone."""
        source = self._sources.get(offer.source)
        if source is None:
            raise no_server(offer)
        if not source.connected:
            raise away(offer)
        found = self._list_of(source).tools.get(offer.tool.name)
        if found is None:
            raise gone(offer)
        return found

    def _shown(self, offer: Offer, by: Caller) -> bool:
        """Return whether the offer exists for `by`: who lives here sees what was found, anybody else what they may use."""
        return self._within_reach(offer, by) and (
            by.role in HOUSEHOLD or (offer.enabled and by.role in offer.usage.roles)
        )

    def _within_reach(self, offer: Offer, by: Caller) -> bool:
        """Return whether what the offer acts on is within the reach of `by`; one that names nothing is for who reaches everything."""
        return by.reach is None or (bool(offer.tool.entity_id) and by.reach.holds(self._home, offer.tool.entity_id))

    def _list_of(self, source: ToolSource) -> _Listed:
        revision, listed = source.revision, self._listed.get(source.name)
        if listed is None or listed.revision != revision:
            tools, left = keepable(source.tools())
            listed = self._listed[source.name] = _Listed(revision, {tool.name: tool for tool in tools}, left)
        return listed

    async def _look(self, source: ToolSource) -> Looked:
        listed = self._list_of(source)
        tools, left = tuple(listed.tools.values()), listed.left
        effects = {tool.name: self._effect(tool) for tool in tools}
        known = await self.database.read(lambda connection: self.rows.of_source(connection, source.name))
        if not left and not any(self._steps(known, source.name, tools, effects)):
            return Looked()

        def work(connection: Connection) -> tuple[Looked, list[Offer]]:
            steps = self._steps(self.rows.of_source(connection, source.name), source.name, tools, effects)
            fallen = [after for before, after in steps if before and after and before.enabled and not after.enabled]
            return self._kept(connection, steps, left), fallen

        looked, fallen = await self.database.write(work)
        self.decided()
        for offer in fallen:
            self._tell_of(offer)
        return looked

    def _for(self, offer: Offer, by: Caller, area_id: str | None) -> bool:
        usage = offer.usage
        here = not usage.areas or (area_id or by.area_id) in usage.areas
        return here and (by.role in usage.roles or by.role is Role.SYSTEM) and self._within_reach(offer, by)

    def _effect(self, tool: Tool) -> str:
        """Return what policy says of what carries the tool out; what the tool says of itself counts for nothing."""
        domain, _, service = tool.service.partition(".")
        entities = (tool.entity_id,) if tool.entity_id else ()
        call = ResolvedCall(domain, service, entities)
        return impact_of(call, tool.entity_id or None, self._home).level.word

    def _steps(
        self, known: Iterable[Offer], source: str, tools: Iterable[Tool], effects: dict[str, str]
    ) -> list[tuple[Offer | None, Offer | None]]:
        """Return what changes, as pairs of before and after; None where there was none, or where there will be none."""
        now, by_tool = self.clock.now(), {offer.tool.name: offer for offer in known}
        pairs: list[tuple[Offer | None, Offer | None]] = []
        for tool in tools:
            before = by_tool.pop(tool.name, None)
            pairs.append((before, taken_in(before, source, tool, effects[tool.name], now)))
        pairs += [(before, not_found(before, now)) for before in by_tool.values()]
        return [(before, after) for before, after in pairs if before != after]

    def _kept(self, connection: Connection, steps: Iterable[tuple[Offer | None, Offer | None]], left: int) -> Looked:
        new = changed = lost = 0
        for before, after in steps:
            match before, after:
                case None, Offer():
                    try:
                        self.rows.add(connection, after)
                    except OffersFullError:
                        left += 1
                        continue
                    new += 1
                    self._tell(connection, FOUND, after)
                case Offer(), None:
                    lost += self.rows.remove(connection, before.id)
                    self._tell(connection, GONE, before)
                case Offer(), Offer():
                    changed += self.rows.replace(connection, before, after)
                    self._tell_change(connection, before, after)
        return Looked(new, changed, lost, left)

    def _tell_change(self, connection: Connection, before: Offer, after: Offer) -> None:
        if before.tool.fingerprint != after.tool.fingerprint or before.state is not after.state:
            self._tell(connection, CHANGED, after)
        if after.gone and not before.gone:
            self._tell(connection, GONE, after)

    def _tell(self, connection: Connection, kind: str, offer: Offer) -> None:
        told: JsonObject = {
            "source": offer.source,
            "tool": offer.tool.name,
            "state": offer.state.value,
            "fingerprint": offer.tool.fingerprint,
            "changed": offer.changed,
        }
        self.witness(connection, kind, actor_of(SYSTEM), offer.id, told)
