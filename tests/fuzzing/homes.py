"""Homes drawn from a seed: plausible, and full of what leads a careless reader astray.

Names are given twice, are verbs, numbers, times or other rooms, come from other languages or differ by a letter; things are not exposed, away
or in no room. Ids tell nothing.
"""

from dataclasses import dataclass
from random import Random

from fuzzing.words import LANGUAGES, Words, words_of
from homesteward.core import Clock
from homesteward.core.json import JsonObject
from homesteward.core.text import fold
from homesteward.home.inventory import Thing
from homesteward.home.model import Area, Floor
from homesteward.home.simulation import SimulatedHome

ATTRIBUTES: dict[str, JsonObject] = {
    "light": {"supported_color_modes": ["brightness"], "supported_features": 32},
    "climate": {
        "hvac_modes": ["off", "heat"],
        "temperature": 20,
        "current_temperature": 20,
        "min_temp": 7,
        "max_temp": 35,
        "supported_features": 1 | 128 | 256,
    },
}
CLASSES = ("blind", "curtain", "shutter")  # in the order of the nouns for covers


@dataclass(frozen=True, slots=True)
class Placed:
    """A thing, where it is, and how it is spoken of. `trap`: its name is made to lead astray."""

    thing: Thing
    room: str | None
    said: str
    noun: str
    trap: bool

    @property
    def entity_id(self) -> str:
        """Return its id."""
        return self.thing.entity_id

    @property
    def within_reach(self) -> bool:
        """Return whether it can be told to do anything."""
        return self.thing.exposed and self.thing.state != "unavailable"


class Household:
    """A home in one language, drawn from a seed."""

    def __init__(self, seed: int, clock: Clock, language: str = "") -> None:
        """Draw the home; `language` is drawn as well where it is empty."""
        self.seed = seed
        self.draw = draw = Random(seed)
        self.language = draw.choices(list(LANGUAGES), list(LANGUAGES.values()))[0]
        self.language = language or self.language
        self.words = words_of(self.language)
        self.rooms = draw.sample(sorted(self.words.rooms), draw.randint(3, 6))
        self.absent = sorted(self.words.rooms.keys() - set(self.rooms))
        self.floors = sorted(self.words.floors) if draw.random() < 0.6 else []
        self.proper = draw.sample(self.words.proper, 2 * len(self.words.proper) // 3)
        self.placed: list[Placed] = []
        for _ in range(draw.randint(6, 26)):
            self.placed.append(self._thing(len(self.placed)))
        self.floor_of = {room: draw.choice(self.floors) for room in self.rooms} if self.floors else {}
        self.home = SimulatedHome.build(
            [placed.thing for placed in self.placed],
            areas=[Area(_id(room), room, _id(self.floor_of[room]) if self.floors else None) for room in self.rooms],
            floors=[Floor(_id(name), name) for name in self.floors],
            clock=clock,
        )

    def area(self, room: str | None) -> str | None:
        """Return the id of a room."""
        return room and _id(room)

    def names(self) -> set[str]:
        """Return every name of a thing, folded."""
        return {fold(name) for placed in self.placed for name in (placed.thing.name, *placed.thing.aliases)}

    def _thing(self, n: int) -> Placed:
        draw = self.draw
        room = draw.choice(self.rooms) if draw.random() < 0.93 else None
        words = self.words if draw.random() < 0.92 else words_of(draw.choice(list(LANGUAGES)))
        domain = draw.choice(list(words.nouns))
        noun = draw.choice(words.nouns[domain])
        name, said, trap = self._name(words, noun, room)
        aliases = (f"{draw.choice(words.proper)} {n}",) if draw.random() < 0.1 else ()
        thing = Thing(
            f"{domain}.t{n}",
            name,
            self.area(room),
            "unavailable" if draw.random() < 0.07 else "",
            ATTRIBUTES.get(domain, {}),
            aliases=aliases,
            device_class=CLASSES[words.nouns[domain].index(noun)] if domain == "cover" else None,
            exposed=draw.random() > 0.08,
        )
        return Placed(thing, room, said, noun[0], trap or words is not self.words)

    def _name(self, words: Words, noun: tuple[str, str, str], room: str | None) -> tuple[str, str, bool]:
        """Return a name, how it is said as an object, and whether it is a trap."""
        draw, (plain, article, bent), luck = self.draw, noun, self.draw.random()
        if luck < 0.09:
            name = draw.choice(words.traps)
            return name, name, True
        if luck < 0.13:
            name = draw.choice(self.rooms)  # a thing that is called like a room
            return name, name, True
        if luck < 0.22 and self.placed:
            other = draw.choice(self.placed)  # a name that there is already
            return other.thing.name, other.said, True
        proper = draw.choice(self.proper)
        if luck < 0.27:
            proper = proper[:-1] + draw.choice("aeio")  # a name that differs by a letter
        pattern = draw.choice(words.names)
        if "{room}" in pattern and room is None:
            pattern = words.names[0]
        name = pattern.format(n=plain, p=proper, room=room)
        said = pattern.format(n=bent, p=proper, room=room)
        if pattern == "{p}":
            return name, said, luck < 0.27
        joined = f"{article}{said}" if article.endswith("'") else f"{article} {said}".strip()
        return name, joined, luck < 0.27


def _id(name: str) -> str:
    return "".join(letter if letter.isalnum() else "_" for letter in name.lower())
