"""The times in which nobody listened, as rows: opened, closed, filled, and never two for the same start."""

from collections.abc import Sequence

from sqlalchemy import Connection, and_, select

from homesteward.chronicle.record import Outage
from homesteward.chronicle.tables import homes, outages

MAX_OUTAGES = 1_000  # read at once


def store_outage(connection: Connection, home: int, outage: Outage) -> None:
    """Keep the outage in place of what was known of the one that began at the same moment."""
    here = and_(outages.c.home_id == home, outages.c.start == outage.start)
    values = {"end": outage.end, "reason": outage.reason[:200], "filled": outage.filled, "rows": outage.rows}
    if not connection.execute(outages.update().where(here).values(values)).rowcount:
        connection.execute(outages.insert().values(home_id=home, start=outage.start, **values))


def stored_outages(connection: Connection, home_id: str, *, unfilled: bool = False) -> Sequence[Outage]:
    """Return the home's outages, the newest thousand of them, oldest first; with `unfilled` only those not read afterwards."""
    columns = (outages.c.start, outages.c.end, outages.c.reason, outages.c.filled, outages.c.rows)
    query = select(*columns).join(homes, homes.c.key == outages.c.home_id).where(homes.c.home_id == home_id)
    if unfilled:
        query = query.where(outages.c.filled.is_(None))
    rows = connection.execute(query.order_by(outages.c.start.desc()).limit(MAX_OUTAGES)).all()
    return [Outage(*row) for row in reversed(rows)]
