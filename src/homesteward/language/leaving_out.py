"""All of something but for some of it: "all the lights except the kitchen"."""

from collections.abc import Callable

from homesteward.knowledge import NameIndex
from homesteward.language.lexicon import Lexicon
from homesteward.language.phrases import parts_of, without_leading
from homesteward.language.resolution import Found, Resolution

type One = Callable[[str, bool], Resolution]
type There = Callable[[tuple[str, ...]], frozenset[str] | None]


def leaving_out(text: str, words: Lexicon, index: NameIndex, one: One, there: There) -> Found | None:
    """Return all that is said before a word like "except" without what is said after it, None where either side means nothing.

    `one` finds what words mean, all of a kind where it is told so; `there` what of it is in a place. A group with anything in it
    that is left out is left out as a group: its other members are there one by one.
    """
    for word in words.sparing:
        before, found, after = text.partition(f" {word} ")
        whole = one(before, False) if found else None
        if not isinstance(whole, Found) or not whole.wide:
            continue
        parts = [_meant(part, words, one, there) for part in parts_of(after, words.conjunctions)]
        if not parts or not all(parts):
            return None
        spared = _with_members(frozenset[str]().union(*parts), index)
        kept = tuple(name for name in whole.entity_ids if not _with_members(frozenset({name}), index) & spared)
        return Found(kept, whole.fit, wide=True, spared=True) if kept else None
    return None


def exception_inside(text: str, words: Lexicon) -> str:
    """Return the text with an exception at its end put before the particle of its verb: "alle Lichter aus, außer der Lampe"."""
    for sparing in words.sparing:
        before, found, after = text.partition(f" {sparing} ")
        head, _, particle = before.rstrip(" ,").rpartition(" ")
        if found and head and particle in words.particles:
            return f"{head} {sparing} {after} {particle}"
    return text


def _meant(part: str, words: Lexicon, one: One, there: There) -> frozenset[str]:
    bare = without_leading(part.split(), words.articles | words.prepositions)
    if (place := there(tuple(bare))) is not None:
        return place
    found = one(" ".join(bare), True)
    return frozenset(found.entity_ids) if isinstance(found, Found) else frozenset()


def _with_members(ids: frozenset[str], index: NameIndex) -> frozenset[str]:
    return ids.union(*(index.entities[name].members for name in ids))
