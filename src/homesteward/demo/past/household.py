"""What people do by hand in a day, beside their habits: lamps, television, windows, washing, and what draws power."""

import random
from collections.abc import Sequence
from typing import NamedTuple

from homesteward.demo.past.book import Book
from homesteward.demo.past.hands import Hands
from homesteward.demo.past.people import MINUTE, Day, Resident, Stay, Who, occupied
from homesteward.demo.past.place import LAMPS, Place
from homesteward.demo.past.rooms import Thing

HOUR = 60 * MINUTE
BY_VOICE_OR_PHONE = 0.4  # of what people do, the rest is done at the wall
WASH_DAYS = (1, 3, 5)
CLEANING_DAYS = (0, 2, 4)
TITLES = ("Morning news", "Concert", "Jazz at breakfast", "Traffic and weather")


class Load(NamedTuple):
    """Power that one device drew for a while."""

    device: str
    start: float
    end: float
    watts: float


class Household:
    """A day after the other, written into the book."""

    def __init__(
        self,
        book: Book,
        hands: Hands,
        place: Place,
        residents: Sequence[Resident],
        rng: random.Random,
        automated: set[str],
    ) -> None:
        """Live in the house of `book`; `automated` are the lamps that an automation lights."""
        self.forgone: dict[str, list[tuple[float, float]]] = {}
        """When a habit was not followed: nobody does by chance then what it would have done."""
        self.loads: list[Load] = []
        self._book, self._hands, self._place, self._rng = book, hands, place, rng
        self._house = book.house
        self._residents = {resident.who: resident for resident in residents}
        self._automated = automated
        self._charged = 0.0

    def live(self, days: Sequence[Day], mornings: set[float]) -> None:
        """Do a day's things on each day; in `mornings`, by their day's start, the kitchen is seen to by habit."""
        stays = [stay for day in days for person in day.people.values() for stay in person.stays]
        for area in dict.fromkeys(thing.area for thing in self._house.all("light") if thing.area):
            self._lamps(area, stays, mornings)
        for day in days:
            self._television(day)
            self._radio(day)
            self._windows(day)
            self._fridge(day)
            self._shower(day)
            self._washing(day)
            self._vacuum(day)
            self._car(day)
            self._alarm(day)

    def television_on(self, day: Day) -> float | None:
        """Return when the television goes on in the evening: when the first person sits down after half past seven."""
        if self._house.first("media_player", area="Living room", device_class="tv") is None:
            return None
        early, late = self._place.at(day.date, 19.5), self._place.at(day.date, 21.5)
        seats = [stay for person in day.people.values() for stay in person.stays if stay.area == "Living room"]
        times = [max(stay.start, early) for stay in seats if stay.end > early + 20 * MINUTE and stay.start < late]
        return min(times) + 3 * MINUTE if times else None

    def _somebody(self) -> Resident | None:
        """Return who does something through Home Assistant, or nobody: the wall."""
        told = self._rng.random() < BY_VOICE_OR_PHONE
        return self._residents.get(self._rng.choice(list(Who))) if told else None

    def _do(self, at: float, service: str, thing: Thing, **data: object) -> None:
        somebody = self._somebody()
        given_up = any(start < at < end for start, end in self.forgone.get(thing.entity_id, ()))
        if somebody is None or given_up:
            self._hands.by_wall(at, service, thing.entity_id, **data)
        else:
            self._hands.ask(at, somebody, service, thing.entity_id, **data)

    def _lamps(self, area: str, stays: Sequence[Stay], mornings: set[float]) -> None:
        lamp = self._house.first("light", area=area)
        if lamp is None or lamp.entity_id in self._automated:
            return
        for start, end in occupied(stays, area):
            if end - start < MINUTE or self._place.sun(start) > LAMPS + 4 or self._rng.random() < 0.1:
                continue
            day = self._place.at(self._place.day_of(start), 0)
            off = end + self._rng.uniform(2, 50)
            if not (area == "Kitchen" and day in mornings and self._place.hour_of(start) < 12):
                self._do(start + self._rng.uniform(3, 30), "light.turn_on", lamp)
            if self._rng.random() < 0.93:  # else forgotten until somebody turns everything off
                self._do(off, "light.turn_off", lamp)

    def _television(self, day: Day) -> None:
        television = self._house.first("media_player", area="Living room", device_class="tv")
        on = self.television_on(day)
        if television is None or on is None:
            return
        off = min(on + self._rng.uniform(1.2, 2.8) * HOUR, max(person.sleeps for person in day.people.values()) - 900)
        self._do(on, "media_player.turn_on", television)
        source = self._rng.choice(("Aerial", "Streaming", "Streaming", "Console"))
        self._hands.by_wall(
            on + self._rng.uniform(8, 40), "media_player.select_source", television.entity_id, source=source
        )
        self._do(off, "media_player.turn_off", television)
        self.loads.append(Load(television.device, on, off, 110))

    def _radio(self, day: Day) -> None:
        radio = self._house.first("media_player", area="Kitchen")
        if radio is not None:
            on = day.people[Who.MEMBER].wakes + self._rng.uniform(25, 40) * MINUTE
            self._do(on, "media_player.play_media", radio, media_title=self._rng.choice(TITLES))
            self._do(on + self._rng.uniform(15, 30) * MINUTE, "media_player.turn_off", radio)

    def _windows(self, day: Day) -> None:
        for window in self._house.all("binary_sensor", device_class="window"):
            if self._rng.random() < 0.55:
                opened = day.people[Who.MEMBER].wakes + self._rng.uniform(10, 50) * MINUTE
                self._book.change(opened, window, "on")
                self._book.change(opened + self._rng.uniform(6, 20) * MINUTE, window, "off")

    def _fridge(self, day: Day) -> None:
        fridge = self._house.first("binary_sensor", area="Kitchen", device_class="door")
        for person in day.people.values():
            for stay in person.stays:
                if fridge is not None and stay.area == "Kitchen":
                    for _ in range(self._rng.randint(1, 3)):
                        opened = self._rng.uniform(stay.start, stay.end)
                        self._book.change(opened, fridge, "on")
                        self._book.change(opened + self._rng.uniform(4, 25), fridge, "off")

    def _shower(self, day: Day) -> None:
        fan, rail = self._house.first("fan", area="Bathroom"), self._house.first("switch", area="Bathroom")
        for person in day.people.values():
            showers = [stay for stay in person.stays if stay.area == "Bathroom" and stay.end - stay.start > 12 * MINUTE]
            for stay in showers[:1]:
                if fan is not None:
                    self._do(stay.start + 90, "fan.turn_on", fan, percentage=100)
                    self._do(stay.end + self._rng.uniform(8, 14) * MINUTE, "fan.turn_off", fan)
                if rail is not None and self._rng.random() < 0.4:
                    self._do(stay.start - 5 * MINUTE, "switch.turn_on", rail)
                    self._do(stay.end + 20 * MINUTE, "switch.turn_off", rail)
                    self.loads.append(Load(rail.device, stay.start - 5 * MINUTE, stay.end + 20 * MINUTE, 400))

    def _washing(self, day: Day) -> None:
        if day.date.weekday() not in WASH_DAYS:
            return
        for meter in self._house.all("sensor", area="Utility room", device_class="power"):
            if self._house.beside(meter, "switch") is not None:
                start = self._place.at(day.date, 18.6 if day.workday else 10.2) + self._rng.uniform(-20, 30) * MINUTE
                self.loads += [
                    Load(meter.device, start + 4 * MINUTE, start + 24 * MINUTE, 1950),
                    Load(meter.device, start + 24 * MINUTE, start + 80 * MINUTE, 140),
                    Load(meter.device, start + 80 * MINUTE, start + 95 * MINUTE, 380),
                ]

    def _vacuum(self, day: Day) -> None:
        vacuum = self._house.first("vacuum")
        if vacuum is None or day.date.weekday() not in CLEANING_DAYS:
            return
        start = self._place.at(day.date, 10)  # its own timer, which Home Assistant does not know of
        for after, state in ((0.0, "cleaning"), (self._rng.uniform(28, 44), "returning"), (46.0, "docked")):
            self._book.change(start + after * MINUTE, vacuum, state)
        battery = self._house.beside(vacuum, "sensor")
        if battery is not None and battery.device_class == "battery":
            for step in range(1, 15):
                self._book.change(start + step * 3 * MINUTE, battery, str(100 - 3 * step))
                self._book.change(start + (46 + step * 6) * MINUTE, battery, str(min(100, 58 + 3 * step)))

    def _car(self, day: Day) -> None:
        charger = next((thing for thing in self._house.all("switch") if "charger" in thing.slug), None)
        owner = self._residents.get(Who.OWNER)
        if charger is None or owner is None or self._rng.random() < 0.35:
            return
        start = self._place.at(day.date, 23) + self._rng.uniform(0, 70) * MINUTE
        end = start + self._rng.uniform(1.8, 4.5) * HOUR
        self._hands.ask(start, owner, "switch.turn_on", charger.entity_id)
        self._hands.by_wall(end, "switch.turn_off", charger.entity_id)
        self.loads.append(Load(charger.device, start, end, 7200))

    def _alarm(self, day: Day) -> None:
        panel = self._house.first("alarm_control_panel")
        member = self._residents.get(Who.MEMBER)
        if panel is None or member is None:
            return
        for left, back in day.empty:
            if self._rng.random() < 0.6:
                self._hands.ask(left - 40, member, "alarm_control_panel.alarm_arm_away", panel.entity_id)
                self._hands.by_wall(back + 35, "alarm_control_panel.alarm_disarm", panel.entity_id)
