"""An offer: a tool that was found, and what an owner made of it. Only an owner's word enables one; finding it again never does."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from homesteward.actions.offers.tool import Tool
from homesteward.core.json import JsonObject, JsonValue
from homesteward.people import Role

USUAL_ROLES = frozenset({Role.OWNER, Role.MEMBER})


class OfferState(StrEnum):
    """What may be done with an offer."""

    PROPOSED = "proposed"
    """It was found, and nobody has said yes to what it is now."""
    ENABLED = "enabled"
    DISABLED = "disabled"
    """An owner said no, and finding it again changes nothing about that."""


@dataclass(frozen=True, slots=True)
class Enabling:
    """Who enabled an offer, when, by which plan, and for which form of the tool: its fingerprint then."""

    by: str
    person_id: str
    plan_id: str
    at: datetime
    fingerprint: str


@dataclass(frozen=True, slots=True)
class Usage:
    """What people call it, who may say it, and in which areas (none named: anywhere)."""

    phrases: tuple[str, ...] = ()
    roles: frozenset[Role] = USUAL_ROLES
    areas: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Offer:
    """A tool of a source with what was decided about it. `effect` is what policy last said of it, `changed` why it is proposed again."""

    id: str
    source: str
    tool: Tool
    state: OfferState
    found: datetime
    usage: Usage = field(default_factory=Usage)
    effect: str = ""
    changed: str = ""
    gone: datetime | None = None
    """Since when its source lists it no more."""
    enabling: Enabling | None = None
    """The last time that it was enabled, also where it is not any more."""

    @property
    def enabled(self) -> bool:
        """Return whether it was enabled as what it is now."""
        return self.state is OfferState.ENABLED

    def as_json(self) -> JsonObject:
        """Return the offer for faces."""
        tool, usage, enabling = self.tool, self.usage, self.enabling
        told: dict[str, JsonValue] = {
            "id": self.id,
            "state": self.state.value,
            "source": self.source,
            "tool": tool.name,
            "title": tool.title,
            "description": tool.description,
            "phrases": list(usage.phrases),
            "service": tool.service,
            "entity_id": tool.entity_id or None,
            "roles": sorted(role.value for role in usage.roles),
            "areas": sorted(usage.areas),
            "effect": self.effect,
            "schema": tool.schema,
            "fingerprint": tool.fingerprint,
            "exposed": tool.exposed,
            "changed": self.changed,
            "found": self.found.isoformat(),
            "gone": self.gone.isoformat() if self.gone else None,
        }
        return {**told, "enabled": _enabling_json(enabling) if enabling else None}


def _enabling_json(enabling: Enabling) -> JsonObject:
    return {
        "by": enabling.by,
        "person_id": enabling.person_id,
        "plan": enabling.plan_id,
        "at": enabling.at.isoformat(),
        "fingerprint": enabling.fingerprint,
    }
