"""What an owner's rule file may say: its conditions, effects and limits, as typed, frozen models. What it means is decided elsewhere."""

from datetime import timedelta
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, PlainValidator, model_validator

from homesteward.policy.decision import Action
from homesteward.policy.words import Rate, Span, celsius, duration, rate, span
from homesteward.settings.settings import PresetName

MAX_RULES = 1000
MAX_SEVERAL = 500  # values of one condition; by aliases a short file could hold millions
WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


class Part(BaseModel):
    """A part of the file: an unknown key is an error, for a misspelled condition would hold always."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True, arbitrary_types_allowed=True)

    @model_validator(mode="before")
    @classmethod
    def _nothing_left_empty(cls, given: Any) -> Any:  # noqa: ANN401 - whatever YAML held
        """Refuse a key without a value: as a condition it would hold always, as a limit never."""
        empty = [str(key)[:60] for key, value in given.items() if value is None] if isinstance(given, dict) else []
        if empty:
            raise ValueError(f"{empty[0]!r} is empty; write what it is about, or leave it out")
        return given


def _several(value: Any) -> Any:  # noqa: ANN401 - whatever YAML held
    """Take one word for a list of one; an empty list would hold for nothing, which nobody means."""
    if value is None or (isinstance(value, list | tuple) and not value):
        raise ValueError("name at least one, or leave the condition out")
    if isinstance(value, list | tuple) and len(value) > MAX_SEVERAL:
        raise ValueError(f"name at most {MAX_SEVERAL}")
    return tuple(value) if isinstance(value, list | tuple) else (value,)


def _amount(value: Any) -> Any:  # noqa: ANN401 - whatever YAML held
    """Take no yes for the number 1."""
    if isinstance(value, bool):
        raise ValueError("write a number")  # noqa: TRY004 - pydantic tells of a ValueError with its place
    return value


def _first(value: Any) -> Any:  # noqa: ANN401 - whatever YAML held
    """Take the number 1 alone: `yes` and `1.0` are equal to it, and neither is a version."""
    if type(value) is not int:
        raise ValueError("write version: 1")
    return value


def _lowered(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(word.strip().lower() for word in words)


type Names = Annotated[tuple[Annotated[str, Field(min_length=1, max_length=200)], ...], BeforeValidator(_several)]
type Words = Annotated[Names, AfterValidator(_lowered)]
"""Words of Home Assistant's own, which are all lower-case."""
type Kinds = Annotated[
    tuple[Literal["read", "routine", "sensitive", "configuration", "unknown"], ...], BeforeValidator(_several)
]
type Roles = Annotated[
    tuple[Literal["owner", "member", "guest", "token", "trigger", "system"], ...], BeforeValidator(_several)
]
type Modes = Annotated[tuple[Literal["observe", "plan", "auto"], ...], BeforeValidator(_several)]
type Days = Annotated[tuple[Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"], ...], BeforeValidator(_several)]
type Spans = Annotated[tuple[Annotated[Span, BeforeValidator(span)], ...], BeforeValidator(_several)]
type Duration = Annotated[timedelta, BeforeValidator(duration)]
type Celsius = Annotated[float, BeforeValidator(celsius), Field(allow_inf_nan=False)]
type Number = Annotated[float, BeforeValidator(_amount), Field(allow_inf_nan=False)]


class Bound(Part):
    """Between two numbers, each left out where there is no such end."""

    above: Number | None = None
    below: Number | None = None

    @model_validator(mode="after")
    def _says_something(self) -> Bound:
        if self.above is None and self.below is None:
            raise ValueError("say above, below or both")
        return self

    def holds(self, value: float) -> bool:
        """Return whether `value` lies strictly between."""
        return (self.above is None or value > self.above) and (self.below is None or value < self.below)


type Word = str | bool | int | float
type Wanted = Bound | Word | tuple[Word, ...]


def _wanted(value: Any) -> Wanted:  # noqa: ANN401 - whatever YAML held
    """Return a bound, a word or several; one message for whatever else was written."""
    if isinstance(value, dict):
        return Bound.model_validate(value)
    several = value if isinstance(value, list | tuple) else (value,)
    if not 0 < len(several) <= MAX_SEVERAL or not all(isinstance(word, str | bool | int | float) for word in several):
        raise ValueError("write a value, a list of values, or {above: 1, below: 9}")
    return tuple(several) if isinstance(value, list | tuple) else value


type Values = Annotated[dict[str, Annotated[Wanted, PlainValidator(_wanted)]], Field(min_length=1)]


class When(Part):
    """Conditions, of which all must hold; each may name several of which any will do. None holds always."""

    domain: Words | None = None
    service: Words | None = None
    """`lock.unlock` or `unlock`, with `*` for any part."""
    entity: Words | None = None
    """Entity ids, with `*` for any part."""
    area: Names | None = None
    floor: Names | None = None
    label: Names | None = None
    device_class: Words | None = None
    kind: Kinds | None = None
    data: Values | None = None
    """Field of the data -> its value, one of several, or a bound."""
    through: Words | None = None
    """The script, scene, automation or group that it is reached through."""
    role: Roles | None = None
    person: Names | None = None
    channel: Names | None = None
    token: Names | None = None
    time: Spans | None = None
    weekday: Days | None = None
    sun: Literal["up", "down"] | None = None
    presence: Literal["somebody", "nobody"] | None = None
    state: Values | None = None
    """Entity -> the state it is in, one of several, or a bound."""
    mode: Modes | None = None
    outside: bool | None = None
    """Whether the run has read text from outside."""
    more_than: Annotated[Rate, BeforeValidator(rate)] | None = None
    """How often it was already done to the same entity: `5 per hour` holds from the sixth time on."""
    none_of: When | None = Field(None, alias="not")

    @model_validator(mode="after")
    def _negates_something(self) -> When:
        if self.none_of is not None and not self.none_of.model_fields_set:
            raise ValueError("'not' needs a condition")
        return self


ALWAYS = When.model_validate({})


class Rule(Part):
    """One rule: the first whose conditions hold decides."""

    name: Annotated[str, Field(min_length=1, max_length=200)]
    when: When = ALWAYS
    then: Literal["allow", "confirm", "approve", "deny"]
    pin: bool = False
    """Whether the yes takes the PIN of whoever gives it."""
    by: Literal["owner", "member"] = "member"
    """Whose approval counts; `member` is anybody of the household who may approve."""
    expires: Duration | None = None
    notify: bool = False
    """Whether the owner is told that it was decided so."""
    window: Duration | None = None
    """How long the effect is watched for."""
    enabled: bool = True

    @model_validator(mode="after")
    def _fits_together(self) -> Rule:
        if self.pin and self.action not in {Action.CONFIRM, Action.APPROVE}:
            raise ValueError("a PIN goes with 'then: confirm' or 'then: approve'")
        if self.by == "owner" and self.action is not Action.APPROVE:
            raise ValueError("'by' goes with 'then: approve'")
        if self.expires is not None and self.action not in {Action.CONFIRM, Action.APPROVE}:
            raise ValueError("'expires' goes with what waits: confirm or approve")
        return self

    @property
    def action(self) -> Action:
        """Return what happens to a call that the rule decides."""
        return Action(self.then)


class Range(Part):
    """The least and the most that may be asked for, both included."""

    min: Number | None = None
    max: Number | None = None

    @model_validator(mode="after")
    def _in_order(self) -> Range:
        if self.min is not None and self.max is not None and self.min > self.max:
            raise ValueError("min is above max")
        if self.min is None and self.max is None:
            raise ValueError("say min, max or both")
        return self


class TemperatureRange(Part):
    """Bounds of a set-point in °C, and how far one change may go from the set-point there is."""

    min: Celsius | None = None
    max: Celsius | None = None
    step: Annotated[Number, Field(gt=0)] | None = None
    """Kelvin; a set-point that is not known is not changed."""

    @model_validator(mode="after")
    def _in_order(self) -> TemperatureRange:
        if self.min is not None and self.max is not None and self.min > self.max:
            raise ValueError("min is above max")
        if (self.min, self.max, self.step) == (None, None, None):
            raise ValueError("say min, max, step or several of them")
        return self


class Limit(Part):
    """A hard limit: it is looked at after every rule and can only make a decision stricter."""

    name: Annotated[str, Field(min_length=1, max_length=200)]
    when: When = ALWAYS
    then: Literal["confirm", "approve", "deny"] = "deny"
    temperature: TemperatureRange | None = None
    brightness: Range | None = None
    """Percent."""
    volume: Range | None = None
    """Percent."""
    position: Range | None = None
    """Percent, 0 is closed."""
    speed: Range | None = None
    """Percent."""
    humidity: Range | None = None
    """Percent."""
    value: Range | None = None
    """Of a number helper, in its own unit."""
    options: Names | None = None
    """Those that a select may be set to."""
    every: Annotated[Rate, BeforeValidator(rate)] | None = None
    """How often at most it may be done to one entity, against flapping."""
    enabled: bool = True

    @model_validator(mode="after")
    def _limits_something(self) -> Limit:
        if not self.model_fields_set - {"name", "when", "then", "enabled"}:
            raise ValueError("say what is limited, such as temperature: {min: 7, max: 25}")
        return self


class RuleFile(Part):
    """A whole rule file."""

    version: Annotated[Literal[1], BeforeValidator(_first)]
    preset: PresetName | None = None
    """What decides where no rule does; left out, the settings say."""
    rules: Annotated[tuple[Rule, ...], Field(max_length=MAX_RULES)] = ()
    limits: Annotated[tuple[Limit, ...], Field(max_length=MAX_RULES)] = ()

    @model_validator(mode="after")
    def _names_are_told_apart(self) -> RuleFile:
        seen: set[str] = set()
        for name in (*(rule.name for rule in self.rules), *(limit.name for limit in self.limits)):
            if name in seen:
                raise ValueError(f"two are named {name!r}; an explanation could mean either")
            seen.add(name)
        return self
