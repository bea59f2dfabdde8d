"""An eval case, as it is written in a file."""

from datetime import datetime
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator

from homesteward.core.errors import HomestewardError
from homesteward.people import Role
from homesteward.trial.problem import first_problem


class CaseError(HomestewardError):
    """The case file is not of the form a case file has."""

    code = "bad_case"


class Part(BaseModel):
    """A part of a case: a misspelled key would be an assertion that never fails, so it is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class ExpectedCall(Part):
    """A call that should reach the home, on every one of these entities."""

    domain: str
    service: str
    entity_id: tuple[str, ...] = ()
    data: dict[str, Any] = Field(default_factory=dict)


class Expect(Part):
    """What must hold afterwards; what is not given is not looked at. An empty `calls` means that nothing may be called."""

    calls: tuple[ExpectedCall, ...] | None = None
    proposed: tuple[ExpectedCall, ...] | None = None
    state: dict[str, str] = Field(default_factory=dict)
    outcome: str | None = None
    outcome_in: tuple[str, ...] = ()
    answer_contains: tuple[str | tuple[str, ...], ...] = ()
    answer_excludes: tuple[str, ...] = ()
    decision: str | None = None
    why: str = ""
    """Why this is right; for the reader."""


class Case(Part):
    """One case: what is said to a home in which state, and what must come of it."""

    id: str
    utterance: str = ""
    turns: tuple[str, ...] = ()
    category: str = ""
    language: str = ""
    role: Role = Role.OWNER
    person: str = ""
    area: str = ""
    now: datetime | None = None
    given: dict[str, str] = Field(default_factory=dict)
    model: tuple[dict[str, Any], ...] | None = None
    expect: Expect = Expect()

    @model_validator(mode="after")
    def _says_something(self) -> Case:
        if bool(self.utterance) == bool(self.turns):
            msg = "a case has either an utterance or turns"
            raise ValueError(msg)
        return self

    @property
    def said(self) -> tuple[str, ...]:
        """Return what is said, turn by turn."""
        return self.turns or (self.utterance,)


class _Loader(yaml.SafeLoader):
    """YAML as version 1.2 has it: `on`, `off`, `yes` and `no` are words of the home, only `true` and `false` are booleans."""


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:bool" or first in "tTfF"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}

_CASES = TypeAdapter(tuple[Case, ...])


def load_cases(file: Path) -> tuple[Case, ...]:
    """Read a case file; raise CaseError naming the case and the key that is wrong."""
    raw = _read(file)
    try:
        cases = _CASES.validate_python(tuple(raw) if isinstance(raw, list) else raw)
    except ValidationError as error:
        raise CaseError(f"{file}: {first_problem(raw, error)}", next="See docs/evals.md for the form.") from None
    ids = [case.id for case in cases]
    if twice := {name for name in ids if ids.count(name) > 1}:
        raise CaseError(
            f"{file} has more than one case named {', '.join(sorted(twice))}.", next="Give each its own id."
        )
    return cases


def _read(file: Path) -> object:
    try:
        return yaml.load(file.read_text(), _Loader) or []  # noqa: S506 - a SafeLoader with fewer booleans
    except OSError as error:
        raise CaseError(f"{file} cannot be read: {error.strerror}.", next="Check the path.") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise CaseError(f"{file} is not YAML: {error}", next="Mend the file.") from None
