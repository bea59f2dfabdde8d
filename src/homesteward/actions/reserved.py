"""Calls that are no services of Home Assistant: each is carried out by a room of ours, through the same gate, plans, approvals and records."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from homesteward.actions.plan import Evidence, Plan, Step
from homesteward.core.json import JsonObject
from homesteward.home.calls import Call, ResolvedCall
from homesteward.home.model import EMPTY, Service
from homesteward.people import Caller


@dataclass(frozen=True, slots=True)
class Prepared:
    """A reserved call as it would be carried out: `call` is what is judged, hashed, shown and stored.

    `before` is what stands there now, whole, for a way back; `summary` says in plain words what it would do, `diff` line by line.
    """

    call: ResolvedCall
    before: JsonObject = EMPTY
    summary: str = ""
    diff: str = ""


@dataclass(frozen=True, slots=True)
class Performed:
    """What became of a reserved call: what was seen afterwards, and what stands there now."""

    evidence: tuple[Evidence, ...]
    after: JsonObject = EMPTY


class Reserved(Protocol):
    """Carry out the calls of `services`, whose domains are none of Home Assistant's (`ha_config`, `homesteward`, `mcp_<server>`)."""

    @property
    def services(self) -> Mapping[str, Service]:
        """Return what can be called, by `domain.service`, with its fields."""
        ...

    async def prepare(self, call: Call, caller: Caller) -> Prepared:
        """Return the call as it would be carried out now; raise the HomestewardError that says why it does not fit. Nothing is changed."""
        ...

    async def stands(self, step: Step) -> str:
        """Return why the step cannot be carried out any more as it was agreed to, right before it is; empty where it can."""
        ...

    async def perform(self, plan: Plan, step: Step) -> Performed:
        """Carry the step out and look at what became of it.

        Raises a HomestewardError where it failed and nothing is left changed, CallUncertainError where that is not known.
        """
        ...

    def inverse(self, step: Step) -> Call | str:
        """Return the call that takes a step back that was carried out, or in words why there is none."""
        ...
