"""What rules would have made of the past: one look back, for the API and the pages alike."""

import asyncio
from dataclasses import replace
from datetime import datetime, timedelta

from homesteward.actions.lookback import LookBack, look_back
from homesteward.actions.rule_keeper import RuleKeeper
from homesteward.chronicle.history import History
from homesteward.core.errors import HomestewardError
from homesteward.faces.web.rooms import Rooms
from homesteward.people import Role
from homesteward.policy import Policy, parse_rules

LONGEST = timedelta(days=366)
AGO = {"h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}


class NoRulesError(HomestewardError):
    """This Homesteward keeps no rules."""

    code = "not_enabled"


def rules_of(rooms: Rooms) -> RuleKeeper:
    """Return who keeps the rules; raise NoRulesError."""
    if rooms.rules is None:
        raise NoRulesError("This service keeps no rules.", next="Run it as 'homesteward run'.")
    return rooms.rules


def past_of(rooms: Rooms) -> History:
    """Return the past that rules can be tried on; raise NoRulesError."""
    if rooms.chronicle is None:
        raise NoRulesError("Nothing is remembered here, so there is no past to judge.", next="Enable the chronicle.")
    return rooms.chronicle.history


async def simulated(rooms: Rooms, since: str, rules: str | None) -> LookBack:
    """Judge what was done since a moment, or within a time such as `30d`, by the text of `rules`; by those that hold where there is none.

    Raises bad_policy, bad_time and NoRulesError.
    """
    keeper, history = rules_of(rooms), past_of(rooms)
    policy = _apart(keeper) if rules is None else keeper.policy_of(await asyncio.to_thread(parse_rules, rules))

    async def role_of(user_id: str) -> Role | None:
        person = await rooms.desk.people.of_ha_user(user_id) if rooms.desk else None
        return person.role if person else None

    return await look_back(history, rooms.gate, rooms.home, policy, role_of, _span(history, since, rooms.clock.now()))


def _apart(keeper: RuleKeeper) -> Policy:
    """Return what holds, with a book of its own: the one that decides now keeps what it has worked out for the home of now."""
    return replace(keeper.policy_of(keeper.rules), held=keeper.problem)


def _span(history: History, since: str, now: datetime) -> tuple[datetime, datetime]:
    """Return the span from what a person means by `since` up to now, a year at most."""
    start = now - _ago(since) if _ago(since) else history.moment(since).at
    return max(start, now - LONGEST), now


def _ago(text: str) -> timedelta:
    """Return `30d`, `12h` or `2w` as a time, none for anything else."""
    number, unit = text.strip()[:-1].strip(), text.strip()[-1:].lower()
    if not (number.isascii() and number.isdigit() and len(number) <= 5 and unit in AGO):
        return timedelta(0)
    return min(int(number) * AGO[unit], LONGEST)
