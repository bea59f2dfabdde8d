"""The data folder of a service: taken for itself alone, and where the id of its home is kept."""

from pathlib import Path

from homesteward.core.errors import HomestewardError
from homesteward.home.mirror import id_of
from homesteward.store import DataFolder


class DataFolderUnusableError(HomestewardError):
    """The data folder cannot be made or written."""

    code = "data_folder_unusable"


def data_folder(path: Path) -> DataFolder:
    """Take the folder; raise data_folder_unusable, and data_folder_locked where another service has it."""
    try:
        return DataFolder.open(path)
    except OSError as error:
        raise DataFolderUnusableError(
            f"The data folder {path} cannot be used: {error.strerror}.",
            next="Set another with HOMESTEWARD_DATA, or make this one yours.",
        ) from error


def kept_home_id(folder: Path, url: str) -> str:
    """Return the id that this data folder knows its home by, so that a new address does not lose the home's plans."""
    file = folder / "home_id"
    if not file.exists():
        file.touch(mode=0o600)
        file.write_text(id_of(url))
    return file.read_text().strip()
