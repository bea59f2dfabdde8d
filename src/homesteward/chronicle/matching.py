"""What of a question is held against rows as they are shown: who a row names, and for whoever does not see everything, its words.

The tables know more than a row shows: whose token an act was sent with, a request in words, the trigger behind it. What was found by that
would tell of it.
"""

from collections.abc import Callable, Iterator

from homesteward.chronicle.reading import Reader
from homesteward.chronicle.record import Act, Call, Run, StateChange
from homesteward.chronicle.rows import Row
from homesteward.core.text import fold
from homesteward.home.view import HomeView, names_of

type Keep = Callable[[Row], bool]
"""Whether a row, as it is shown, is asked for."""


def named_by(users: tuple[str, ...], reader: Reader, *, ids: bool) -> Keep:
    """Return whether a row names one of these users; with `ids` also where one is asked for by id, which no row shows."""
    names = {fold(user) for user in users}
    if ids:
        names |= {fold(name or user_id) for user_id, name in reader.users.values() if user_id in users}
    return lambda row: row.user is not None and fold(row.user) in names


def saying(text: str, view: HomeView) -> Keep:
    """Return whether `text` is in what a row shows: its entities and their names, its state, trigger, service or request."""
    wanted, folded = text.casefold(), fold(text)

    def keep(row: Row) -> bool:
        return any(wanted in said.casefold() for said in _said(row)) or any(
            folded in fold(name) for entity_id in row.entity_ids for name in (entity_id, *names_of(view, entity_id))
        )

    return keep


def _said(row: Row) -> Iterator[str]:
    record = row.record
    match record:
        case StateChange():
            yield record.new or ""
        case Run():
            yield from (record.name, record.trigger)
        case Call():
            yield row.subject
        case Act():
            yield from (row.subject, record.request, record.person, record.rule)
