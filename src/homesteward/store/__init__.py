"""What Homesteward keeps: the data folder, its database and the tables in it. Nothing here knows what a home is."""

from homesteward.store.database import Database
from homesteward.store.folder import DataFolder, DataFolderLockedError
from homesteward.store.schema import NewerDataError

__all__ = ["DataFolder", "DataFolderLockedError", "Database", "NewerDataError"]
