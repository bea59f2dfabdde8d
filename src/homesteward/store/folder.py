"""The data folder belongs to one process at a time; its lock says to which."""

import fcntl
import os
from pathlib import Path
from typing import Self

from homesteward.core import HomestewardError

LOCK_FILE = "lock"


class DataFolderLockedError(HomestewardError):
    """Another process holds the data folder."""

    code = "data_folder_locked"


class DataFolder:
    """A folder that only its owner's account can read, held by this process until `close`."""

    def __init__(self, path: Path, handle: int) -> None:
        """Use `DataFolder.open`."""
        self.path = path
        self._handle: int | None = handle

    @classmethod
    def open(cls, path: Path) -> Self:
        """Make the folder where needed and lock it; raise DataFolderLockedError naming the process that holds it."""
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.chmod(0o700)
        handle = os.open(path / LOCK_FILE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.pread(handle, 20, 0).decode(errors="replace").strip() or "unknown"
            os.close(handle)
            raise DataFolderLockedError(
                f"The data folder {path} is in use by process {holder}.",
                next="Use the running service, stop it, or choose another data folder.",
            ) from None
        os.ftruncate(handle, 0)
        os.pwrite(handle, f"{os.getpid()}\n".encode(), 0)
        return cls(path, handle)

    def close(self) -> None:
        """Give the folder free; a second call does nothing."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
