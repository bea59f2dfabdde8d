"""Where Homesteward keeps things on this machine."""

import os
from collections.abc import Mapping
from pathlib import Path


def data_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """Return the data folder: `HOMESTEWARD_DATA`, else the user's own data folder."""
    base = environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(environ.get("HOMESTEWARD_DATA") or Path(base) / "homesteward")


def demo_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """Return the demo home's folder, beside the data folder, so that a demo never touches a real home's plans."""
    folder = data_folder(environ)
    return folder.with_name(f"{folder.name}-demo")


def cache_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """Return the folder for what can be made again: `HOMESTEWARD_CACHE`, else the user's cache folder."""
    base = environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(environ.get("HOMESTEWARD_CACHE") or Path(base) / "homesteward")
