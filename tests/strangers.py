"""Homes that nobody has seen, and sentences said in them whose meaning is known: rooms, names and words are drawn, never taken from a case."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from homesteward.home.inventory import Thing
from homesteward.home.model import Area, Floor
from homesteward.home.simulation import SimulatedHome

ROOMS = [
    "Kitchen",
    "Living Room",
    "Dining Room",
    "Bedroom",
    "Master Bedroom",
    "Guest Room",
    "Bathroom",
    "Ensuite",
    "Hallway",
    "Landing",
    "Study",
    "Library",
    "Nursery",
    "Playroom",
    "Sunroom",
    "Mudroom",
    "Pantry",
    "Laundry",
    "Garage",
    "Workshop",
    "Cellar",
    "Wine Cellar",
    "Attic",
    "Loft",
    "Terrace",
    "Balcony",
    "Garden",
    "Porch",
    "Sauna",
    "Gym",
    "Music Room",
    "Bedroom 2",
    "Bedroom 3",
    "Den",
    "Conservatory",
    "Cloakroom",
]
FLOORS = ("Ground Floor", "First Floor", "Basement", "Top Floor")
ADJECTIVES = [
    "Tall",
    "Corner",
    "Left",
    "Right",
    "Big",
    "Small",
    "Old",
    "Blue",
    "Window",
    "Wall",
    "Reading",
    "Bedside",
    "Spare",
    "Velvet",
    "Copper",
]
PEOPLE = ["Ada", "Bruno", "Chidi", "Dagny", "Esra", "Farid", "Greta", "Hugo"]
MAKES = ["Zumo", "Kelvo", "Brixa", "Nordal", "Pivo", "Tarn", "Umbra", "Vesta"]


@dataclass(frozen=True, slots=True)
class Sort:
    """A sort of thing: its domain and class, what it is called in names, and the words for one and for several."""

    domain: str
    device_class: str | None
    names: tuple[str, ...]
    one: tuple[str, ...]
    many: tuple[str, ...]
    verbs: tuple[tuple[str, tuple[str, ...]], ...]  # service -> templates with {x}
    attributes: dict[str, object] = field(default_factory=dict)


ON = (
    "turn on {x}",
    "turn {x} on",
    "switch on {x}",
    "switch {x} on",
    "could you turn on {x}",
    "please turn {x} on",
    "{x} on",
)
OFF = (
    "turn off {x}",
    "turn {x} off",
    "switch off {x}",
    "kill {x}",
    "shut {x} off",
    "can you switch {x} off please",
    "{x} off",
)
OPEN = ("open {x}", "please open {x}", "raise {x}", "could you open {x}")
CLOSE = ("close {x}", "shut {x}", "lower {x}", "would you close {x}")
COVER = (("open_cover", OPEN), ("close_cover", CLOSE))
SORTS = (
    Sort("light", None, ("Lamp", "Light", "Lights", "Chandelier", "Spots"), ("lamp",), ("lights", "lamps"), (("turn_on", ON), ("turn_off", OFF))),
    Sort("fan", None, ("Fan", "Ceiling Fan"), ("fan",), ("fans",), (("turn_on", ON), ("turn_off", OFF))),
    Sort("switch", None, ("Kettle", "Heater Plug", "Fountain", "Printer"), (), (), (("turn_on", ON), ("turn_off", OFF))),
    Sort("cover", "blind", ("Blinds", "Blind"), ("blind",), ("blinds",), COVER),
    Sort("cover", "curtain", ("Curtain", "Curtains", "Drapes"), ("curtain",), ("curtains",), COVER),
    Sort("cover", "shutter", ("Shutter", "Shutters"), ("shutter",), ("shutters",), COVER),
    Sort("cover", "garage", ("Garage Door", "Roller Door"), ("garage door",), ("garage doors",), (("open_cover", ("open {x}",)), ("close_cover", ("close {x}", "shut {x}")))),
    Sort("lock", None, ("Lock", "Door Lock", "Door"), ("lock",), ("locks",), (("lock", ("lock {x}", "please lock {x}")), ("unlock", ("unlock {x}", "could you unlock {x}")))),
    Sort("media_player", "tv", ("TV", "Television"), ("tv",), ("tvs",), (("turn_off", OFF), ("media_pause", ("pause {x}",)))),
    Sort("media_player", "speaker", ("Speaker", "Soundbar"), ("speaker",), ("speakers",), (("media_pause", ("pause {x}",)), ("media_play", ("play {x}", "resume {x}")))),
    Sort("vacuum", None, ("Vacuum", "Robot"), ("vacuum",), ("vacuums",), (("start", ("start {x}", "run {x}")), ("return_to_base", ("dock {x}", "send {x} home", "stop {x}")))),
    Sort("valve", None, ("Valve", "Sprinkler"), ("valve",), ("valves",), (("open_valve", ("open {x}",)), ("close_valve", ("close {x}",)))),
    Sort("climate", None, ("Thermostat", "Radiator"), ("thermostat",), (), (("set_temperature", ("set {x} to 21 degrees", "turn {x} to 19", "put {x} at 20 degrees")),)),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Spoken:
    """A sentence, and what it may do: exactly these entities by this service, or nothing at all."""

    text: str
    service: str = ""
    entity_ids: frozenset[str] = frozenset()
    why: str = ""
    area: str | None = None


@dataclass(frozen=True, slots=True)
class Placed:
    """A thing of a strange home, with its sort and its room."""

    thing: Thing
    sort: Sort
    room: str


class StrangeHome:
    """A home drawn from a seed."""

    def __init__(self, seed: int) -> None:
        """Draw rooms and things. Names are never another room's, and no two things have one name."""
        self._random = Random(seed)
        draw = self._random
        self.rooms = draw.sample(ROOMS, draw.randint(4, 9))
        self.absent = [room for room in ROOMS if not any(room in own or own in room for own in self.rooms)]
        self.floors = draw.sample(FLOORS, draw.randint(0, 2))
        self.placed: list[Placed] = []
        taken: set[str] = set(self.rooms)
        for _ in range(draw.randint(8, 30)):
            sort, room = draw.choice(SORTS), draw.choice(self.rooms)
            name = self._name(sort, room)
            if name.lower() in {each.lower() for each in taken}:
                continue
            taken.add(name)
            thing = Thing(f"{sort.domain}.{_slug(name)}", name, _slug(room), device_class=sort.device_class)
            self.placed.append(Placed(thing, sort, room))
        areas = [
            Area(_slug(room), room, _slug(draw.choice(self.floors)) if self.floors else None) for room in self.rooms
        ]
        floors = [Floor(_slug(name), name) for name in self.floors]
        self.home = SimulatedHome.build([placed.thing for placed in self.placed], areas=areas, floors=floors)

    def sentences(self) -> Iterator[Spoken]:
        """Yield sentences about this home without end."""
        draw = self._random
        while True:
            make = draw.choice(
                (
                    self._by_name,
                    self._by_name,
                    self._in_room,
                    self._in_room,
                    self._absent_room,
                    self._forbidden,
                    self._misspelt,
                )
            )
            if found := make():
                yield found

    def _name(self, sort: Sort, room: str) -> str:
        noun, draw = self._random.choice(sort.names), self._random
        style = draw.random()
        if style < 0.45:
            return f"{room} {noun}"
        if style < 0.75:
            return f"{draw.choice(ADJECTIVES)} {noun}"
        if style < 0.88:
            return f"{draw.choice(PEOPLE)}'s {noun}"
        return f"{draw.choice(MAKES)} {noun}"

    def _verb(self, sort: Sort) -> tuple[str, str]:
        service, templates = self._random.choice(sort.verbs)
        return service, self._random.choice(templates)

    def _by_name(self) -> Spoken:
        placed = self._random.choice(self.placed)
        service, template = self._verb(placed.sort)
        named = self._random.choice((placed.thing.name, placed.thing.name.lower(), f"the {placed.thing.name.lower()}"))
        # The same name may also be a kind in a room: what has exactly this name is meant then.
        return Spoken(template.format(x=named), service, frozenset({placed.thing.entity_id}), "named")

    def _in_room(self) -> Spoken | None:
        placed, draw = self._random.choice(self.placed), self._random
        sort, room = placed.sort, placed.room
        if not sort.one:
            return None
        service, template = self._verb(sort)
        several = bool(sort.many) and draw.random() < 0.5
        noun = draw.choice(sort.many if several else sort.one)
        low = room.lower()
        said = draw.choice((f"the {noun} in the {low}", f"the {low} {noun}", f"{low} {noun}"))
        there = [other for other in self.placed if other.room == room and _alike(other.sort, sort)]
        bare = said.removeprefix("the ")
        if any(bare == other.thing.name.lower() for other in self.placed) or self._kin(noun, placed):
            return None  # it is a name as well, or something else here is called so
        ids = frozenset(other.thing.entity_id for other in there)
        return Spoken(template.format(x=said), service, ids, "kind in room" if several else "one of a kind in room")

    def _kin(self, noun: str, placed: Placed) -> bool:
        """Return whether another sort of thing has the word in its name: what is meant then is anybody's guess."""
        word = noun.rsplit(maxsplit=1)[-1].removesuffix("s")
        return any(word in other.thing.name.lower() and not _alike(other.sort, placed.sort) for other in self.placed)

    def _absent_room(self) -> Spoken | None:
        sort, draw = self._random.choice([sort for sort in SORTS if sort.one]), self._random
        _, template = self._verb(sort)
        noun, room = draw.choice(sort.many or sort.one), draw.choice(self.absent).lower()
        if any(room in other.thing.name.lower() for other in self.placed):
            return None
        return Spoken(
            template.format(x=draw.choice((f"the {noun} in the {room}", f"the {room} {noun}"))), why="no such room"
        )

    def _forbidden(self) -> Spoken:
        asked, draw = self._by_name(), self._random
        frame = draw.choice(
            ("don't {x}", "never {x}", "{x} at seven", "{x} if it rains", "did you {x}?", "I will {x}", "why did you {x}?", "remind me to {x}", "{x} when I leave", "what happens if you {x}?")
        )  # fmt: skip
        text = asked.text if asked.text.split()[0] in VERBS else f"{_plain_verb(asked)}"
        return Spoken(frame.format(x=text), why="forbidden")

    def _misspelt(self) -> Spoken:
        """Say a name with a slip in it: the thing itself, or nothing."""
        asked, draw = self._by_name(), self._random
        words = asked.text.split()
        places = [
            n
            for n, word in enumerate(words)
            if len(word) > 4 and word.lower() not in VERBS | {"please", "could", "would"}
        ]
        if not places:
            return asked
        at = draw.choice(places)
        word, cut = words[at], draw.randint(1, len(words[at]) - 2)
        words[at] = draw.choice(
            (word[:cut] + word[cut + 1 :], word[:cut] + word[cut + 1] + word[cut] + word[cut + 2 :])
        )
        return Spoken(" ".join(words), asked.service, asked.entity_ids, "misspelt")


VERBS = {"turn", "switch", "kill", "shut", "open", "close", "raise", "lower", "lock", "unlock", "pause", "play", "resume", "start", "run", "dock", "send", "stop", "set", "put"}  # fmt: skip


def _plain_verb(asked: Spoken) -> str:
    words = asked.text.split()
    while words and words[0].lower() in {"please", "could", "can", "would", "you"}:
        words.pop(0)
    return " ".join(words)


def _alike(one: Sort, other: Sort) -> bool:
    return (one.domain, one.device_class) == (other.domain, other.device_class)


def _slug(name: str) -> str:
    return "".join(letter if letter.isalnum() else "_" for letter in name.lower())
