"""What can be asked of the chronicle, and how a question becomes lanes to walk. A page goes on where the one before ended."""

import base64
import binascii
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime
from fnmatch import fnmatchcase
from functools import cached_property

from sqlalchemy import ColumnElement, FromClause, Table, case, exists, func, or_, select

from homesteward.chronicle.lanes import Filter, Lane, Way
from homesteward.chronicle.matching import Keep, named_by, saying
from homesteward.chronicle.reading import USER_DEPTH, Reader
from homesteward.chronicle.record import Kind
from homesteward.chronicle.rows import Position, Row, position_of
from homesteward.chronicle.sight import Sight
from homesteward.chronicle.stamps import micros
from homesteward.chronicle.tables import acts, calls, contexts, runs, state_changes, targets
from homesteward.chronicle.times import BadTimeError
from homesteward.core.errors import HomestewardError
from homesteward.core.text import fold, neighbours
from homesteward.home.errors import UnknownAreaError, UnknownEntityError
from homesteward.home.view import HomeView, area_of, names_of

USUAL_LIMIT = 100
MAX_LIMIT = 5000
RUNNING = {"automation": Kind.AUTOMATION, "script": Kind.SCRIPT, "scene": Kind.SCENE}
TABLES: dict[Kind, Table] = {
    Kind.STATE: state_changes,
    Kind.AUTOMATION: runs,
    Kind.SCRIPT: runs,
    Kind.SCENE: runs,
    Kind.CALL: calls,
    Kind.ACT: acts,
}
# more entities than this are picked out of the stream of all
MAX_LANES = 64
# the texts of each table in which a word is looked for, beside the names of the entities
WORDS = {
    state_changes: ("state",),
    runs: ("name", "trigger"),
    calls: ("service",),
    acts: ("service", "request", "person", "rule"),
}


class BadQueryError(HomestewardError):
    """The question cannot be asked like this."""

    code = "bad_query"


class UnknownUserError(HomestewardError):
    """Nobody of this name or id did anything that is remembered."""

    code = "unknown_user"


class BadCursorError(HomestewardError):
    """The cursor was not given out by the chronicle."""

    code = "bad_cursor"


@dataclass(frozen=True, slots=True)
class Query:
    """What is asked for. Within one field any of the values will do; all fields that are given must hold."""

    entities: tuple[str, ...] = ()
    """Entity ids, or patterns with `*` and `?`."""
    domains: tuple[str, ...] = ()
    areas: tuple[str, ...] = ()
    """Ids or names."""
    states: tuple[str, ...] = ()
    """What a state became: only state changes are asked for."""
    users: tuple[str, ...] = ()
    """Names as rows show them under `user`, or ids; also of the persons behind acts of ours."""
    kinds: frozenset[Kind] = frozenset()
    text: str = ""
    """Part of an entity's id or name, a state, a trigger, a service, a request."""
    since: datetime | None = None
    until: datetime | None = None
    """The first moment that no longer belongs to it."""
    limit: int = USUAL_LIMIT
    cursor: str = ""

    def __post_init__(self) -> None:
        """Raise BadQueryError for a limit that no page has, BadTimeError for a span that ends before it begins."""
        if self.since is not None and self.until is not None and self.since >= self.until:
            raise BadTimeError("The time span ends before it begins.")
        if not 1 <= self.limit <= MAX_LIMIT:
            raise BadQueryError(
                f"A page has 1 to {MAX_LIMIT} rows, not {self.limit}.", next="Ask for fewer, and go on with the cursor."
            )


@dataclass(frozen=True, slots=True)
class Page:
    """Rows, the newest first. `truncated` says that the time span has more beyond them, which `cursor` leads to.

    `newer` leads to what comes in later. A page may be truncated and yet short: so far was looked, and no further.
    """

    rows: tuple[Row, ...]
    truncated: bool = False
    cursor: str | None = None
    newer: str | None = None
    notes: tuple[str, ...] = ()


def cursor_of(position: Position, *, newer: bool) -> str:
    """Return the text that a page goes on from."""
    text = f"{'n' if newer else 'o'}{micros(position[0])}-{position[1]}"
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def way_of(query: Query) -> Way:
    """Return which way the question goes through time; raise BadCursorError for a cursor of somebody's own."""
    if not query.cursor:
        return Way(query.since, query.until)
    try:
        text = base64.b64decode(query.cursor + "=" * (-len(query.cursor) % 4), b"-_", validate=True).decode()
    except binascii.Error, ValueError:
        text = ""
    position = position_of(text[1:])
    if position is None or text[0] not in "no":
        raise BadCursorError("This cursor is not one of the chronicle's.", next="Ask without it to begin anew.")
    return Way(query.since, query.until, position, newer=text[0] == "n")


class Asked:
    """A question as it stands for one reading: what it means for keys and tables, seen by one caller."""

    def __init__(self, query: Query, reader: Reader, view: HomeView, sight: Sight) -> None:
        """Resolve `query`; raise UnknownEntityError, UnknownAreaError or UnknownUserError with what is near."""
        self._query, self._reader, self._view, self._sight = query, reader, view, sight
        self._entities = self._chosen()
        self._users = self._user_keys() if query.users else frozenset()

    def lanes(self) -> list[Lane]:
        """Return the lanes on which everything lies that is asked for."""
        if self._reader.home is None:
            return []
        return [lane for table in self._tables() for lane in self._of(table)]

    def keep(self, row: Row) -> bool:
        """Return whether a row, as it is shown, is one of those asked for: what lanes cannot say is held against it."""
        return all(keep(row) for keep in self._keeps)

    @property
    def picks(self) -> bool:
        """Return whether `keep` leaves rows out."""
        return bool(self._keeps)

    @cached_property
    def _keeps(self) -> tuple[Keep, ...]:
        query, whole = self._query, self._sight.whole
        users = (named_by(query.users, self._reader, ids=whole),) if query.users else ()
        return (*users, saying(query.text, self._view)) if query.text and not whole else users

    @cached_property
    def _known(self) -> frozenset[str]:
        """Return every entity that the caller may know of: of the home as it is, and of its past."""
        everything = (self._reader.keys, self._view.states, self._view.entities)
        return frozenset(entity_id for ids in everything for entity_id in ids if self._sight.sees(entity_id))

    def _knows(self, entity_id: str) -> bool:
        there = entity_id in self._reader.keys or entity_id in self._view.states or entity_id in self._view.entities
        return there and self._sight.sees(entity_id)

    def _tables(self) -> Iterator[Table]:
        kinds = self._query.kinds or frozenset(Kind)
        if self._query.states:
            kinds = kinds & {Kind.STATE}
        yield from dict.fromkeys(TABLES[kind] for kind in Kind if kind in kinds)

    def _of(self, table: Table) -> Iterator[Lane]:
        others = tuple(self._others(table))
        whole = not others
        keys = self._keys(self._entities)
        if keys is not None and table is runs:
            keys = frozenset(key for key in keys if self._reader.name(key).partition(".")[0] in RUNNING)
        if keys is None:
            yield Lane(table, None, others, whole)
        elif len(keys) <= MAX_LANES:
            yield from (Lane(table, key, others, whole) for key in sorted(keys))
        else:
            yield Lane(table, None, (lambda of: _at(table, of, keys), *others), whole)
        if self._loose(table):
            yield Lane(table, None, (self._of_domain, *others), whole)

    def _others(self, table: Table) -> Iterator[Filter]:
        """Yield what no index knows."""
        query = self._query
        if query.states:
            yield lambda of: of.c.state.in_(query.states)
        if table is runs and query.kinds and not query.kinds >= set(RUNNING.values()):
            yield lambda of: of.c.kind.in_([kind.value for kind in query.kinds])
        if query.users and table is not acts:  # these are few, and each says for whom it was done
            yield self._by_users
        if query.text and self._sight.whole:
            yield self._with_text(table)

    def _loose(self, table: Table) -> bool:
        """Return whether a domain alone is asked for, whose calls may have had no target, and whoever asks sees such calls."""
        query = self._query
        alone = bool(query.domains) and not query.entities and not query.areas
        return alone and self._sight.whole and table in {calls, acts}

    def _of_domain(self, of: FromClause) -> ColumnElement[bool]:
        return or_(*(of.c.service.startswith(f"{domain}.", autoescape=True) for domain in self._query.domains))

    def _by_users(self, of: FromClause) -> ColumnElement[bool]:
        """Return what must hold of a row that may name one of them: `keep` looks at what it names."""
        own, *above = (contexts.alias(f"context_{height}") for height in range(USER_DEPTH))
        up: FromClause = own
        lower = own
        for upper in above:
            up = up.outerjoin(upper, (upper.c.home_id == lower.c.home_id) & (upper.c.context_id == lower.c.parent_id))
            lower = upper
        levels = (own, *above)
        behind = func.coalesce(*(level.c.user for level in levels))
        nearest = case(*((level.c.user.is_not(None), level.c.key) for level in levels))
        acted = exists(select(acts.c.id).where(acts.c.home_id == own.c.home_id, acts.c.context == nearest))
        known = select(own.c.key).select_from(up).where(own.c.home_id == of.c.home_id, own.c.key == of.c.context)
        return of.c.context.is_not(None) & exists(known.where(or_(behind.in_(self._users), acted)))

    def _with_text(self, table: Table) -> Filter:
        wanted = self._query.text
        keys = self._keys(frozenset(entity_id for entity_id in self._known if self._named(entity_id, fold(wanted))))

        def condition(of: FromClause) -> ColumnElement[bool]:
            texts = [of.c[name].icontains(wanted, autoescape=True) for name in WORDS[table]]
            return or_(*texts, _at(table, of, keys)) if keys else or_(*texts)

        return condition

    def _named(self, entity_id: str, wanted: str) -> bool:
        return wanted in fold(entity_id) or any(wanted in fold(name) for name in names_of(self._view, entity_id))

    def _keys(self, entity_ids: frozenset[str] | None) -> frozenset[int] | None:
        if entity_ids is None:
            return None
        return frozenset(key for entity_id in entity_ids if (key := self._reader.keys.get(entity_id)) is not None)

    def _chosen(self) -> frozenset[str] | None:
        """Return the entities that are meant, None for all."""
        query = self._query
        chosen: frozenset[str] | None = None if self._sight.whole else self._known
        for values, ids in (
            (query.entities, self._ids),
            (query.domains, self._in_domain),
            (query.areas, self._in_area),
        ):
            if values:
                meant = frozenset(entity_id for value in values for entity_id in ids(value))
                chosen = meant if chosen is None else chosen & meant
        return chosen

    def _ids(self, value: str) -> Collection[str]:
        wanted = value.strip().casefold()
        if "*" in wanted or "?" in wanted:
            return [entity_id for entity_id in self._known if fnmatchcase(entity_id, wanted)]
        if self._knows(wanted):
            return (wanted,)
        near = neighbours(wanted, self._known)
        raise UnknownEntityError(
            f"There is no {value.strip()}, and none is remembered.",
            next=f"Did you mean {', '.join(near)}?" if near else "Look it up by its name.",
        )

    def _in_domain(self, value: str) -> Collection[str]:
        start = value.strip().casefold() + "."
        return [entity_id for entity_id in self._known if entity_id.startswith(start)]

    def _in_area(self, value: str) -> Collection[str]:
        areas = {entity_id: area for entity_id in self._known if (area := area_of(self._view, entity_id)) is not None}
        wanted = fold(value)
        found = [
            each
            for each, area in areas.items()
            if wanted in {fold(area.name), fold(area.area_id), *map(fold, area.aliases)}
        ]
        known = {area.name for area in areas.values()}
        if self._sight.whole:
            known |= {area.name for area in self._view.areas.values()}
        if not found and wanted not in map(fold, known):
            near = neighbours(value, known)
            raise UnknownAreaError(
                f"There is no area {value.strip()}.",
                next=f"Did you mean {', '.join(near)}?" if near else "Name another.",
            )
        return found

    def _user_keys(self) -> frozenset[int]:
        """Return the users that are meant. Whether there is one is not told to whoever does not see everything."""
        found: set[int] = set()
        for user in self._query.users:
            meant = {
                key
                for key, (user_id, name) in self._reader.users.items()
                if user == user_id or fold(user) in {fold(name), fold(user_id)}
            }
            if not meant and self._sight.whole and not self._person(user):
                raise UnknownUserError(
                    f"Nobody called {user.strip()} is known here.",
                    next="Use a name or an id as rows show it under `user`.",
                )
            found |= meant
        return frozenset(found)

    def _person(self, name: str) -> bool:
        """Return whether an act of ours was done for somebody of this name. No database compares names as `fold` does."""
        asked = select(acts.c.person, acts.c.role).where(acts.c.home_id == self._reader.home).distinct()
        return any(fold(name) == fold(raw.person or raw.role) for raw in self._reader.raw(asked))


def _at(table: Table, of: FromClause, keys: Collection[int]) -> ColumnElement[bool]:
    """Return that a row is about one of these entities, or aimed at one."""
    if "entity" in table.c:
        return of.c.entity.in_(keys)
    return exists(
        select(targets.c.id).where(
            targets.c.home_id == of.c.home_id,
            targets.c.at == of.c.at,
            targets.c.id == of.c.id,
            targets.c.entity.in_(keys),
        )
    )
