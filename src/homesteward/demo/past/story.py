"""The past of a house as one story: the same seed, house, people and end always tell the same one."""

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from homesteward.demo.past.book import Book, Change, Event, Outage
from homesteward.demo.past.chance import chance
from homesteward.demo.past.chores import run_automations
from homesteward.demo.past.habits import HABITS, Habit, Occasion, occasions
from homesteward.demo.past.hands import Hands
from homesteward.demo.past.household import Household, Load
from homesteward.demo.past.meters import Growth, Series, meter, readings, shown
from homesteward.demo.past.people import MINUTE, Day, Resident, Who, live
from homesteward.demo.past.place import HOME, LAMPS, Place, dates, working
from homesteward.demo.past.presence import show_presence
from homesteward.demo.past.rooms import House, Thing
from homesteward.demo.past.scripted import Document, automations, scripts
from homesteward.demo.past.signals import Climate, Ticks, Weather, power, steps

STATISTICS = timedelta(days=60)
"""How far back hourly statistics go, beyond what states are kept for."""
TURNED_OFF_LATER = {"switch.turn_on": "switch.turn_off", "fan.turn_on": "fan.turn_off"}
"""What nobody leaves on for long, and how it is turned off at the thing itself."""
FOLLOWED = 20 * MINUTE  # after its cue, a habit is followed by then or not at all
NIGHT = 2.5  # degrees that thermostats take off at night by themselves
CONDITIONS = ((0.3, "sunny"), (0.6, "partlycloudy"), (0.82, "cloudy"), (1.0, "rainy"))
"""How much of the sky is covered at most, in Home Assistant's words for it."""
SHORTEST = timedelta(days=5)
"""A past shorter than this has neither a sick day nor an outage."""


@dataclass(frozen=True, slots=True)
class Family:
    """What the house runs on beside its things: who lives in it, and its own scripts and automations."""

    residents: tuple[Resident, ...]
    scripts: Mapping[str, Document]
    automations: Sequence[Document]


@dataclass(frozen=True, slots=True)
class Story:
    """Everything that the recorder would hold."""

    start: float
    end: float
    outage: Outage | None
    ill: date | None
    changes: tuple[Change, ...]
    events: tuple[Event, ...]
    series: Mapping[str, Series]
    """What each number showed, from the first hour of the statistics on."""
    occasions: tuple[Occasion, ...]


def tell(
    house: House, family: Family, until: datetime, span: timedelta, seed: int, reach: timedelta = STATISTICS
) -> Story:
    """Tell what happened in `house` in the `span` before `until`, with numbers from `reach` before it on."""
    return _Telling(house, family, until, span, seed, reach).story()


class _Telling:
    """The story while it is made: each part may rest on the parts before it."""

    def __init__(
        self, house: House, family: Family, until: datetime, span: timedelta, seed: int, reach: timedelta
    ) -> None:
        self.seed, self.family = seed, family
        self.place = place = HOME
        self.start, self.end = (until - span).timestamp(), until.timestamp()
        begin = until - max(span, reach)
        self.ticks = Ticks.between(begin.timestamp(), self.end)
        self.house = house.joined_by(_people_and_sky(family.residents))
        self.dates = tuple(dates(place, begin - timedelta(days=1), until))
        own = [day for day in self.dates if self.start < place.at(day, 0) and place.at(day, 24) < self.end]
        long = span >= SHORTEST
        self.ill = next((day for day in own[int(len(own) * 0.4) :] if working(day)), None) if long else None
        self.outage = _outage(place, own[int(len(own) * 0.65)]) if long else None
        self.days = [live(place, seed, day, ill=day == self.ill) for day in self.dates]
        self.book = Book(self.house, chance(seed, "contexts"))
        self.hands = Hands(self.book, chance(seed, "runs"), scripts(self.house, family.scripts))
        self.automations = tuple(automations(self.house, family.automations))

    def story(self) -> Story:
        recent = [day for day in self.days if self.place.at(day.date, 48) > self.start]
        show_presence(self.book, self.hands, recent, self.family.residents, chance(self.seed, "presence"))
        self._thermostats()
        lit = {entity_id for plan in self.automations for step in plan.calls for entity_id in step.entity_ids}
        household = Household(
            self.book, self.hands, self.place, self.family.residents, chance(self.seed, "household"), lit
        )
        kept = self._habits(household)
        household.live(self.days, {self.place.at(at.day, 0) for at in kept if at.habit == "morning_coffee" and at.kept})
        self._blinds()
        series = self._measure()
        dates_kept = [day.date for day in recent]
        run_automations(
            self.book, self.hands, self.place, dates_kept, self.automations, chance(self.seed, "automations")
        )
        series |= self._count(household.loads)
        self._sky()
        changes, events = self.book.close(self.start, self.end, self.outage)
        return Story(self.start, self.end, self.outage, self.ill, tuple(changes), tuple(events), series, tuple(kept))

    def _thermostats(self) -> None:
        rng = chance(self.seed, "thermostats")
        for thermostat in self.house.all("climate"):
            if thermostat.state == "heat" and thermostat.works:
                day_time = float(thermostat.facts.get("temperature", 20))
                for day in self.dates:  # its own program, which Home Assistant only hears of
                    self.book.change(self.place.at(day, 6.5) + rng.uniform(0, 9), thermostat, temperature=day_time)
                    night = self.place.at(day, 22.5) + rng.uniform(0, 9)
                    self.book.change(night, thermostat, temperature=day_time - NIGHT)

    def _habits(self, household: Household) -> list[Occasion]:
        residents = {resident.who: resident for resident in self.family.residents}
        ends = {
            habit.id: self.place.day_of(self.start + (self.end - self.start) * habit.ends)
            for habit in HABITS
            if habit.ends < 1
        }
        seen = []
        for met in occasions(self.seed, self.days, _cues(self.place, household), ends):
            habit = next(habit for habit in HABITS if habit.id == met.habit)
            occasion = replace(met, kept=False, why="outage") if met.kept and self._dark(met.cue_at) else met
            if not self._possible(habit) or habit.who not in residents:
                continue
            if occasion.kept:
                self._keep(habit, occasion, residents[habit.who])
            else:
                for act in habit.acts:
                    window = (occasion.cue_at, occasion.cue_at + FOLLOWED)
                    household.forgone.setdefault(act.entity_id, []).append(window)
            if self.start <= occasion.cue_at and occasion.cue_at + FOLLOWED < self.end:
                seen.append(occasion)
        return seen

    def _dark(self, cue_at: float) -> bool:
        dark = self.outage
        return dark is not None and cue_at < dark.end and dark.start < cue_at + FOLLOWED

    def _possible(self, habit: Habit) -> bool:
        first = habit.acts[0].entity_id
        return self.house.get(first) is not None and (not first.startswith("script.") or self.hands.knows(first))

    def _keep(self, habit: Habit, occasion: Occasion, resident: Resident) -> None:
        rng = chance(self.seed, habit.id, "acts", occasion.day)
        for act in habit.acts:
            at = occasion.cue_at + act.after * (1 + rng.uniform(-act.shake, act.shake))
            if self.house.get(act.entity_id) is not None:
                self.hands.ask(at, resident, act.service, act.entity_id, **(act.data or {}))
                if act.service in TURNED_OFF_LATER:
                    later = at + rng.uniform(30, 50) * MINUTE
                    self.hands.by_wall(later, TURNED_OFF_LATER[act.service], act.entity_id)

    def _blinds(self) -> None:
        rng = chance(self.seed, "blinds")
        for cover in self.house.all("cover", device_class="blind"):
            for day in self.days:
                morning = day.people[Who.MEMBER].wakes + rng.uniform(15, 35) * MINUTE
                night = max(person.sleeps for person in day.people.values()) - rng.uniform(5, 20) * MINUTE
                self.hands.by_wall(morning, "cover.open_cover", cover.entity_id)
                if rng.random() < 0.7:
                    self.hands.by_wall(night, "cover.close_cover", cover.entity_id)

    def _measure(self) -> dict[str, Series]:
        stays = [stay for day in self.days for person in day.people.values() for stay in person.stays]
        weather = Weather(self.place, self.seed, self.ticks)
        self.climate = Climate(self.house, self.ticks, weather, stays, self._wanted(), self.seed)
        found = {}
        for thing in self.house.all("sensor"):
            if thing.device_class == "power" or thing.follows or thing.frozen or self._told_elsewhere(thing):
                continue
            if (signal := self.climate.measure(thing)) is not None:
                found[thing.entity_id] = self._record(thing, signal)
                if thing.device_class == "temperature":
                    self._show_on_thermostat(thing, found[thing.entity_id])
        return found

    def _told_elsewhere(self, thing: Thing) -> bool:
        return thing.device_class == "battery" and self.house.beside(thing, "vacuum") is not None

    def _show_on_thermostat(self, thing: Thing, series: Series) -> None:
        thermostat = self.house.first("climate", area=thing.area) if thing.area else None
        if thermostat is not None and thermostat.state == "heat" and (thing.number or 0) > 15:
            for at, value in self._lately(series):
                self.book.change(at + 1, thermostat, current_temperature=round(value * 2) / 2)

    def _wanted(self) -> dict[str, list[float]]:
        set_to: dict[str, list[tuple[float, float]]] = {}
        for entry in self.book.entries():
            if "temperature" in entry.facts and entry.entity_id.startswith("climate."):
                thing = self.house.get(entry.entity_id)
                if thing is not None and thing.area:
                    set_to.setdefault(thing.area, []).append((entry.at, entry.facts["temperature"]))
        program = [
            (self.place.at(day, hours), wanted) for day in self.dates for hours, wanted in ((6.5, 20.5), (22.5, 18.0))
        ]
        return {area: steps(changes, self.ticks) for area, changes in ({"": program} | set_to).items()}

    def _count(self, loads: Sequence[Load]) -> dict[str, Series]:
        loads = [*loads, *self._follow()]
        watts = power(self.house, self.ticks, loads, self.seed)
        found, by_device = {}, {load.device: [0.0] * self.ticks.count for load in loads}
        for load in loads:
            for index in range(self.ticks.index(load.start), self.ticks.index(load.end)):
                by_device[load.device][index] += load.watts
        for entity_id, signal in watts.items():
            thing = self.house[entity_id]
            found[entity_id] = self._record(thing, signal)
            if self.house.beside(thing, "switch") is None:
                by_device[""] = by_device[thing.device] = signal
        growth = Growth(self.climate, self.place, by_device)
        for thing in self.house.all("sensor"):
            if thing.state_class == "total_increasing" and thing.number is not None and not thing.frozen:
                found[thing.entity_id] = self._record(thing, meter(thing, growth.of(thing), self.ticks, self.place))
        return found

    def _follow(self) -> list[Load]:
        """Let every sensor show what the thing it follows does, in the same context, and return what that drew."""
        followers = [thing for thing in self.house.all("sensor") if thing.follows]
        loads, since = [], dict[str, float]()
        for entry in self.book.entries():
            for thing in followers:
                follows = thing.follows or {}
                if entry.state is None or follows.get("entity") != entry.entity_id or entry.state not in follows:
                    continue
                self.book.change(entry.at + 0.001, thing, follows[entry.state], cause=entry.cause)
                if entry.state == "on":
                    since.setdefault(thing.entity_id, entry.at)
                elif thing.entity_id in since:
                    watts = float(follows["on"])
                    loads.append(Load(thing.device, since.pop(thing.entity_id), entry.at, watts))
        return loads

    def _record(self, thing: Thing, signal: list[float]) -> Series:
        series = readings(thing, signal, self.ticks, chance(self.seed, "readings", thing.entity_id))
        series = [(at, value) for at, value in series if at < self.end]
        for at, value in self._lately(series):
            self.book.change(at, thing, shown(thing, value))
        return series

    def _lately(self, series: Series) -> Series:
        """Return what states are kept of, and the reading that held when that begins."""
        return series[max(0, bisect_left(series, (self.start, 0.0)) - 1) :]

    def _sky(self) -> None:
        for day in self.dates:
            self.book.change(self.place.rises(day), "sun.sun", "above_horizon")
            self.book.change(self.place.sinks(day), "sun.sun", "below_horizon")
        weather = self.climate.weather
        for thing in self.house.all("weather"):
            for index in range(0, self.ticks.count, 6):
                at, warm, clouds = self.ticks.at(index) + 40, weather.temperature[index], weather.clouds[index]
                condition = next(name for most, name in CONDITIONS if clouds <= most)
                night = condition == "sunny" and self.place.sun(at) < 0
                self.book.change(at, thing, "clear-night" if night else condition, temperature=round(warm, 1))


def _people_and_sky(residents: Sequence[Resident]) -> list[Thing]:
    people = [Thing(one.person, one.name, None, one.person, state="home", own=True) for one in residents]
    zone = {
        "latitude": HOME.latitude,
        "longitude": HOME.longitude,
        "radius": 100,
        "passive": False,
        "persons": [],
        "device_trackers": [],
        "editable": True,
        "icon": "mdi:home",
    }
    return [
        *people,
        Thing("zone.home", "Demo home", None, "home", state="0", facts=zone, own=True),
        Thing("sun.sun", "Sun", None, "sun", state="below_horizon", own=True),
    ]


def _outage(place: Place, day: date) -> Outage:
    return Outage(place.at(day, 13.7), place.at(day, 15.4))


type Cue = Callable[[Day], float | None]


def _cues(place: Place, household: Household) -> Mapping[str, Cue]:
    def home(day: Day, who: Who, at: float) -> bool:
        person = day.people[who]
        return person.wakes < at < person.sleeps and not any(left <= at <= back for left, back in person.trips)

    def dusk(day: Day) -> float | None:
        at = place.sinks(day.date, LAMPS)
        return at if home(day, Who.MEMBER, at) else None

    return {
        "owner_up": lambda day: day.people[Who.OWNER].wakes,
        "dusk_at_home": dusk,
        "last_leaves": lambda day: day.empty[0][0] if day.empty else None,
        "first_returns": lambda day: day.empty[-1][1] if day.empty else None,
        "bedtime": lambda day: max(person.sleeps for person in day.people.values()),
        "television_on": household.television_on,
    }
