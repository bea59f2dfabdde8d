"""What people leave behind by being somewhere: motion, doors, locks, phones, and whether anybody is home."""

import random
from collections.abc import Sequence
from typing import Any

from homesteward.demo.past.book import Book
from homesteward.demo.past.hands import Hands
from homesteward.demo.past.people import MINUTE, Day, Resident, Stay, Who, occupied
from homesteward.demo.past.scripted import slug

MOVES = {"motion", "occupancy", "presence"}
STILL = (25.0, 110.0)  # seconds that a motion sensor stays on
PAUSE = (90.0, 1100.0)  # seconds that people sit still
WORK = 4 * 60 * MINUTE  # who is away for longer is at work


def show_presence(
    book: Book, hands: Hands, days: Sequence[Day], residents: Sequence[Resident], rng: random.Random
) -> None:
    """Write down the motion, the ways in and out, and who was home."""
    stays = [stay for day in days for person in day.people.values() for stay in person.stays]
    _motion(book, stays, rng)
    for resident in residents:
        trips = [trip for day in days for trip in day.people[resident.who].trips]
        _whereabouts(book, resident, trips)
        for left, back in trips:
            _through_the_door(book, hands, left, rng)
            _through_the_door(book, hands, back, rng)
    _headcount(book, days, residents)


def _motion(book: Book, stays: Sequence[Stay], rng: random.Random) -> None:
    for sensor in book.house.all("binary_sensor"):
        if sensor.device_class not in MOVES or sensor.area is None:
            continue
        for start, end in occupied(stays, sensor.area):
            at = start + rng.uniform(0.3, 2)
            while at < end:
                book.change(at, sensor, "on")
                still = min(at + rng.uniform(*STILL), end + STILL[0])
                book.change(still, sensor, "off")
                at = still + rng.uniform(*PAUSE)


def _whereabouts(book: Book, resident: Resident, trips: Sequence[tuple[float, float]]) -> None:
    facts: dict[str, Any] = {"editable": True, "id": resident.person.partition(".")[2], "user_id": resident.user}
    facts |= {"source": resident.trackers[0]} if resident.trackers else {}
    at_work = _workplace(book, resident)
    marks = [(0.0, "home")]
    for left, back in trips:
        marks += [(left + 3 * MINUTE, at_work if back - left > WORK else "not_home"), (back - MINUTE, "home")]
    for at, place in marks:
        zones = [] if place == "not_home" else [f"zone.{slug(place)}"]
        cause = book.cause(at)
        for tracker in resident.trackers:
            book.change(at, tracker, place, cause=cause, in_zones=zones)
        # The person follows its phone in the same context.
        book.change(at + 0.001, resident.person, place, cause=cause, **facts, in_zones=zones)


def _workplace(book: Book, resident: Resident) -> str:
    """Return the zone that somebody works in: where the inventory has their phone, if that is not at home."""
    phones = [book.house.get(tracker) for tracker in resident.trackers]
    places = [phone.state for phone in phones if phone is not None]
    return next((place for place in places if place not in {"home", "not_home", "unknown"}), "not_home")


def _through_the_door(book: Book, hands: Hands, at: float, rng: random.Random) -> None:
    lock = book.house.first("lock", area="Hallway")
    door = book.house.first("binary_sensor", area="Hallway", device_class="door")
    if lock is not None:
        hands.by_wall(at - 15, "lock.unlock", lock.entity_id)
        hands.by_wall(at + 20, "lock.lock", lock.entity_id)
    if door is not None:
        book.change(at - 6, door, "on")
        book.change(at + rng.uniform(4, 15), door, "off")


def _headcount(book: Book, days: Sequence[Day], residents: Sequence[Resident]) -> None:
    home = dict.fromkeys((resident.who for resident in residents), True)
    marks = sorted(
        (at, who, arrives)
        for day in days
        for who, person in day.people.items()
        if who in home
        for left, back in person.trips
        for at, arrives in ((left + 3 * MINUTE + 0.002, False), (back - MINUTE + 0.002, True))
    )
    for at, who, arrives in [(0.0, Who.OWNER, True), *marks]:
        home[who] = arrives
        there = [resident for resident in residents if home[resident.who]]
        trackers = [tracker for resident in there for tracker in resident.trackers]
        people = [resident.person for resident in there]
        book.change(at, "zone.home", str(len(there)), persons=people, device_trackers=trackers)
