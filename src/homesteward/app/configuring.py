"""The room that writes Home Assistant's configuration, wired to a real home: a simulated one has no configuration."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from homesteward.actions.ha_config import ConfigRoom, Versions, kinds_of
from homesteward.actions.ha_config.sealed import SealedCodes
from homesteward.actions.reserved_calls import ReservedCalls
from homesteward.app.entry import Entry
from homesteward.core import Clock
from homesteward.home.access import Access
from homesteward.home.config_source import ConfigSource
from homesteward.home.link import HomeLink
from homesteward.home.rest import Rest
from homesteward.home.write import HaWriter
from homesteward.store import Database


@asynccontextmanager
async def open_configuration(
    access: Access,
    link: HomeLink | None,
    database: Database,
    clock: Clock,
    entry: Entry,
    reserved: ReservedCalls,
) -> AsyncIterator[ConfigRoom | None]:
    """Have `reserved` carry out changes of configuration over `link`, until this is left; None without one."""
    if link is None:
        yield None
        return
    home = link.mirror
    rest, writer = Rest(access, link.tokens), HaWriter(access, link.tokens, link)
    versions = Versions(database, home.home_id, clock, entry.witness)
    kinds = kinds_of(ConfigSource(rest, link), writer, home, clock, versions.newest)
    room = ConfigRoom(kinds, versions, home, clock, sealed=SealedCodes(entry.secrets.own("config")))
    put_out = reserved.add(room)
    try:
        yield room
    finally:
        put_out()
        await writer.close()
        await rest.close()
