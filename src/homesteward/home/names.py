"""From a spoken or written name to the entities that it fits."""

from collections.abc import Callable, Collection, Iterable
from functools import lru_cache

from homesteward.core.text import forms
from homesteward.home.view import HomeView, area_of, names_of

type _Fit = Callable[[HomeView, str, str], bool]


def resolve_name(view: HomeView, text: str, *, domain: str | None = None, exposed_only: bool = True) -> tuple[str, ...]:
    """Return every entity id that the name `text` fits, sorted; several mean that somebody has to be asked.

    The best way of fitting that finds anything decides: the entity id; a whole name or alias, over case, accents and
    spelling; a name with its area; a "name, alias" joined by commas; at last a part of a name, by whole words.
    """
    known = [entity_id for entity_id in view.states if _offered(view, entity_id, domain, exposed_only=exposed_only)]
    wanted = text.strip()
    if wanted in known:
        return (wanted,)
    for fit in (_whole, _with_area):
        if found := _matching(view, known, wanted, fit):
            return found
    return _joined(view, known, wanted) or _matching(view, known, wanted, _half)


def _offered(view: HomeView, entity_id: str, domain: str | None, *, exposed_only: bool) -> bool:
    if domain and not entity_id.startswith(f"{domain}."):
        return False
    return not exposed_only or entity_id in view.exposed


def _matching(view: HomeView, known: Iterable[str], text: str, fit: _Fit) -> tuple[str, ...]:
    return tuple(sorted(entity_id for entity_id in known if fit(view, entity_id, text))) if text else ()


def _whole(view: HomeView, entity_id: str, text: str) -> bool:
    wanted = _forms(text)
    return any(wanted & _forms(name) for name in names_of(view, entity_id))


def _with_area(view: HomeView, entity_id: str, text: str) -> bool:
    area = area_of(view, entity_id)
    if area is None:
        return False
    wanted = _forms(text)
    return any(
        wanted & _forms(f"{place} {name}") for place in (area.name, *area.aliases) for name in names_of(view, entity_id)
    )


def _half(view: HomeView, entity_id: str, text: str) -> bool:
    """Return whether the words of `text` are some of the words of one of the names: less was said, nothing else was."""
    wanted = [set(form.split()) for form in _forms(text)]
    return any(
        words <= set(form.split()) for name in names_of(view, entity_id) for form in _forms(name) for words in wanted
    )


def _joined(view: HomeView, known: Collection[str], text: str) -> tuple[str, ...]:
    """Resolve a list of names of one entity, as models send back what they were shown; every part must fit the same."""
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if len(parts) < 2:
        return ()
    found = [set(_matching(view, known, part, _whole)) for part in parts]
    return tuple(sorted(set.intersection(*found)))


@lru_cache(maxsize=50_000)
def _forms(text: str) -> frozenset[str]:
    return forms(text)
