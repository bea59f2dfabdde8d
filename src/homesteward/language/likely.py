"""What words may mean where nothing is called so, and one thing alone can be meant: other words for it, never another thing.

A covering of a window is called by many names, whatever class it has; the front door is the one that the entrance has.
"""

from collections.abc import Iterator

from homesteward.knowledge import NameIndex, Scope
from homesteward.language.lexicon import Kind, Lexicon

# Classes of covers that people call by each other's names: what hangs before a window.
COVERINGS = ("blind", "curtain", "shade", "shutter")


def as_covering(kind: Kind | None) -> Kind | None:
    """Return the kind as any covering of a window, one of them; None where it is no such kind."""
    classes = kind.scope.get("cover", ()) if kind else ()
    return Kind({"cover": COVERINGS}, plural=False) if classes and set(classes) <= set(COVERINGS) else None


def at_the_entrance(words: tuple[str, ...], scope: Scope, index: NameIndex, said: Lexicon) -> tuple[str, ...]:
    """Return the doors and locks of the entrance, where the words are those for the front door and at most a kind of thing."""
    text = f" {' '.join(words)} "
    for door in said.front_doors:
        if f" {door} " in text:
            rest = " ".join(text.replace(f" {door} ", " ").split())
            kind = said.kinds.get(rest)
            if not rest or kind:
                return index.within(scope, frozenset(_doors(index, said, kind)))
    return ()


def _doors(index: NameIndex, said: Lexicon, kind: Kind | None) -> Iterator[str]:
    """Yield what lets people in at an entrance, and is of the kind where one was said."""
    for area_id in {area_id for name in said.entrance_areas for area_id in index.areas.get(name, ())}:
        for entity_id in index.within(DOORS, index.in_area.get(area_id, frozenset())):
            if index.entities[entity_id].wide and (kind is None or index.fits(entity_id, kind.scope)):
                yield entity_id


DOORS: Scope = {"lock": (), "cover": ("door",), "binary_sensor": ("door", "opening")}


def by_name(kind: Kind) -> bool:
    """Return whether only what is called so, or is known to be so, is of the kind: not every player is a radio."""
    return any(set(classes) & NAMED_SO for classes in kind.scope.values())


def may_be_a_garage(ids: tuple[str, ...], kind: Kind, scope: Scope, index: NameIndex, area_id: str | None) -> bool:
    """Return whether a word for any door would move a garage, which is opened by its own word, by its room or from within it.

    A question about doors is about all of them.
    """
    if "binary_sensor" in scope or not {"lock", "cover"} <= kind.scope.keys():
        return False
    garages = [index.entities[name] for name in ids if index.entities[name].device_class == "garage"]
    return any(not area_id or garage.area_id != area_id for garage in garages)


def is_verb_and_thing(part: str, words: Lexicon, index: NameIndex) -> bool:
    """Return whether the part begins with the word for a kind that is the verb here: "light the lamp", "lock back door"."""
    first, _, rest = part.partition(" ")
    if first not in words.noun_verbs or not rest:
        return False
    return rest.partition(" ")[0] in words.articles | set(words.all) or rest in index.exact


NAMED_SO = frozenset({"radio", "cooling"})
