"""The eval cases of `evals/language/`, and what it means that a sentence does nothing now."""

from pathlib import Path
from typing import Any

import yaml

from homesteward.language import Acts, Reading

FOLDER = Path(__file__).parents[1] / "evals" / "language"


def eval_cases() -> list[Any]:
    """Return every case of every language."""
    files = sorted(FOLDER.glob("*.yaml"))
    return [case for file in files for case in yaml.load(file.read_text(encoding="utf-8"), yaml.BaseLoader)]


def now(reading: Reading) -> bool:
    """Return whether the reading would do something now and for good."""
    return isinstance(reading, Acts) and reading.at is None and reading.until is None
