"""What the exit code says: one table from outcomes and errors."""

from collections.abc import Mapping
from enum import IntEnum
from typing import Any


class Exit(IntEnum):
    """The exit codes of every command."""

    DONE = 0
    FAILED = 1
    USAGE = 2
    REFUSED = 3
    WAITING = 4
    NOT_CONNECTED = 5


OUTCOMES = {
    "answered": Exit.DONE,
    "acted": Exit.DONE,
    "simulated": Exit.DONE,
    "confirm": Exit.WAITING,
    "waiting": Exit.WAITING,
    "refused": Exit.REFUSED,
    "failed": Exit.FAILED,
}
PLANS = {
    "proposed": Exit.WAITING,
    "waiting": Exit.WAITING,
    "approved": Exit.WAITING,
    "executing": Exit.WAITING,  # somebody else's yes is being carried out; nothing failed, and nothing is done yet
    "completed": Exit.DONE,
    "simulated": Exit.DONE,
    "partial": Exit.FAILED,
    "failed": Exit.FAILED,
    "interrupted": Exit.FAILED,
    "expired": Exit.FAILED,
    "rejected": Exit.REFUSED,
    "cancelled": Exit.REFUSED,
}
# Every other error has failed.
ERRORS = {
    "not_connected": Exit.NOT_CONNECTED,
    "connection_lost": Exit.NOT_CONNECTED,
    "ha_timeout": Exit.NOT_CONNECTED,
    "unexpected_answer": Exit.NOT_CONNECTED,
    "auth_failed": Exit.NOT_CONNECTED,
    "needs_admin": Exit.NOT_CONNECTED,
    "data_folder_locked": Exit.NOT_CONNECTED,
    "service_silent": Exit.NOT_CONNECTED,
    "refused": Exit.REFUSED,
    "not_signed_in": Exit.REFUSED,
    "not_allowed": Exit.REFUSED,
    "cannot_raise_role": Exit.REFUSED,
    "proof_needed": Exit.REFUSED,
    "wrong_pin": Exit.REFUSED,
    "pin_not_set": Exit.REFUSED,
    "pin_must_change": Exit.REFUSED,
    "locked_out": Exit.REFUSED,
    "last_owner": Exit.REFUSED,
    "pin_refused": Exit.USAGE,
    "bad_settings": Exit.USAGE,
    "bad_usage": Exit.USAGE,
    "bad_policy": Exit.USAGE,
    "bad_policy_test": Exit.USAGE,
    "invalid_request": Exit.USAGE,
    "invalid_call": Exit.USAGE,
    "invalid_arguments": Exit.USAGE,
    "bad_time": Exit.USAGE,
    "in_the_future": Exit.USAGE,
    "bad_window": Exit.USAGE,
    "bad_query": Exit.USAGE,
    "bad_chain": Exit.USAGE,
    "bad_config": Exit.USAGE,
    "unknown_kind": Exit.USAGE,
    "bad_cursor": Exit.USAGE,
}


def answer_exit(answer: Mapping[str, Any]) -> Exit:
    """Return the exit code of an answer; a lost connection is told apart from a refusal of the house."""
    code = (answer.get("error") or {}).get("code", "")
    return ERRORS[code] if ERRORS.get(code) is Exit.NOT_CONNECTED else OUTCOMES[answer["outcome"]]


def plan_exit(plan: Mapping[str, Any]) -> Exit:
    """Return the exit code of what became of a plan."""
    return PLANS[plan["state"]]


def undone_exit(undone: Mapping[str, Any]) -> Exit:
    """Return the exit code of an undo: the most open of what became of its plans."""
    return max((plan_exit(plan) for plan in undone["plans"]), key=OPENNESS.index, default=Exit.DONE)


# From what is over to what is still to be decided: of several plans the most open speaks.
OPENNESS = (Exit.DONE, Exit.REFUSED, Exit.FAILED, Exit.WAITING)


def tool_exit(result: Mapping[str, Any]) -> Exit:
    """Return the exit code of a tool's result: it may have proposed a plan that waits."""
    data = result["data"]
    plans = data.get("plans", ()) if isinstance(data, Mapping) else ()
    waits = any(isinstance(plan, Mapping) and plan.get("state") == "waiting" for plan in plans)
    return Exit.WAITING if waits else Exit.DONE


def error_exit(code: str) -> Exit:
    """Return the exit code of an error."""
    return ERRORS.get(code, Exit.FAILED)
