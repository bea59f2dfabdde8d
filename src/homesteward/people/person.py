"""A person on record, as a value, and what of them can be changed into what."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from homesteward.core.json import JsonObject, JsonValue
from homesteward.home.users import HaUser
from homesteward.people.caller import Role
from homesteward.people.errors import InvalidPersonError
from homesteward.people.names import checked_name

LONGEST_STAY = timedelta(days=366)
ROLES = (Role.OWNER, Role.MEMBER, Role.GUEST)


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody on record. `ends` is when a guest's stay is over; `ha_user_id` is None for somebody without a user in HA."""

    id: str
    name: str
    role: Role
    ha_user_id: str | None
    created: datetime
    created_by: str
    ends: datetime | None = None
    disabled: datetime | None = None
    last_seen: datetime | None = None

    def active(self, now: datetime) -> bool:
        """Return whether they are anybody at `now`: not disabled, and a guest's stay not over."""
        return self.disabled is None and (self.ends is None or now < self.ends)

    def as_json(self) -> JsonObject:
        """Return the person as the API shows it."""
        return {
            "id": self.id,
            "name": self.name,
            "role": self.role.value,
            "ha_user_id": self.ha_user_id,
            "created": self.created.isoformat(),
            "created_by": self.created_by,
            "ends": shown(self.ends),
            "disabled": shown(self.disabled),
            "last_seen": shown(self.last_seen),
        }


@dataclass(frozen=True, slots=True)
class Change:
    """What is to be changed of a person; None leaves it as it is. `ends` is for a guest."""

    name: str | None = None
    role: Role | None = None
    ends: datetime | None = None
    disabled: bool | None = None


def changed(before: Person, change: Change, now: datetime, in_ha: Mapping[str, HaUser]) -> Person:
    """Return the person as `change` makes them; raise InvalidPersonError for what nobody can be."""
    role = change.role or before.role
    if change.ends and role is not Role.GUEST:
        raise InvalidPersonError("Only a guest's stay ends.", next="Make them a guest, or disable them.")
    ends = (change.ends or before.ends) if role is Role.GUEST else None
    if role is not before.role or change.ends:
        check_role(role, before.ha_user_id, ends, now, in_ha)
    return replace(
        before,
        name=before.name if change.name is None else checked_name(change.name),
        role=role,
        ends=ends,
        disabled=_disabled(before.disabled, change.disabled, now),
    )


def check_role(
    role: Role, ha_user_id: str | None, ends: datetime | None, now: datetime, in_ha: Mapping[str, HaUser]
) -> None:
    """Raise InvalidPersonError unless somebody with this user in HA, and this end of their stay, can have the role."""
    if role not in ROLES:
        raise InvalidPersonError(f"A person cannot be {role}.", next=f"Choose one of {', '.join(ROLES)}.")
    if role is Role.GUEST:
        if ends is None or not now < ends <= now + LONGEST_STAY:
            raise InvalidPersonError(
                f"A guest's stay ends within {LONGEST_STAY.days} days from now.", next="Say until when."
            )
    elif ha_user_id is None:
        raise InvalidPersonError(
            f"Whoever is {role} has a user in Home Assistant.", next="Make a user there, or add them as a guest."
        )
    elif role is Role.OWNER and (user := in_ha.get(ha_user_id)) and not user.is_admin:
        raise InvalidPersonError(
            "An owner is an administrator of Home Assistant.", next="Make them one there, then try again."
        )


def difference(before: Person, after: Person) -> JsonObject:
    """Return what is different of a person, each as `[before, after]`, for the audit."""
    old, new = before.as_json(), after.as_json()
    return {key: _pair(old[key], new[key]) for key in old if old[key] != new[key]}


def shown(moment: datetime | None) -> str | None:
    """Return a moment as the API shows it."""
    return moment.isoformat() if moment else None


def _pair(old: JsonValue, new: JsonValue) -> list[JsonValue]:
    return [old, new]


def _disabled(since: datetime | None, wanted: bool | None, now: datetime) -> datetime | None:  # noqa: FBT001 - a value, not a switch
    return (since or now) if wanted or (wanted is None and since) else None
