"""Codes of locks and alarms: taken out of a call before anything is stored, put back in only as it is sent."""

from collections.abc import Mapping
from dataclasses import replace

from homesteward.actions.errors import GateError
from homesteward.core.json import JsonObject, JsonValue
from homesteward.home.calls import ResolvedCall

CODE_FIELDS = frozenset({"code", "password", "pin", "usercode"})
REFERENCE = "secret:"


class CodeForgottenError(GateError):
    """A code that was given with the request is no longer known: it is kept in memory only."""

    code = "code_forgotten"

    def __init__(self) -> None:
        """Say what to do."""
        super().__init__("The code for this step is no longer known.", next="Ask for it again, with the code.")


class Codes:
    """The codes of plans that are not settled, in memory only: a restart forgets them, and the step then fails and says so."""

    def __init__(self) -> None:
        """Know no code."""
        self._data: dict[tuple[str, int], JsonObject] = {}

    def keep(self, plan_id: str, given: Mapping[int, JsonObject]) -> None:
        """Remember, by step, the data as it was given, where there is a code in it."""
        for n, data in given.items():
            if _masked(data, REFERENCE) != data and not _refers(data):
                self._data[plan_id, n] = data

    def put_in(self, plan_id: str, n: int, call: ResolvedCall) -> ResolvedCall:
        """Return `call` as it is sent, with its codes; raise CodeForgottenError if they are not known any more."""
        if (given := self._data.get((plan_id, n))) is not None:
            return replace(call, data=given)
        if _refers(call.data):
            raise CodeForgottenError
        return call

    def forget(self, plan_id: str) -> None:
        """Drop the codes of a plan that is settled."""
        for key in [key for key in self._data if key[0] == plan_id]:
            del self._data[key]


def without_codes(call: ResolvedCall) -> ResolvedCall:
    """Return `call` with a reference in place of every code, at any depth of its data: the form that is stored and hashed."""
    masked = _masked(call.data, REFERENCE + (",".join(call.entity_ids) or call.id))
    return replace(call, data=masked) if masked != call.data else call


def _masked(data: JsonObject, reference: str) -> dict[str, JsonValue]:
    return {
        key: reference if key in CODE_FIELDS and value is not None else _masked_value(value, reference)
        for key, value in data.items()
    }


def _masked_value(value: JsonValue, reference: str) -> JsonValue:
    if isinstance(value, dict):
        return _masked(value, reference)
    if isinstance(value, list | tuple):
        return [_masked_value(item, reference) for item in value]
    return value


def _refers(value: JsonValue) -> bool:
    if isinstance(value, dict):
        return any(
            _refers(item) or (key in CODE_FIELDS and isinstance(item, str) and item.startswith(REFERENCE))
            for key, item in value.items()
        )
    return isinstance(value, list | tuple) and any(_refers(item) for item in value)
