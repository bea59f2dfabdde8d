"""Which entities a call that was heard reaches: those it names, and what its places and groups stand for at that moment."""

from collections.abc import Iterator

from homesteward.chronicle.events import HeardCall
from homesteward.home.calls import TARGET_KEYS, Call, Target
from homesteward.home.errors import CallError
from homesteward.home.targets import WORDS_FOR_ALL, acts_on, expand
from homesteward.home.view import HomeView, leaves_of, members_of

MAX_REACHED = 500


def reached(view: HomeView, heard: HeardCall) -> tuple[str, ...]:
    """Return the entities that the call reaches, at most 500: those it names first, then the members of groups among them.

    It was called whatever we think of it, so what cannot be expanded (a place without anything, an unknown name) adds nothing.
    """
    named = heard.target.entity_id
    explicit = tuple(name for name in named if name not in WORDS_FOR_ALL)
    everything = _everything(view, heard) if "all" in named else ()
    found = [*explicit, *everything, *_wide(view, heard)]
    members = [leaf for entity_id in found if members_of(view, entity_id) for leaf in leaves_of(view, [entity_id])]
    return tuple(dict.fromkeys([*found, *members]))[:MAX_REACHED]


def _wide(view: HomeView, heard: HeardCall) -> Iterator[str]:
    """Yield what each place, device and label stands for, each on its own: one that is unknown must not hide the others."""
    for key in TARGET_KEYS[1:]:
        for name in getattr(heard.target, key):
            try:
                resolved = expand(view, Call(heard.domain, heard.service, Target(**{key: (name,)})))
            except CallError:
                continue
            yield from resolved.entity_ids


def _everything(view: HomeView, heard: HeardCall) -> tuple[str, ...]:
    service = view.services.get(heard.id)
    if service is None:
        return ()
    return tuple(entity_id for entity_id in view.states if acts_on(view, service, entity_id))[:MAX_REACHED]
