"""Places and things said by name where Home Assistant takes an id."""

from collections.abc import Iterable, Mapping
from typing import Protocol

from homesteward.core.text import forms, neighbours
from homesteward.home.errors import UnknownAreaError
from homesteward.home.view import HomeView


class Named(Protocol):
    """Anything that a person calls by a name."""

    @property
    def name(self) -> str:
        """Return its name."""
        ...


def area_id_of(home: HomeView, asked: str) -> str:
    """Return the id of the area that `asked` is the id, name or an alias of; raise UnknownAreaError with those there are."""
    found = ids_named(home.areas, asked)
    if found:
        return found[0]
    known = sorted(area.name for area in home.areas.values())
    near = neighbours(asked, known)
    raise UnknownAreaError(
        f"There is no area {asked!r} here.",
        next=f"{f'Did you mean {near[0]}? ' if near else ''}The areas are: {', '.join(known) or 'none'}.",
    )


def ids_named(known: Mapping[str, Named], asked: str) -> tuple[str, ...]:
    """Return every id of `known` that `asked` fits: the id itself, else a name or an alias in any spelling."""
    if asked in known:
        return (asked,)
    spellings = forms(asked)
    return tuple(key for key, thing in known.items() if any(forms(name) & spellings for name in _names(thing)))


def _names(thing: Named) -> Iterable[str]:
    return (thing.name, *getattr(thing, "aliases", ()))
