"""Tests of a rule file as an owner writes them: things, calls, and what should become of each. Judged without any home."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, ValidationError

from homesteward.core.errors import HomestewardError
from homesteward.home.calls import BodyStep, ResolvedCall, parse_call
from homesteward.home.inventory import Thing
from homesteward.home.model import Area, Floor, Label
from homesteward.home.simulation import SimulatedHome
from homesteward.home.targets import expand
from homesteward.people import Caller, Channel, Role
from homesteward.policy.circumstances import Circumstances
from homesteward.policy.decide import Policy, decide
from homesteward.policy.decision import Decision
from homesteward.policy.rule import Part, RuleFile
from homesteward.policy.rule_file import BadRuleFileError, built

MAX_CASES = 2000
FIELDS = ("action", "rule", "pin", "by")  # what an expectation can name


class BadExamplesError(HomestewardError):
    """The file of tests cannot be read."""

    code = "bad_policy_test"


def _each(value: Any) -> Any:  # noqa: ANN401 - whatever YAML held
    return [value] if isinstance(value, str | dict) else value


type Words = Annotated[tuple[str, ...], BeforeValidator(_each)]


class ExampleThing(Part):
    """A thing of the home that a test is about; what is left out is as usual for its domain."""

    area: str | None = None
    floor: str | None = None
    labels: Words = ()
    device_class: str | None = None
    state: Annotated[str, BeforeValidator(lambda value: {True: "on", False: "off"}.get(value, value))] = ""
    attributes: dict[str, Any] = Field(default_factory=dict)
    members: Words = ()
    """Of a group."""
    does: Annotated[tuple[dict[str, Any], ...], BeforeValidator(_each)] | None = None
    """The calls of a script or an automation."""


class Expected(Part):
    """What should become of a call; what is left out may be anything."""

    action: Literal["allow", "confirm", "approve", "deny"]
    rule: str | None = None
    """As the decision names it: `rule Quiet nights`, `limit room temperature`, `preset family: routine`."""
    by: Literal["owner", "member"] | None = None
    pin: bool | None = None


def _expected(value: Any) -> Any:  # noqa: ANN401 - whatever YAML held
    return {"action": value} if isinstance(value, str) else value


class Example(Part):
    """One call, who makes it and when, and what should become of it."""

    name: Annotated[str, Field(min_length=1)]
    call: dict[str, Any]
    role: Literal["owner", "member", "guest", "token", "trigger", "system"] = "member"
    person: str = ""
    at: datetime = datetime(2026, 1, 7, 12, tzinfo=UTC)
    """In the home's own time; a Wednesday at noon where none is named."""
    mode: Literal["observe", "plan", "auto"] = "auto"
    outside: bool = False
    states: dict[str, Annotated[str, BeforeValidator(lambda value: {True: "on", False: "off"}.get(value, value))]] = (
        Field(default_factory=dict)
    )
    """States that differ from those of the home above, for this test alone."""
    expect: Annotated[Expected, BeforeValidator(_expected)]


class Examples(Part):
    """A whole file of tests."""

    policy: str | RuleFile | None = None
    """The rule file beside it, or its rules themselves; None judges by the preset."""
    home: dict[str, ExampleThing] = Field(default_factory=dict)
    cases: Annotated[tuple[Example, ...], Field(min_length=1, max_length=MAX_CASES)]


@dataclass(frozen=True, slots=True)
class Judged:
    """What became of a test: the decision, and in words what was expected instead, empty where it is as expected."""

    name: str
    decision: Decision
    wrong: str


def parse_examples(text: str) -> Examples:
    """Return the tests in `text`; raise BadExamplesError."""
    try:
        return Examples.model_validate(built(text)[1])
    except BadRuleFileError as error:
        wrong_there = error.mistakes[0]
        raise BadExamplesError(
            f"The tests are no YAML: line {wrong_there.line}: {wrong_there.message}.",
            next="Mend the file; docs/policy.md has examples.",
        ) from None
    except ValidationError as wrong:
        first = wrong.errors(include_url=False, include_context=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise BadExamplesError(
            f"The tests cannot be read: {place}: {first['msg'].removeprefix('Value error, ')}.",
            next="docs/policy.md has examples.",
        ) from None


def judge_examples(examples: Examples, policy: Policy) -> tuple[Judged, ...]:
    """Judge every call by `policy`; raise BadExamplesError, with the test's name, for a call that is none."""
    return tuple(_judged_or_told(example, examples.home, policy) for example in examples.cases)


def _judged_or_told(example: Example, things: Mapping[str, ExampleThing], policy: Policy) -> Judged:
    try:
        return _judged(example, things, policy)
    except HomestewardError as error:
        raise BadExamplesError(
            f"The test {example.name!r} cannot be judged: {error.message}", next=error.next
        ) from None


def _judged(example: Example, things: Mapping[str, ExampleThing], policy: Policy) -> Judged:
    home = _home(things, example.states)
    call = parse_call(example.call)
    resolved = ResolvedCall(call.domain, call.service, call.target.entity_id, call.data)
    if call.id in home.services and set(resolved.entity_ids) <= home.states.keys():  # any other is judged as it stands
        resolved = expand(home, call)
    caller = Caller(Role(example.role), Channel.CLI, example.person)
    at = Circumstances(example.at, example.mode, example.outside)
    decision = decide(resolved, caller, home, policy, at)
    return Judged(example.name, decision, _wrong(example.expect, decision))


def _wrong(expected: Expected, decision: Decision) -> str:
    found = {
        "action": decision.action.value,
        "rule": decision.rule,
        "by": "owner" if decision.by_owner else "member",
        "pin": decision.pin,
    }
    wanted = {name: value for name in FIELDS if (value := getattr(expected, name)) is not None}
    return "; ".join(
        f"{name} should be {value} and is {found[name]}" for name, value in wanted.items() if found[name] != value
    )


def _home(things: Mapping[str, ExampleThing], states: Mapping[str, str]) -> SimulatedHome:
    floors = {thing.floor for thing in things.values() if thing.floor}
    areas = {thing.area: thing.floor for thing in things.values() if thing.area}
    labels = {label for thing in things.values() for label in thing.labels}
    return SimulatedHome.build(
        [_thing(entity_id, thing, states.get(entity_id, thing.state)) for entity_id, thing in things.items()]
        + [Thing(entity_id, state=state) for entity_id, state in states.items() if entity_id not in things],
        areas=[Area(area, area, floor) for area, floor in areas.items()],
        floors=[Floor(floor, floor) for floor in floors],
        labels=[Label(label, label) for label in labels],
    )


def _thing(entity_id: str, thing: ExampleThing, state: str) -> Thing:
    body = None if thing.does is None else tuple(BodyStep(parse_call(call), str(call)) for call in thing.does)
    return Thing(
        entity_id,
        area=thing.area,
        labels=frozenset(thing.labels),
        device_class=thing.device_class,
        state=state,
        attributes=thing.attributes,
        members=thing.members,
        body=body,
    )
