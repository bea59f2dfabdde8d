"""Sentences whose right effect is known from how they were made, without reading them."""

from collections.abc import Callable, Iterable, Iterator
from random import Random

from fuzzing.homes import Household, Placed
from fuzzing.oracle import LEADS, Outcome, Spoken, before, only, outcome
from homesteward.core.text import fold


class Talk:
    """Sentences about one home, without end."""

    def __init__(self, house: Household) -> None:
        """Speak about `house`, by its own seed."""
        self._house = house
        self._words = house.words
        self._draw = Random(house.seed * 7 + 1)
        self._makers: dict[Callable[[], Spoken | None], int] = {
            self._named: 6,
            self._trap: 3,
            self._forbidden: 8,
            self._kinds_in_room: 3,
            self._one_in_room: 2,
            self._everywhere: 1,
            self._spared: 1,
            self._two: 2,
            self._noun_as_verb: 1,
            self._one_and_not_the_other: 2,
            self._one_and_the_other_if: 2,
            self._shared_verb: 2,
            self._on_a_floor: 1,
            self._too_much: 1,
            self._nowhere: 3,
            self._hidden: 1,
            self._other_object: 2,
            self._slip: 2,
        }

    def sentences(self) -> Iterator[Spoken]:
        """Yield sentences without end; some are written as people write."""
        while True:
            if made := self._draw.choices(list(self._makers), list(self._makers.values()))[0]():
                yield made

    def _do(self, act: str, said: str, form: str = "do") -> str:
        templates = self._words.acts[act].get(form) or self._words.acts[act]["inf"]
        return self._draw.choice(templates).format(x=said)

    def _act_for(self, placed: Placed) -> str:
        return self._act_on(placed.thing.domain)

    def _act_on(self, domain: str) -> str:
        """Return an act for a domain that the language has words for."""
        return self._draw.choice([act for act, leads in LEADS.items() if domain in leads and act in self._words.acts])

    def _politely(self, act: str, said: str) -> str:
        frame = self._draw.choice(self._words.polite)
        return frame.format(do=self._do(act, said), inf=self._do(act, said, "inf"))

    def _pick(self, among: Iterable[Placed]) -> Placed | None:
        there = list(among)
        return self._draw.choice(there) if there else None

    def _able(self, act: str, name: str) -> list[Placed]:
        """Return what is called so and can do it."""
        folded = fold(name)
        return [
            one
            for one in self._house.placed
            if one.thing.exposed
            and one.thing.domain in LEADS[act]
            and folded in {fold(each) for each in (one.thing.name, *one.thing.aliases)}
        ]

    def _otherwise(self, act: str, name: str) -> list[Placed]:
        """Return what is called so as well and may do it in a way that this oracle does not know."""
        same = [one for one in self._house.placed if one.within_reach and fold(one.thing.name) == fold(name)]
        return [one for one in same if one.thing.domain not in LEADS[act]]

    def _named(self) -> Spoken | None:
        """A thing by its name, which nothing else has."""
        placed = self._pick(one for one in self._house.placed if one.within_reach and not one.trap)
        if placed is None:
            return None
        act = self._act_for(placed)
        alone = len([one for one in self._house.placed if fold(one.thing.name) == fold(placed.thing.name)]) == 1
        text = self._politely(act, placed.said)
        return self._spoken(text, "named", act, [placed], must=alone) if alone else self._of_one_name(placed, act, text)

    def _trap(self) -> Spoken | None:
        """A thing whose name leads astray: this thing, or nothing."""
        placed = self._pick(one for one in self._house.placed if one.within_reach and one.trap)
        if placed is None:
            return None
        act = self._act_for(placed)
        return self._of_one_name(placed, act, self._politely(act, placed.said))

    def _of_one_name(self, placed: Placed, act: str, text: str) -> Spoken | None:
        """Where several things have the name, it is that of the room it is said in, else none of them."""
        same = self._able(act, placed.thing.name)
        where = self._draw.choice((None, placed.room))
        here = [one for one in same if one.room == where] if where else []
        meant = same if len(same) == 1 else here if len(here) == 1 else []
        if placed.thing.name in self._house.rooms:
            return self._like_a_room(placed, act, text, where)
        outcomes = tuple(outcome(act, [one]) for one in meant if one.within_reach)
        outcomes += tuple(only(one) for one in self._otherwise(act, placed.thing.name))
        return Spoken(
            text,
            "twins" if len(same) > 1 else "trap",
            outcomes,
            area=self._house.area(where),
            before=before(act, same),
        )

    def _like_a_room(self, placed: Placed, act: str, text: str, where: str | None) -> Spoken:
        """A thing called like a room: it, or what the act is for in that room."""
        same = self._able(act, placed.thing.name)
        there = [one for one in self._house.placed if one.room == placed.thing.name and one.thing.domain in LEADS[act]]
        outcomes = [outcome(act, [one]) for one in same if one.within_reach]
        outcomes += [only(one) for one in self._otherwise(act, placed.thing.name)]
        kinds = {one.thing.domain for one in there}
        outcomes += [outcome(act, [one for one in there if one.thing.domain == kind]) for kind in kinds]
        return Spoken(
            text,
            "like a room",
            tuple(outcomes),
            area=self._house.area(where),
            before=before(act, [*same, *there]),
        )

    def _kinds_in_room(self) -> Spoken | None:
        """All of a kind in a room."""
        domain, room = self._draw.choice(list(self._words.many)), self._draw.choice(self._house.rooms)
        act = self._draw.choice([act for act, leads in LEADS.items() if domain in leads and act != "dim"])
        there = [one for one in self._house.placed if one.room == room and one.thing.domain == domain]
        said = f"{self._words.many[domain]} {self._words.rooms[room]}"
        return self._spoken(self._politely(act, said), "kind in room", act, there)

    def _one_in_room(self) -> Spoken | None:
        """One of a kind in a room: the only one of the kind there, or the only one with the word in its name."""
        domain, room = self._draw.choice(list(self._words.one)), self._draw.choice(self._house.rooms)
        act = self._act_on(domain)
        noun = fold(self._words.nouns[domain][0][0])
        there = [one for one in self._house.placed if one.room == room and one.thing.exposed]
        called = [one for one in there if noun in fold(one.thing.name)]
        ways = (
            [one for one in there if one.thing.domain == domain],
            [one for one in called if one.thing.domain in LEADS[act]],
        )
        sole = [way[0] for way in ways if len(way) == 1 and way[0].within_reach]
        text = self._politely(act, f"{self._words.one[domain]} {self._words.rooms[room]}")
        outcomes = tuple(outcome(act, [one]) for one in sole)
        outcomes += tuple(only(one) for one in called if one.thing.domain not in LEADS[act])
        return Spoken(text, "one in room", outcomes, before=before(act, there))

    def _everywhere(self) -> Spoken | None:
        """All of a kind in the whole home."""
        domain = self._draw.choice(list(self._words.all))
        act = self._draw.choice(("on", "off"))
        there = [one for one in self._house.placed if one.thing.domain == domain]
        return self._spoken(self._politely(act, self._words.all[domain]), "everywhere", act, there)

    def _spared(self) -> Spoken | None:
        """All of a kind but one, which stays as it is."""
        domain = self._draw.choice(list(self._words.all))
        kept = self._pick(
            one for one in self._house.placed if one.thing.exposed and one.thing.domain == domain and not one.trap
        )
        if kept is None or len(self._able("off", kept.thing.name)) != 1:
            return None
        text = self._draw.choice(self._words.but).format(all=self._words.all[domain], x=kept.said)
        there = [one for one in self._house.placed if one.thing.domain == domain]
        rest = [one for one in there if one is not kept]
        return Spoken(text, "all but one", (outcome("off", rest),), before=before("off", there))

    def _two(self) -> Spoken | None:
        """Two things in one breath: both, or neither."""
        pair = self._pair()
        if pair is None:
            return None
        first, second = pair
        acts = self._act_for(first), self._act_for(second)
        text = self._words.both.join(self._do(act, one.said) for act, one in zip(acts, pair, strict=True))
        wanted = outcome(acts[0], [first]).wanted | outcome(acts[1], [second]).wanted
        start = before(acts[0], [first]) | before(acts[1], [second])
        return Spoken(text, "two", (Outcome(wanted),), must=True, before=start)

    def _noun_as_verb(self) -> Spoken | None:
        """Two things and two opposite verbs, of which the second is the word for a kind as well: both, or neither."""
        if not self._words.noun_verbs:
            return None
        verb, act = self._draw.choice(list(self._words.noun_verbs.items()))
        against = {"on": "off", "lock": "unlock"}[act]
        names = [fold(one.thing.name) for one in self._house.placed]
        able = [one for one in self._house.placed if one.within_reach and not one.trap]
        alone = [one for one in able if names.count(fold(one.thing.name)) == 1]
        second = self._pick(one for one in alone if one.thing.domain == verb)
        first = self._pick(one for one in alone if one is not second and one.thing.domain in LEADS[against])
        if first is None or second is None:
            return None
        text = self._draw.choice((self._words.both, ", ")).join(
            [self._do(against, first.said), f"{verb} {second.said}"]
        )
        wanted = outcome(against, [first]).wanted | outcome(act, [second]).wanted
        start = before(against, [first]) | before(act, [second])
        return Spoken(text, "noun as verb", (Outcome(wanted),), before=start)

    def _one_and_not_the_other(self) -> Spoken | None:
        """One thing, and another that is forbidden in the same breath."""
        pair = self._pair()
        if pair is None:
            return None
        first, second = pair
        acts = self._act_for(first), self._act_for(second)
        parts = [self._do(acts[0], first.said), self._do(acts[1], second.said, "neg")]
        self._draw.shuffle(parts)
        start = before(acts[0], [first]) | before(acts[1], [second])
        return Spoken(self._words.both.join(parts), "one and not the other", (outcome(acts[0], [first]),), before=start)

    def _one_and_the_other_if(self) -> Spoken | None:
        """One thing, and in the same breath another on a condition, later or as told: the first, or neither."""
        pair = self._pair()
        if pair is None:
            return None
        acts = [self._act_for(one) for one in pair]
        frames = self._words.forbidden[self._draw.choice(("condition", "later", "reported"))]
        parts = [self._do(acts[0], pair[0].said), self._framed(self._draw.choice(frames), acts[1], pair[1].said)]
        self._draw.shuffle(parts)
        start = before(acts[0], [pair[0]]) | before(acts[1], [pair[1]])
        outcomes = (outcome(acts[0], [pair[0]]),)
        return Spoken(self._words.both.join(parts), "one and the other if", outcomes, before=start)

    def _shared_verb(self) -> Spoken | None:
        """Several things after one verb: all of them, or none."""
        act = self._draw.choice(("on", "off", "open", "close", "lock", "unlock"))
        names = [fold(one.thing.name) for one in self._house.placed]
        able = [
            one
            for one in self._house.placed
            if one.within_reach
            and not one.trap
            and one.thing.domain in LEADS[act]
            and names.count(fold(one.thing.name)) == 1
        ]
        if len(able) < 2:
            return None
        several = self._draw.sample(able, min(len(able), self._draw.choice((2, 2, 3))))
        *most, last = [one.said for one in several]
        return self._spoken(self._do(act, f"{', '.join(most)}{self._words.both}{last}"), "shared verb", act, several)

    def _on_a_floor(self) -> Spoken | None:
        """All of a kind on a floor."""
        house, domain = self._house, self._draw.choice(list(self._words.many))
        if not house.floors:
            return None
        floor = self._draw.choice(house.floors)
        act = self._draw.choice([act for act, leads in LEADS.items() if domain in leads and act != "dim"])
        there = [
            one for one in house.placed if one.thing.domain == domain and house.floor_of.get(one.room or "") == floor
        ]
        said = f"{self._words.many[domain]} {self._words.floors[floor]}"
        return self._spoken(self._politely(act, said), "kind on floor", act, there)

    def _too_much(self) -> Spoken | None:
        """A value that there is not: nothing."""
        act, number, beyond = self._draw.choice((("dim", "40", "400"), ("warm", "23", "230"), ("warm", "23", "-23")))
        placed = self._pick(
            one for one in self._house.placed if one.within_reach and not one.trap and one.thing.domain in LEADS[act]
        )
        if placed is None or number in placed.said:
            return None
        text = self._do(act, placed.said).replace(number, beyond)
        # A thermostat is told, and the gate's limits refuse it: what is judged here is that nothing else is.
        return Spoken(text, "too much", (only(placed),) if act == "warm" else ())

    def _framed(self, frame: str, act: str, said: str) -> str:
        return frame.format(x=said, **{form: self._do(act, said, form) for form in ("do", "inf", "to", "done")})

    def _pair(self) -> tuple[Placed, Placed] | None:
        clear = [one for one in self._house.placed if one.within_reach and not one.trap]
        names = [fold(one.thing.name) for one in self._house.placed]
        clear = [one for one in clear if names.count(fold(one.thing.name)) == 1]
        if len(clear) < 2:
            return None
        first, second = self._draw.sample(clear, 2)
        return first, second

    def _forbidden(self) -> Spoken | None:
        """What must not act, whatever is named in it."""
        placed = self._pick(one for one in self._house.placed if one.within_reach and not one.trap)
        if placed is None:
            return None
        act, said = self._act_for(placed), placed.said
        kind = self._draw.choice(["negation", *self._words.forbidden])
        if kind == "negation":
            text = self._do(act, said, "neg")
        else:
            frame = self._draw.choice(self._words.forbidden[kind])
            text = self._framed(frame, act, said)
        # A name alone may be asked about: it forbids nothing.
        return Spoken(self._as_written(text), kind, never=text != said, before=before(act, [placed]))

    def _nowhere(self) -> Spoken | None:
        """What there is not: a thing of another name, or a room of another home."""
        draw, house = self._draw, self._house
        known = " ".join(house.names())
        if draw.random() < 0.5 and house.absent:
            domain, room = draw.choice(list(self._words.many)), draw.choice(house.absent)
            act = self._act_on(domain)
            said = f"{draw.choice((self._words.many, self._words.one)).get(domain, self._words.many[domain])} {self._words.rooms[room]}"
            if fold(room) in known:
                return None
        else:
            strange = [name for name in self._words.proper if not _near(fold(name), known.split())]
            if not strange:
                return None
            domain = draw.choice(list(self._words.nouns))
            act = self._act_on(domain)
            _, article, bent = draw.choice(self._words.nouns[domain])
            name = self._words.names[0].format(n=bent, p=draw.choice(strange), room="")
            said = f"{article}{name}" if article.endswith("'") else f"{article} {name}".strip()
        start = before(act, [one for one in house.placed if one.thing.domain in LEADS[act]])
        return Spoken(self._politely(act, said), "nowhere", before=start)

    def _hidden(self) -> Spoken | None:
        """What is not exposed, or away."""
        placed = self._pick(one for one in self._house.placed if not one.within_reach)
        if placed is None or placed.thing.name in self._house.rooms:
            return None
        act = self._act_for(placed)
        same = self._able(act, placed.thing.name)
        outcomes = tuple(outcome(act, [one]) for one in same if one.within_reach and len(same) == 1)
        outcomes += tuple(only(one) for one in self._otherwise(act, placed.thing.name))
        return Spoken(self._politely(act, placed.said), "out of reach", outcomes, before=before(act, same))

    def _other_object(self) -> Spoken | None:
        """A temperature or a volume in a room: a thermostat or a player there, and nothing else."""
        room = self._draw.choice(self._house.rooms)
        text = self._draw.choice(self._words.elsewhere).format(room=self._words.rooms[room])
        there = {
            one.entity_id
            for one in self._house.placed
            if room in {one.room, one.thing.name} and one.thing.domain in {"climate", "media_player"}
        }
        return Spoken(text, "other object", (Outcome(frozenset(), frozenset(there)),))

    def _slip(self) -> Spoken | None:
        """A name with a slip in it: that thing, or nothing."""
        placed = self._pick(one for one in self._house.placed if one.within_reach and not one.trap)
        if placed is None:
            return None
        act, words = self._act_for(placed), placed.said.split()
        at = self._draw.choice([n for n, word in enumerate(words) if len(word) > 4] or [-1])
        if at < 0:
            return None
        cut = self._draw.randint(1, len(words[at]) - 2)
        words[at] = words[at][:cut] + words[at][cut + 1 :]
        said = " ".join(words)
        others = [one for one in self._able(act, placed.thing.name) if one is not placed]
        near = [one for one in self._house.placed if one is not placed and _near(fold(said), [fold(one.said)])]
        if others or near:
            return None
        return self._spoken(self._do(act, said), "slip", act, [placed])

    def _spoken(self, text: str, kind: str, act: str, things: list[Placed], *, must: bool = False) -> Spoken:
        outcomes = (outcome(act, things),) if any(one.within_reach for one in things) else ()
        return Spoken(self._as_written(text), kind, outcomes, must=must, before=before(act, things))

    def _as_written(self, text: str) -> str:
        """Return the text as somebody may write it: loud, with a mark, with a space too many."""
        luck = self._draw.random()
        if luck < 0.06:
            return text.upper()
        if luck < 0.12:
            return text[:1].upper() + text[1:] + self._draw.choice(("!", ".", "..."))
        return text.replace(" ", "  ", 1) if luck < 0.15 else text


def _near(word: str, known: Iterable[str]) -> bool:
    """Return whether one of the words looks like it: a slip away, or two."""
    return any(_distance(word, other) <= max(2, len(word) // 3) for other in known)


def _distance(one: str, other: str) -> int:
    row = list(range(len(other) + 1))
    for n, letter in enumerate(one, 1):
        diagonal, row[0] = row[0], n
        for m, against in enumerate(other, 1):
            diagonal, row[m] = row[m], min(row[m] + 1, row[m - 1] + 1, diagonal + (letter != against))
    return row[-1]
