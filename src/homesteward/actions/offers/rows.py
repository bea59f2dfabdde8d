"""Offers as rows: what reading and changing them means inside one transaction. Who may do so is decided before."""

from collections.abc import Iterable
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, delete, insert, select, update

from homesteward.actions.errors import GateError
from homesteward.actions.offers.errors import UnknownOfferError
from homesteward.actions.offers.offer import Enabling, Offer, OfferState, Usage
from homesteward.actions.offers.tool import Tool
from homesteward.people import Role
from homesteward.store.tables import offers as table

MOST = 1000  # of one home


class OffersFullError(GateError):
    """A home keeps no more offers."""

    code = "offers_full"


class OfferRows:
    """The rows of one home's offers."""

    def __init__(self, home_id: str) -> None:
        self._home_id = home_id

    def all(self, connection: Connection) -> tuple[Offer, ...]:
        """Return every offer, by source and tool."""
        return self._found(connection, self._of_home().order_by(table.c.source, table.c.tool))

    def of_source(self, connection: Connection, source: str) -> tuple[Offer, ...]:
        """Return the offers of one source."""
        return self._found(connection, self._of_home().where(table.c.source == source))

    def in_states(self, connection: Connection, states: Iterable[OfferState]) -> tuple[Offer, ...]:
        """Return the offers in one of these states, by source and tool."""
        wanted = table.c.state.in_([state.value for state in states])
        return self._found(connection, self._of_home().where(wanted).order_by(table.c.source, table.c.tool))

    def one(self, connection: Connection, offer_id: str) -> Offer:
        """Return the offer; raise UnknownOfferError."""
        found = self._found(connection, self._of_home().where(table.c.id == offer_id))
        if not found:
            raise unknown(offer_id)
        return found[0]

    def add(self, connection: Connection, offer: Offer) -> None:
        """Keep a new offer; raise OffersFullError where the home has as many as it keeps."""
        if len(connection.execute(select(table.c.id).where(table.c.home_id == self._home_id)).all()) >= MOST:
            raise OffersFullError(f"A home keeps at most {MOST} offers.", next="Forget some of them.")
        connection.execute(insert(table), {"home_id": self._home_id, **_values(offer)})

    def replace(self, connection: Connection, before: Offer, after: Offer) -> bool:
        """Keep `after` in place of `before`; return whether it was still as `before`, in state and form."""
        same = (table.c.state == before.state.value, table.c.fingerprint == before.tool.fingerprint)
        changed = connection.execute(update(table).where(*self._key(before.id), *same).values(**_values(after)))
        return changed.rowcount == 1

    def remove(self, connection: Connection, offer_id: str) -> bool:
        """Forget an offer; return whether there was one."""
        return connection.execute(delete(table).where(*self._key(offer_id))).rowcount == 1

    def _of_home(self) -> Select[Any]:
        return select(table).where(table.c.home_id == self._home_id)

    def _key(self, offer_id: str) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
        return table.c.home_id == self._home_id, table.c.id == offer_id

    def _found(self, connection: Connection, query: Select[Any]) -> tuple[Offer, ...]:
        return tuple(map(_offer, connection.execute(query)))


def unknown(offer_id: str) -> UnknownOfferError:
    """Return the error for an offer that is not there."""
    return UnknownOfferError(f"There is no offer {offer_id[:60]!r}.", next="List them: homesteward tools offers list")


def _values(offer: Offer) -> dict[str, Any]:
    tool, usage, enabling = offer.tool, offer.usage, offer.enabling
    return {
        "id": offer.id,
        "source": offer.source,
        "tool": tool.name,
        "state": offer.state.value,
        "title": tool.title,
        "description": tool.description,
        "phrases": list(usage.phrases),
        "service": tool.service,
        "entity_id": tool.entity_id,
        "roles": sorted(role.value for role in usage.roles),
        "areas": sorted(usage.areas),
        "effect": offer.effect,
        "schema": tool.schema,
        "fingerprint": tool.fingerprint,
        "changed": offer.changed,
        "exposed": int(tool.exposed),
        "found": offer.found,
        "gone": offer.gone,
        "enabled_by": enabling.by if enabling else "",
        "enabled_person_id": enabling.person_id if enabling else "",
        "enabled_plan": enabling.plan_id if enabling else "",
        "enabled_at": enabling.at if enabling else None,
        "enabled_fingerprint": enabling.fingerprint if enabling else "",
    }


def _offer(row: Row[Any]) -> Offer:
    by, person, plan, at = row.enabled_by, row.enabled_person_id, row.enabled_plan, row.enabled_at
    return Offer(
        id=row.id,
        source=row.source,
        tool=Tool(
            row.tool, row.title, row.service, row.entity_id, row.schema, row.description, exposed=bool(row.exposed)
        ),
        state=OfferState(row.state),
        found=row.found,
        usage=Usage(tuple(row.phrases), frozenset(map(Role, row.roles)), frozenset(row.areas)),
        effect=row.effect,
        changed=row.changed,
        gone=row.gone,
        enabling=Enabling(by, person, plan, at, row.enabled_fingerprint) if at else None,
    )
