"""What is asked of `homesteward.schedule`, as it comes in: typed, healed where harmless, refused where it is no such thing."""

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Self
from zoneinfo import ZoneInfo

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from homesteward.actions.schedule.conditions import MOST_CONDITIONS, MOST_STATES
from homesteward.actions.schedule.moments import BadTimeError, moment_of, require_ahead
from homesteward.core.json import JsonObject
from homesteward.home.calls import InvalidCallError

ON_OFF: Mapping[Any, str] = {True: "on", False: "off"}  # YAML reads a bare `on` as true
SECONDS = re.compile(r"\d{1,9}(\.\d{1,3})?")
UNITS = frozenset({"days", "hours", "minutes", "seconds"})


class AskedCondition(BaseModel):
    """One condition at the time itself. `unchanged`: the entity has to be still what it is now."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    entity_id: str
    state: tuple[str, ...] = Field(default=(), max_length=MOST_STATES)
    above: float | None = Field(default=None, allow_inf_nan=False)
    below: float | None = Field(default=None, allow_inf_nan=False)
    attribute: str = ""
    unchanged: bool = False

    @field_validator("state", mode="before")
    @classmethod
    def _one_is_a_list(cls, value: Any) -> Any:  # noqa: ANN401 - whatever was sent
        one = [value] if isinstance(value, str | bool) else value
        return tuple(ON_OFF.get(each, each) for each in one) if isinstance(one, list | tuple) else one

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if not (self.state or self.unchanged or self.above is not None or self.below is not None):
            raise ValueError("say what it has to be: state, above, below or unchanged")
        return self


class Begins(BaseModel):
    """When something begins: `at` a time, or `in` a while; `if` is what has to hold then."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)

    at: str = ""
    after: timedelta | None = Field(default=None, alias="in")
    conditions: tuple[AskedCondition, ...] = Field(default=(), alias="if", max_length=MOST_CONDITIONS)

    @field_validator("after", "lasting", mode="before", check_fields=False)
    @classmethod
    def _as_home_assistant_writes_it(cls, value: Any) -> Any:  # noqa: ANN401 - whatever was sent
        if isinstance(value, bool) or (isinstance(value, Mapping) and any(isinstance(n, bool) for n in value.values())):
            raise ValueError("true and false are no length of time")  # Python counts them as one and zero
        if isinstance(value, Mapping) and value and set(value) <= UNITS:
            return timedelta(**{unit: float(amount) for unit, amount in value.items()})
        return float(value) if isinstance(value, str) and SECONDS.fullmatch(value.strip()) else value

    @field_validator("conditions", mode="before")
    @classmethod
    def _one_is_a_list(cls, value: Any) -> Any:  # noqa: ANN401 - whatever was sent
        return [value] if isinstance(value, Mapping) else value

    def begin(self, now: datetime, zone: ZoneInfo) -> datetime | None:
        """Return the moment in UTC, None for now; raise BadTimeError where it is none within the next 30 days."""
        if self.at and self.after is not None:
            raise BadTimeError("That is two times: say at a time, or in a while.", next="Give `at` or `in`, not both.")
        if self.after is None:
            return moment_of(self.at, now, zone) if self.at else None
        return from_now(self.after, now)


class Asked(Begins):
    """What is to be done later. `ends` is the call that this is the end of."""

    call: dict[str, Any]
    ends: dict[str, Any] | None = None

    def due(self, now: datetime, zone: ZoneInfo) -> datetime:
        """Return the moment it is asked for, in UTC; raise BadTimeError where there is none within the next 30 days."""
        at = self.begin(now, zone)
        if at is None:
            raise BadTimeError("Say when: at a time, or in a while.", next="Give `at` or `in`.")
        return at


class When(Begins):
    """When something is to be done, and until when: `until` a time, or `for` a while from when it begins."""

    until: str = ""
    lasting: timedelta | None = Field(default=None, alias="for")

    def end(self, begins: datetime | None, now: datetime, zone: ZoneInfo) -> datetime | None:
        """Return the moment in UTC, None where it is for good; raise BadTimeError where it is none, or not after the beginning."""
        if self.until and self.lasting is not None:
            raise BadTimeError(
                "That is two ends: say until a time, or for a while.", next="Give `until` or `for`, not both."
            )
        if self.lasting is not None:
            return from_now(self.lasting + ((begins or now) - now), now)
        end = moment_of(self.until, begins or now, zone) if self.until else None
        return require_ahead(end, now) if end else None


def from_now(while_: timedelta, now: datetime) -> datetime:
    """Return the moment after a while, in UTC; raise BadTimeError where it is not within the next 30 days."""
    try:
        return require_ahead(now + while_, now)
    except OverflowError:
        raise BadTimeError("That is beyond all time.", next="Give at most 30 days.") from None


def read(data: JsonObject) -> Asked:
    """Return what the data of the call asks for; raise InvalidCallError, naming up to three mistakes, where it is no such thing."""
    return _read(Asked, data, "homesteward.schedule", "It takes call, at or in, and if.")


def read_when(data: JsonObject) -> When:
    """Return when something is asked for; raise InvalidCallError as `read` does."""
    return _read(When, data, "A time", "It takes at or in, until or for, and if.")


def _read[M: BaseModel](model: type[M], data: JsonObject, what: str, onward: str) -> M:
    try:
        return model.model_validate(dict(data))
    except ValidationError as wrong:
        found = wrong.errors(include_url=False, include_context=False, include_input=False)
        said = "; ".join(f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in found[:3])
        raise InvalidCallError(f"{what} cannot be read: {said}.", next=onward) from None
    except (ValueError, OverflowError) as wrong:
        raise InvalidCallError(f"{what} cannot be read: {wrong}.", next=onward) from None
