"""A session, as a value, and the limits of each channel's sessions."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Row

from homesteward.core.json import JsonObject
from homesteward.people.caller import Channel


@dataclass(frozen=True, slots=True)
class Limits:
    """How long a session lasts: unused, at the most, and until its secret is another."""

    idle: timedelta
    absolute: timedelta
    rotate: timedelta


LIMITS: Mapping[Channel, Limits] = {
    # A phone on the kitchen wall is looked at every few days; whoever has not been back for two weeks signs in again.
    Channel.PAGE: Limits(timedelta(days=14), timedelta(days=90), timedelta(minutes=15)),
    # Home Assistant's panel says anew who it is each time it is opened.
    Channel.INGRESS: Limits(timedelta(hours=2), timedelta(hours=24), timedelta(minutes=15)),
}
PARALLEL = timedelta(seconds=30)
"""How long the secret before is still good: a page's requests are on their way together, and one of them brings the new one."""
RETRY = timedelta(seconds=10)
"""When a secret that was given out and not used yet is taken for lost on its way, and another is given out."""


@dataclass(frozen=True, slots=True)
class Session:
    """A sign-in that lasts. `signed_in` is when they last proved who they are."""

    id: str
    person_id: str
    channel: Channel
    created: datetime
    seen: datetime
    rotated: datetime
    signed_in: datetime
    ends: datetime
    address: str
    agent: str

    def over(self, now: datetime) -> bool:
        """Return whether it has ended by being unused, or at its end."""
        return now >= self.ends or now - self.seen >= limits_of(self.channel).idle

    def as_json(self, own: str = "") -> JsonObject:
        """Return the session as the API shows it; `own` is the id of the one that asks."""
        return {
            "id": self.id,
            "person_id": self.person_id,
            "channel": self.channel.value,
            "created": self.created.isoformat(),
            "seen": self.seen.isoformat(),
            "signed_in": self.signed_in.isoformat(),
            "ends": min(self.ends, self.seen + limits_of(self.channel).idle).isoformat(),
            "address": self.address,
            "agent": self.agent,
            "current": self.id == own,
        }


def limits_of(channel: Channel) -> Limits:
    """Return the limits of a channel's sessions; one that is not named has the shortest."""
    return LIMITS.get(channel, LIMITS[Channel.INGRESS])


def session_of(row: Row[Any]) -> Session:
    """Return the session that a row of `sessions` holds."""
    return Session(
        row.id,
        row.person_id,
        Channel(row.channel),
        row.created,
        row.seen,
        row.rotated,
        row.signed_in,
        row.ends,
        row.address,
        row.agent,
    )
