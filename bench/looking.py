"""The pages of a large house: 5,000 entities, 200 waiting plans, 100,000 rows of chronicle. How long each takes to answer, beside the API's own answer."""

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter_ns

import httpx2

from bench.homes import furnished
from bench.sample import Effort, Row, Sample, ms_since
from homesteward.app import House, wire
from homesteward.core import SystemClock
from homesteward.core.redaction import Redactor
from homesteward.home.calls import Call, Target
from homesteward.home.simulation import SimulatedHome
from homesteward.people import Channel
from homesteward.settings import Settings
from homesteward.settings.settings import PolicySettings

JUDGED = ("pages",)
ENTITIES = 5000
ROWS = 100_000
WAITING = 200
EACH = 20  # plans that may wait of one asker
PAST = 200
BETWEEN_FLUSHES = 5000
AT = "10 minutes ago"
# The page, and what the API answers of the same.
PAGES: Mapping[str, tuple[str, str]] = {
    "Home": ("/", "/api/v1/status"),
    "Actions, a page of 20 cards": ("/actions", "/api/v1/plans?state=waiting&limit=20"),
    "past Actions, a page of 50": ("/actions/past", "/api/v1/plans?limit=50"),
    "past Actions, nothing fits among all": ("/actions/past?text=nosuchthing", "/api/v1/plans?limit=50"),
    "Chronicle, a page of 50": ("/chronicle", "/api/v1/history?limit=50"),
    "Chronicle, by words": ("/chronicle?text=kitchen", "/api/v1/history?text=kitchen&limit=50"),
    "Chronicle, by area": ("/chronicle?area=kitchen", "/api/v1/history?area=kitchen&limit=50"),
    "why": ("/chronicle/why?entity=light.kitchen_ceiling_light", "/api/v1/why/light.kitchen_ceiling_light"),
    "the house at a moment": ("/chronicle/then?back=0", "/api/v1/home-at?at=now"),
    "House": ("/house", "/api/v1/status"),
    "House, a search": ("/house?text=temperature", "/api/v1/status"),
    "one thing": ("/house/lock.hallway_door", "/api/v1/why/lock.hallway_door"),
}


async def measure(effort: Effort) -> list[Row]:
    """Return how long each page takes, through the whole face in this process."""
    with TemporaryDirectory(prefix="homesteward-bench-") as folder:
        home, clock = furnished(ENTITIES), SystemClock()
        policy = PolicySettings(dry_run=False, verify_factor=0.01)
        settings = Settings(policy=policy, data=Path(folder))
        async with wire(settings, home, home, Path(folder), clock, Redactor()) as house:
            await _lived_in(house, home, min(1.0, effort.factor))
            headers = {"authorization": f"Bearer {house.token}", "accept": "text/html"}
            transport = httpx2.ASGITransport(app=house.api)
            async with httpx2.AsyncClient(transport=transport, base_url="http://localhost", headers=headers) as client:
                return [await _row(client, name, *paths, effort.times(40)) for name, paths in PAGES.items()]


async def _row(client: httpx2.AsyncClient, name: str, page: str, peer: str, times: int) -> Row:
    await _asked(client, page)  # the first one of each compiles its template and its statement
    await _asked(client, peer)
    found = [(await _asked(client, page), await _asked(client, peer)) for _ in range(times)]
    size = len((await client.get(page)).content) // 1024
    return Row(
        f"the page {name}",
        Sample.of(ours for ours, _ in found),
        "the API's answer",
        Sample.of(theirs for _, theirs in found),
        "pages",
        note=f"{size} KiB of HTML, {ENTITIES:,} entities, {WAITING} waiting plans, {ROWS:,} rows",
    )


async def _asked(client: httpx2.AsyncClient, path: str) -> float:
    began = perf_counter_ns()
    answer = await client.get(path)
    took = ms_since(began)
    if answer.status_code != 200:
        raise RuntimeError(f"{path} answered {answer.status_code}: {answer.text[:500]}")
    return took


async def _lived_in(house: House, home: SimulatedHome, part: float) -> None:
    """Fill the house with what happened, what waits and what was done."""
    if house.desk is None or house.memory.chronicle is None:
        raise RuntimeError("this house keeps no people or no chronicle")
    names = [name for name in home.states if name.startswith(("light.", "switch.", "binary_sensor.", "fan."))]
    for n in range(round(ROWS * part)):
        home.set_state(names[n % len(names)], "on" if (n // len(names)) % 2 else "off", n=n)
        if n % BETWEEN_FLUSHES == 0:
            await house.memory.chronicle.flush()
    await house.memory.chronicle.flush()
    locks = [name for name in home.states if name.startswith("lock.")]
    for n in range(round(WAITING * part)):
        person = await house.desk.people.signed_in_with_ha(f"ha_{n // EACH}", f"Person {n // EACH}", is_admin=False)
        caller = house.desk.people.caller_of(person, Channel.PAGE)
        call = Call("lock", "unlock", Target(entity_id=(locks[n % len(locks)],)))
        await house.gate.submit([call], caller, request=f"unlock number {n}")
    person = await house.desk.people.signed_in_with_ha("ha_past", "Past", is_admin=True)
    caller = house.desk.people.caller_of(person, Channel.PAGE)
    for n in range(round(PAST * part)):
        call = Call("light", "turn_off" if n % 2 else "turn_on", Target(entity_id=("light.kitchen_ceiling_light",)))
        await house.gate.submit([call], caller, request=f"switch it, {n}")
    await house.memory.chronicle.flush()
