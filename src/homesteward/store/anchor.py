"""How far the audit had come, kept outside the database: what was cut off its end is missed here."""

import logging
import os
from dataclasses import asdict, dataclass
from pathlib import Path

from homesteward.core import json

_LOG = logging.getLogger(__name__)

# It is written over itself, within the one sector that a disk writes whole, and not waited for: after a power cut it is an older anchor, which
# is no alarm. A file that is replaced, and waited for, would make every decision wait for the disk twice.
SECTOR = 512


@dataclass(frozen=True, slots=True)
class Anchor:
    """The last entry that was kept: its number and its hash. `since` is where the audit stood when the file was first made."""

    home_id: str
    n: int
    hash: str
    since: int = 0


class AnchorFile:
    """The anchor of one home. It is written after a commit: it may be behind the audit, never ahead of it."""

    def __init__(self, path: Path, home_id: str) -> None:
        """Keep it in `path`."""
        self._path, self._home_id = path, home_id

    def read(self) -> Anchor | None:
        """Return the anchor, None where there is none, or none that can be read, or another home's."""
        try:
            found = json.loads(self._path.read_bytes())
            anchor = Anchor(**found) if isinstance(found, dict) else None
        except FileNotFoundError:
            return None
        except (OSError, ValueError, TypeError) as error:
            _LOG.warning("The anchor of the audit cannot be read (%s).", type(error).__name__)
            return None
        return anchor if anchor and anchor.home_id == self._home_id else None

    def write(self, anchor: Anchor) -> None:
        """Keep how far the audit has come. An error is logged: the entry itself is kept already."""
        text = json.dumps(asdict(anchor)).encode().ljust(SECTOR)
        try:
            handle = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                os.fchmod(handle, 0o600)
                os.pwrite(handle, text, 0)
            finally:
                os.close(handle)
        except OSError as error:
            _LOG.warning("The anchor of the audit could not be kept: %s.", error.strerror)
