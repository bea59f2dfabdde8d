"""Entities said by id or by name, within what is exposed. What is not known, not exposed or not certain is an error that helps."""

from collections.abc import Iterable

from homesteward.core.errors import HomestewardError
from homesteward.core.text import neighbours
from homesteward.home.errors import UnknownEntityError
from homesteward.home.names import resolve_name
from homesteward.home.view import HomeView, area_of, names_of

SHOWN = 10  # entities named in one error


class NotExposedError(HomestewardError):
    """The entity is there, and the household has not opened it to the assistant."""

    code = "not_exposed"


class AmbiguousError(HomestewardError):
    """A name fits more than one entity, so nothing was chosen."""

    code = "ambiguous"


def named_entities(home: HomeView, asked: str, *, domain: str | None = None) -> tuple[str, ...]:
    """Return the exposed entities that `asked` is the id or a name of, those of `domain` first asked for where one is given.

    Raises UnknownEntityError naming the nearest, or NotExposedError.
    """
    if asked in home.states:
        check_exposed(home, [asked])
        return (asked,)
    wanted = (domain, None) if domain else (None,)
    for kind in wanted:
        if found := resolve_name(home, asked, domain=kind):
            return tuple(entity_id for entity_id in found if entity_id in home.states)
    if hidden := resolve_name(home, asked, exposed_only=False):
        check_exposed(home, hidden)
    raise unknown(home, asked)


def check_exposed(home: HomeView, entity_ids: Iterable[str]) -> None:
    """Raise NotExposedError for the first entity that the home knows and the household has not exposed."""
    for entity_id in entity_ids:
        if entity_id not in home.exposed and (entity_id in home.states or entity_id in home.entities):
            raise NotExposedError(
                f"{entity_id} is not exposed to the assistant.",
                next="Expose it in Home Assistant under Settings, Voice assistants, Expose.",
            )


def ambiguous(home: HomeView, asked: str, found: Iterable[str]) -> AmbiguousError:
    """Return the error that names everything `asked` fits."""
    listed = [f"{entity_id} ({_where(home, entity_id)})" for entity_id in found]
    return AmbiguousError(
        f"{asked!r} fits {len(listed)} entities: {', '.join(listed[:SHOWN])}.",
        next="Ask which one is meant, or name one by its entity id.",
    )


def unknown(home: HomeView, asked: str) -> UnknownEntityError:
    """Return the error for an entity that nobody knows; only exposed ones are offered instead."""
    spelled = {name: entity_id for entity_id in home.exposed for name in (entity_id, *names_of(home, entity_id))}
    near = list(dict.fromkeys(spelled[name] for name in neighbours(asked, spelled)))
    hint = f"Did you mean {' or '.join(near)}?" if near else "Use find to see what there is."
    return UnknownEntityError(f"There is no entity {asked!r} here.", next=hint)


def _where(home: HomeView, entity_id: str) -> str:
    area = area_of(home, entity_id)
    return ", ".join([*names_of(home, entity_id)[:1], *([area.name] if area else [])])
