"""Going through the whole audit, a page at a time, to see whether anything in it was changed."""

import asyncio
from dataclasses import dataclass
from functools import partial

from sqlalchemy import BigInteger, Connection, Text, select, type_coerce

from homesteward.store.anchor import Anchor
from homesteward.store.chain import Inspection, Link, key_id_of
from homesteward.store.database import Database
from homesteward.store.key import KeyRing, Use
from homesteward.store.secrets import retired
from homesteward.store.tables import audit

PAGE = 1000

RAW = (
    audit.c.n,
    type_coerce(audit.c.at, BigInteger),
    audit.c.kind,
    audit.c.actor,
    audit.c.subject,
    type_coerce(audit.c.data, Text),
    audit.c.hash,
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found. `bad` is the first entry that is wrong, or that says that something before it is missing."""

    checked: int
    """How many entries, from the first on, are as they were written."""
    bad: int | None = None
    problem: str = ""
    warning: str = ""
    """What could not be seen, where that is so."""

    @property
    def ok(self) -> bool:
        """Return whether nothing is wrong."""
        return self.bad is None


async def verify(database: Database, home_id: str, keys: KeyRing, anchor: Anchor | None) -> Verdict:
    """Go through the chain of a home. `anchor` was read before; what is written meanwhile is checked as well."""
    known = await database.read(lambda connection: retired(connection, home_id, keys))
    known |= {key.id: key.derived(Use.AUDIT) for key in (*keys.older, keys.current)}
    inspection, at_anchor = Inspection(home_id, known), anchor is None or anchor.n == 0
    after: int | None = None
    while page := await database.read(partial(_page, home_id=home_id, after=after)):
        bad = await asyncio.to_thread(inspection.follow, page)
        at_anchor = at_anchor or any((link.n, link.hash) == (anchor.n, anchor.hash) for link in page if anchor)
        if bad is not None:
            return Verdict(inspection.checked, bad, inspection.problem)
        after = page[-1].n
    return _end(inspection, keys, anchor, at_anchor=at_anchor)


def _page(connection: Connection, home_id: str, after: int | None) -> tuple[Link, ...]:
    where = [audit.c.home_id == home_id] if after is None else [audit.c.home_id == home_id, audit.c.n > after]
    rows = connection.execute(select(*RAW).where(*where).order_by(audit.c.n).limit(PAGE))
    return tuple(Link(*row) for row in rows)


def _end(inspection: Inspection, keys: KeyRing, anchor: Anchor | None, *, at_anchor: bool) -> Verdict:
    """Judge a chain that is whole as far as it goes."""
    checked, problem = inspection.checked, ""
    if anchor and anchor.n > checked:
        bad, problem = checked + 1, f"entries up to {anchor.n} were cut off the end"
    elif anchor and not at_anchor:
        bad, problem = anchor.n, "it is not the entry that was kept when the audit had come this far"
    elif checked and keys.find(key_id_of(inspection.hash)) is None:
        bad, problem = checked, "the last entry was chained with a key that had been replaced"
    elif inspection.breaks:
        bad, problem = inspection.breaks[0], "it says that entries before it had been cut off"
    else:
        bad = None
    return Verdict(checked, bad, problem, _unseen(checked, anchor))


def _unseen(checked: int, anchor: Anchor | None) -> str:
    if anchor is None:
        return "There is no anchor file: it cannot be seen whether entries were cut off the end." if checked > 1 else ""
    if anchor.since > 1:
        return f"The anchor file was made anew at entry {anchor.since}: it cannot be seen whether entries after that were cut off then."
    return ""
