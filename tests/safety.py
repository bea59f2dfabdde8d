"""The tables of docs/safety.md, worked out by judging every route: `scripts/safety-table` writes them there, a test holds the page to them."""

import asyncio
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from homesteward.actions.offers import Offers
from homesteward.actions.offers.scripts import HomeScripts
from homesteward.actions.reserved_calls import ReservedCalls
from homesteward.actions.resolve import resolve
from homesteward.core import HomestewardError, SystemClock
from homesteward.home.simulation import SimulatedHome
from homesteward.policy import Action, Decision, Kind, decide
from homesteward.policy.tables import DENIED_DOMAINS, RAW_DOMAINS, SERVICE_KINDS
from homesteward.store import Database
from judging import NOON, by
from routes import CALLERS, GUARDS, NOT_TAKEN, ROUTES, End, Route, offered, real_rooms, routed_home

WORDS = {
    (Action.ALLOW, False): "done at once",
    (Action.CONFIRM, False): "asked back",
    (Action.APPROVE, False): "waits",
    (Action.APPROVE, True): "waits for an owner",
    (Action.DENY, False): "refused",
}
# What a room or the form of a call says before anything is judged.
REFUSED = {"wrong_service": "no such service", "not_allowed": "refused"}


def routes_table() -> str:
    """Return one row per route: what becomes of it for each caller, the same for everything that guards the house, and the way as it is shown.

    A reserved call is prepared by the room that carries it out, and judged as that left it.
    """
    return asyncio.run(_routes_table())


async def _routes_table() -> str:
    home, clock = routed_home(), SystemClock()
    with TemporaryDirectory() as folder:
        database = await Database.open(Path(folder) / "rooms.db")
        try:
            offers = Offers(database, home, clock, sources=(HomeScripts(home),))
            rooms, routes = real_rooms(home, database, clock, offers), (*ROUTES, await offered(offers), *NOT_TAKEN)
            rows = [await _row(route, home, rooms) for route in routes]
        finally:
            await database.close()
    return "\n".join(
        [f"| by way of | {' | '.join(CALLERS)} | the way to a lock, or a garage door |", "|---" * 7 + "|", *rows]
    )


async def _row(route: Route, home: SimulatedHome, rooms: ReservedCalls) -> str:
    cells = {who: {end.name: await _decided(route, end, who, home, rooms) for end in GUARDS} for who in CALLERS}
    way = next((each.path for each in cells["owner"].values() if isinstance(each, Decision)), ())
    verdicts = " | ".join(_verdict(found) for found in cells.values())
    return f"| {route.name} | {verdicts} | {' › '.join(f'`{part}`' for part in way)} |"


def _verdict(decided: Mapping[str, Decision | str | None]) -> str:
    found: dict[str, list[str]] = {}
    for name, each in decided.items():
        word = WORDS[each.action, each.by_owner] if isinstance(each, Decision) else each
        if word is not None:
            found.setdefault(word, []).append(name)
    if len(found) == 1:
        return next(iter(found))
    return "; ".join(f"{word} ({', '.join(ends)})" for word, ends in found.items())


async def _decided(
    route: Route, end: End, who: str, home: SimulatedHome, rooms: ReservedCalls
) -> Decision | str | None:
    call = route.to(end)
    if call is None:
        return None
    room, caller = rooms.room_of(call), CALLERS[who]
    try:
        resolved = resolve(home, call) if room is None else (await room.prepare(call, caller)).call
    except HomestewardError as error:
        return REFUSED.get(error.code, f"not taken (`{error.code}`)")
    return decide(resolved, caller, home, by(), NOON)


def services_table() -> str:
    """Return one row per kind of services that are what they are, whatever they are aimed at."""
    forbidden = [*(f"{domain}.*" for domain in sorted(DENIED_DOMAINS)), *_of(Kind.FORBIDDEN)]
    sensitive = [*_of(Kind.SENSITIVE), *(f"{domain}.*" for domain in sorted(RAW_DOMAINS))]
    rows = {
        "never, whoever asks": forbidden,
        "a change of the set-up": ["*.reload", "*.reload_*", *_of(Kind.CONFIGURATION)],
        "sensitive, but for what stands in another row": sensitive,
        "an everyday thing": list(_of(Kind.ROUTINE)),
        "only reads": list(_of(Kind.READ)),
    }
    lines = [f"| {kind} | {', '.join(f'`{name}`' for name in names)} |" for kind, names in rows.items()]
    return "\n".join(["| what it is | services |", "|---|---|", *lines])


def _of(kind: Kind) -> Iterator[str]:
    return (name for name, found in sorted(SERVICE_KINDS.items()) if found is kind)
