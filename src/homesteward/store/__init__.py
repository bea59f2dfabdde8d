"""What Homesteward keeps: the data folder, its databases, the audit, the secrets and the key. Nothing here knows what a home is."""

from homesteward.store.audit import Audit, Entry
from homesteward.store.database import Database, after_commit
from homesteward.store.folder import DataFolder, DataFolderLockedError
from homesteward.store.key import KeyRing, StoreKey
from homesteward.store.ledger import HOMESTEWARD, Durability, Ledger
from homesteward.store.renewal import open_keys, renew_key, settle_keys
from homesteward.store.schema import NewerDataError
from homesteward.store.secrets import Secrets
from homesteward.store.verifying import Verdict

__all__ = [
    "HOMESTEWARD",
    "Audit",
    "DataFolder",
    "DataFolderLockedError",
    "Database",
    "Durability",
    "Entry",
    "KeyRing",
    "Ledger",
    "NewerDataError",
    "Secrets",
    "StoreKey",
    "Verdict",
    "after_commit",
    "open_keys",
    "renew_key",
    "settle_keys",
]
