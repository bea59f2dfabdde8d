"""A case of the assist format: a sentence, the home it is said in, and how the whole home must stand afterwards."""

from datetime import datetime
from pathlib import Path
from typing import Any

from pydantic import Field, TypeAdapter, ValidationError

from homesteward.core.json import loads
from homesteward.trial.case import CaseError, Part
from homesteward.trial.problem import first_problem


class Change(Part):
    """A state and attributes that an entity is put in, or must end in; what is not named stays as it was."""

    state: str | int | float | bool | None = None
    attributes: dict[str, Any] = Field(default_factory=dict)


class Ignored(Part):
    """Attributes that are not compared, in the longer of the two forms."""

    attributes: tuple[str, ...] = ()


class AssistCase(Part):
    """One case. `expect_changes` None says nothing about the home; empty means that nothing may change."""

    id: str
    home: str
    utterance: str
    dataset: str = ""
    category: str | tuple[str, ...] = ""
    context_area: str | None = None
    context_now: datetime | None = None
    setup: dict[str, Change] = Field(default_factory=dict)
    expect_changes: dict[str, Change] | None = None
    ignore_changes: dict[str, tuple[str, ...] | Ignored] = Field(default_factory=dict)
    expect_response: tuple[str, ...] | str | None = None

    @property
    def answers(self) -> tuple[str, ...]:
        """Return the texts of which the answer must contain one; empty if the answer does not matter."""
        found = self.expect_response or ()
        return (found,) if isinstance(found, str) else found

    def ignores(self, entity_id: str) -> frozenset[str]:
        """Return the attributes of the entity that are not compared; `state` among them means the state."""
        found = self.ignore_changes.get(entity_id, ())
        return frozenset(found.attributes if isinstance(found, Ignored) else found)


_CASES = TypeAdapter(tuple[AssistCase, ...])


def load_assist_cases(file: Path) -> tuple[AssistCase, ...]:
    """Read a JSON file of assist cases; raise CaseError naming the case and the key that is wrong."""
    raw = _read(file)
    try:
        cases = _CASES.validate_python(raw)
    except ValidationError as error:
        raise CaseError(f"{file}: {first_problem(raw, error)}.", next="See docs/evals.md for the form.") from None
    ids = [case.id for case in cases]
    if twice := {name for name in ids if ids.count(name) > 1}:
        raise CaseError(
            f"{file} has more than one case named {', '.join(sorted(twice))}.", next="Give each its own id."
        )
    return cases


def _read(file: Path) -> object:
    try:
        return loads(file.read_bytes())
    except OSError as error:
        raise CaseError(f"{file} cannot be read: {error.strerror}.", next="Check the path.") from None
    except ValueError as error:
        raise CaseError(f"{file} is not JSON: {error}.", next="Mend the file.") from None
