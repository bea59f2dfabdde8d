"""Codes of locks and alarms: taken out of a call before anything is stored, put back in only as it is sent."""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace

from homesteward.actions.code_places import (
    CODED,
    REFERENCE,
    Place,
    changed,
    is_code_field,
    is_of_a_code,
    names_of_codes,
)
from homesteward.actions.errors import GateError
from homesteward.actions.ties import CodeBook, NoCodes
from homesteward.core import HomestewardError
from homesteward.core.json import JsonObject, JsonValue
from homesteward.core.redaction import PLACEHOLDER
from homesteward.home.calls import ResolvedCall
from homesteward.home.dispatch import Dispatched, Dispatcher
from homesteward.home.view import HomeView

# An id of ours, which stays; or digits enough for a code: a time of day or a percentage is not.
DIGITS = re.compile(r"\b[a-z]+_[0-9a-f]{32}\b|(\d(?:[ .-]?\d){3,})")
SCRIPT = "script"


class CodeForgottenError(GateError):
    """A code that was given with the request is no longer known: it is kept in memory only."""

    code = "code_forgotten"

    def __init__(self) -> None:
        """Say what to do."""
        super().__init__(
            "The code for this step is no longer known.",
            next="Ask for it again, with the code, or keep the code with 'homesteward secrets set'.",
        )


class CodeMissingError(CodeForgottenError):
    """A code is referred to that is not kept here, or cannot be read."""

    code = "code_missing"

    def __init__(self, why: str, onward: str) -> None:
        """Say why."""
        GateError.__init__(self, why, next=onward)


class Codes:
    """The codes of plans that are not settled.

    One that came with the request is in memory only: a restart forgets it, and the step then fails and says so. `secret:<entity>`
    stands for the one that is kept for the entity, and is looked up as the call is sent.
    """

    def __init__(self, book: CodeBook | None = None) -> None:
        """Know no code but those of `book`."""
        self._book = book or NoCodes()
        self._data: dict[tuple[str, int], JsonObject] = {}

    async def referred(self, call: ResolvedCall, home: HomeView) -> ResolvedCall:
        """Return `call` with a reference to the code that is kept for its one entity, where it takes one and none was given."""
        service = home.services.get(call.id)
        if call.domain not in CODED or len(call.entity_ids) != 1 or service is None or "code" not in service.fields:
            return call
        if call.data.get("code") is not None or not await self._book.has_code(call.entity_ids[0]):
            return call
        return replace(call, data={**call.data, "code": f"{REFERENCE}{call.entity_ids[0]}"})

    @contextmanager
    def held(self, given: Mapping[str, Mapping[int, JsonObject]]) -> Iterator[set[str]]:
        """Remember what came with new plans; on the way out, however that is, only what those in the yielded set came with stays."""
        still: set[str] = set()
        for plan_id, by_step in given.items():
            self.keep(plan_id, by_step)
        try:
            yield still
        finally:
            for plan_id in given.keys() - still:
                self.forget(plan_id)

    def keep(self, plan_id: str, given: Mapping[int, JsonObject]) -> None:
        """Remember, by step, the data as it was given, of those steps in which a code was left out."""
        for n, data in given.items():
            if not _refers(data):
                self._data[plan_id, n] = data

    async def put_in(self, plan_id: str, n: int, call: ResolvedCall) -> ResolvedCall:
        """Return `call` as it is sent, with its codes; raise CodeForgottenError or CodeMissingError if they are not known."""
        if (given := self._data.get((plan_id, n))) is not None:
            return replace(call, data=given)
        if not _refers(call.data):
            if _holds(call.data, _reference(call)):
                raise CodeForgottenError
            return call
        if call.domain not in CODED or not call.entity_ids:
            raise CodeForgottenError
        code = await self._kept(call.entity_ids)
        return replace(
            call, data={key: code if _is_reference(key, value) else value for key, value in call.data.items()}
        )

    def forget(self, plan_id: str) -> None:
        """Drop the codes of a plan that is settled."""
        for key in [key for key in self._data if key[0] == plan_id]:
            del self._data[key]

    async def _kept(self, entity_ids: tuple[str, ...]) -> str:
        """Return the code of the entities; raise CodeMissingError where one has none, or they have not the same."""
        found: set[str] = set()
        for entity_id in entity_ids:
            try:
                code = await self._book.code_of(entity_id)
            except HomestewardError as unreadable:
                raise CodeMissingError(unreadable.message, unreadable.next) from None
            if code is None:
                raise CodeMissingError(
                    f"No code is kept for {entity_id}; nothing was sent.",
                    f"Keep it with 'homesteward secrets set {entity_id}', or give it with the request.",
                )
            found.add(code)
        if len(found) > 1:
            raise CodeMissingError("These have not the same code; nothing was sent.", "Ask for one after the other.")
        return found.pop()


async def send(call: ResolvedCall, dispatcher: Dispatcher) -> Dispatched:
    """Send `call`, its codes put in. No error that comes back holds one of them, whoever worded it; raises what the dispatcher does."""
    try:
        return await dispatcher.call(call)
    except HomestewardError as error:
        without_codes_in(error, call)
        raise


def without_codes_in[E: HomestewardError](error: E, call: ResolvedCall) -> E:
    """Return `error` without any code of `call` in its words."""
    for code in _codes_of(call, None):
        error.message, error.next = error.message.replace(code, PLACEHOLDER), error.next.replace(code, PLACEHOLDER)
    error.args = (error.message,)
    return error


def without_codes(call: ResolvedCall, home: HomeView | None = None) -> ResolvedCall:
    """Return `call` with a reference in place of every code, at any depth of its data: the form that is stored and hashed.

    A reference is always to the entities of the call: the code of another one, or any other secret, cannot be asked for. With
    `home`, a value that a script takes under any name and uses as a code is one too.
    """
    reference = _reference(call)
    masked = changed(call.data, _start(call, home), lambda _, __: reference)
    return replace(call, data=masked) if masked != call.data else call


def _reference(call: ResolvedCall) -> str:
    return REFERENCE + (",".join(call.entity_ids) or call.id)


def _start(call: ResolvedCall, home: HomeView | None) -> Place:
    """Return the place that the data of the call is."""
    names = names_of_codes(call.data)
    if home is not None and call.domain == SCRIPT:
        started = call.entity_ids or (f"{SCRIPT}.{call.service}",)
        steps = [step for name in started for step in home.bodies.get(name, ())]
        names |= {name for step in steps if step.call for name in names_of_codes(step.call.data)}
    config = call.data.get("config")
    about = config if isinstance(config, Mapping) else {}
    secret = is_of_a_code(str(call.data.get("kind", "")), str(call.data.get("id", "")), about)
    return Place(coded=call.domain in CODED, named=call.domain == SCRIPT, secret=secret, names=names)


def without_codes_said(
    text: str, calls: Iterable[ResolvedCall], ends: Iterable[str], home: HomeView | None = None
) -> str:
    """Return the words of a request without the codes in `calls`, and without any digits that may be one.

    What is said to a lock or an alarm, and whatever ends at one, is asked for with digits for no other reason.
    """
    asked = list(calls)
    for code in {code for call in asked for code in _codes_of(call, home) if not code.startswith(REFERENCE)}:
        text = re.sub(rf"(?<!\w){re.escape(code)}(?!\w)", PLACEHOLDER, text)
    domains = {name.partition(".")[0] for call in asked for name in (call.id, *call.entity_ids)}
    domains |= {end.partition(".")[0] for end in ends}
    return DIGITS.sub(lambda found: PLACEHOLDER if found[1] else found[0], text) if domains & CODED else text


def _refers(value: JsonValue) -> bool:
    if isinstance(value, dict):
        return any(_refers(item) or _is_reference(key, item) for key, item in value.items())
    return isinstance(value, list | tuple) and any(_refers(item) for item in value)


def _is_reference(key: str, value: JsonValue) -> bool:
    return isinstance(value, str) and is_code_field(key) and value.startswith(REFERENCE)


def _holds(value: JsonValue, reference: str) -> bool:
    if isinstance(value, Mapping):
        return any(_holds(item, reference) for item in value.values())
    if isinstance(value, list | tuple):
        return any(_holds(item, reference) for item in value)
    return isinstance(value, str) and reference in value


def _codes_of(call: ResolvedCall, home: HomeView | None) -> Iterator[str]:
    """Yield every code of the call."""
    found: list[str] = []

    def note(_: Place, code: JsonValue) -> JsonValue:
        found.append(str(code))
        return code

    changed(call.data, _start(call, home), note)
    yield from dict.fromkeys([*_codes_in(call.data), *filter(None, found)])


def _codes_in(value: JsonValue, *, coded: bool = False) -> Iterator[str]:
    """Yield every code in the data as it may turn up in a text, the longest ways of it included."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _codes_in(item, coded=coded or is_code_field(key))
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _codes_in(item, coded=coded)
    elif coded and value is not None and not isinstance(value, bool) and str(value):
        yield str(value)
