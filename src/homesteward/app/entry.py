"""Who is asking, wired: the front desk over the database, with an audit that takes down what it does, and notices of it."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from homesteward.actions.notices import Notices
from homesteward.actions.noticing import Noticing
from homesteward.actions.strongbox import Strongbox
from homesteward.actions.ties import AnyWitness
from homesteward.core import Clock
from homesteward.core.redaction import Redactor
from homesteward.people.desk import FrontDesk
from homesteward.settings import Settings
from homesteward.store import Database, Secrets
from homesteward.store.audit import Audit
from homesteward.store.key import Use
from homesteward.store.renewal import note_replaced, open_keys, settle_keys

ANCHOR = "audit.anchor"  # beside the database, so that one put back from a copy does not agree with it
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Entry:
    """The desk, the audit, the notices and the secrets of one home."""

    desk: FrontDesk
    audit: Audit
    notices: Notices
    strongbox: Strongbox
    witness: AnyWitness
    """Takes everything down in the audit, and tells whoever has to know."""
    secrets: Secrets

    async def has_pin(self, person_id: str) -> bool:
        """Return whether the person has a PIN."""
        return (await self.desk.pins.state(person_id)).is_set


async def open_entry(
    settings: Settings,
    database: Database,
    home_id: str,
    folder: Path,
    clock: Clock,
    redactor: Redactor,
    language: Callable[[], str] = lambda: "en",
) -> Entry:
    """Return the desk and the audit of the home; the set-up code of a home without an owner is told in the log.

    Notices are worded in what `language` gives.
    """
    keys = await open_keys(database, folder, settings.store.key.get_secret_value(), home_id)
    audit = Audit(database, home_id, keys, clock, redactor=redactor, anchor=folder / ANCHOR)
    await note_replaced(database, keys, audit, folder, home_id)
    await settle_keys(database, keys, audit, clock, actor="system")
    notices = Notices(database, home_id, clock)
    witness = Noticing(notices, home_id, audit.witness, language)
    page_key = keys.current.derived(Use.PAGES)
    desk = FrontDesk.over(database, home_id, clock, witness, say=_LOG.warning, page_key=page_key)
    secrets = Secrets(database, home_id, keys, clock, redactor)
    return Entry(desk, audit, notices, Strongbox(secrets, audit), witness, secrets)
