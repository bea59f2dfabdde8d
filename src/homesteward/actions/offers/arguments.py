"""The arguments of an offer: given by name and held against its schema, or one spoken tail where nothing has to be guessed. Never more."""

import re
from collections.abc import Mapping
from typing import NoReturn

from jsonschema_rs import Draft202012Validator, ReferencingError, ValidationError

from homesteward.actions.offers.errors import NeedsArgumentsError
from homesteward.actions.offers.offer import Offer
from homesteward.actions.offers.tool import properties_of, required_of
from homesteward.core.json import JsonObject, JsonValue
from homesteward.home.calls import Call, Target
from homesteward.policy import Level

# Services that take their arguments in one field of their data, not beside it.
WITHIN: Mapping[str, str] = {"script.turn_on": "variables"}
MAX_TAIL = 200  # characters of what is said behind a name
READ = Level.READ.word


def takes_tail(offer: Offer) -> bool:
    """Return whether words behind its name can mean only one thing: it changes nothing, and needs exactly one string or number."""
    required = required_of(offer.tool.schema)
    return offer.effect == READ and len(required) == 1 and _type_of(offer, required[0]) in PLAIN


def from_tail(offer: Offer, tail: str) -> JsonObject:
    """Return the arguments that a spoken tail stands for; raise NeedsArgumentsError where it stands for none."""
    if not takes_tail(offer) or not tail or len(tail) > MAX_TAIL:
        raise needs(offer)
    (name,) = required_of(offer.tool.schema)
    kind = _type_of(offer, name)
    return {name: tail if kind == "string" else _number(offer, tail, whole=kind == "integer")}


def call_of(offer: Offer, arguments: JsonObject) -> Call:
    """Return the ordinary call that uses the offer: service and target are the row's own; raise NeedsArgumentsError for arguments that do not fit."""
    _require_fit(offer, arguments)
    domain, _, service = offer.tool.service.partition(".")
    target = Target(entity_id=(offer.tool.entity_id,)) if offer.tool.entity_id else Target()
    within = WITHIN.get(offer.tool.service)
    if within is None:
        return Call(domain, service, target, arguments)
    return Call(domain, service, target, {within: arguments} if arguments else {})


def arguments_in(offer: Offer, call: Call) -> JsonObject:
    """Return the arguments that a call which uses the offer was made with."""
    within = WITHIN.get(offer.tool.service)
    given = call.data if within is None else call.data.get(within)
    return given if isinstance(given, Mapping) else {}


def needs(offer: Offer) -> NeedsArgumentsError:
    """Return the error that says which arguments are missing."""
    names = ", ".join(required_of(offer.tool.schema)) or "nothing more"
    return NeedsArgumentsError(
        offer,
        f"{offer.tool.title} needs {names}, and that is not guessed.",
        next="Give it by name, with a tool or in Home Assistant.",
        what=names,
    )


PLAIN = frozenset({"string", "number", "integer"})


def _type_of(offer: Offer, name: str) -> str:
    form = properties_of(offer.tool.schema).get(name)
    kind = form.get("type") if isinstance(form, Mapping) else None
    return kind if isinstance(kind, str) else ""


def _number(offer: Offer, text: str, *, whole: bool) -> JsonValue:
    """Return the number that the tail is, written out in digits; words for numbers are not read."""
    if not (WHOLE if whole else NUMBER).fullmatch(text):
        raise needs(offer)
    return int(text) if WHOLE.fullmatch(text) else float(text)


WHOLE, NUMBER = re.compile(r"-?[0-9]{1,15}"), re.compile(r"-?[0-9]{1,15}(?:\.[0-9]{1,15})?")


def _require_fit(offer: Offer, arguments: JsonObject) -> None:
    missing = [name for name in required_of(offer.tool.schema) if name not in arguments]
    strange = [name for name in arguments if name not in properties_of(offer.tool.schema)]
    if missing or strange:
        raise needs(offer)
    try:
        Draft202012Validator(dict(offer.tool.schema), retriever=_nothing_fetched).validate(dict(arguments))
    except (ValidationError, ReferencingError) as error:
        raise needs(offer) from error


def _nothing_fetched(address: str) -> NoReturn:
    """Refuse: a schema from outside must not make us knock at an address of its choice."""
    raise ValueError(address)
