"""From a call as asked for to one that fits the home, or an error: the first thing that happens to every call."""

import logging

from homesteward.core.json import canonical, countable
from homesteward.home.calls import ENTITY_ID, SLUG, Call, InvalidCallError, ResolvedCall
from homesteward.home.live import LiveHome
from homesteward.home.services import check
from homesteward.home.targets import WORDS_FOR_ALL, expand

_LOGGER = logging.getLogger(__name__)

MAX_DATA = 64 * 1024  # bytes of one call's data; every plan keeps it


def resolve(home: LiveHome, call: Call) -> ResolvedCall:
    """Return `call` on concrete entities with data that its service takes; raise the error that says why it does not fit.

    The form of every name is looked at before anything is looked up by it. Nothing is sent.
    """
    require_form(call)
    return check(home, expand(home, call), home.config.temperature_unit)


def require_form(call: Call) -> None:
    """Raise InvalidCallError for a call whose names are none, or that is larger than a plan keeps."""
    names = (call.domain, call.service)
    odd = [name for name in names if not SLUG.fullmatch(name)]
    odd += [name for name in call.target.entity_id if name not in WORDS_FOR_ALL and not ENTITY_ID.fullmatch(name)]
    if odd:
        _LOGGER.warning("Refused on its form: call %r on %r", call.id, call.target.entity_id)
        raise InvalidCallError(
            f"{', '.join(map(repr, odd))}: only lower-case letters, digits and underscores make a name.",
            next="Write it as Home Assistant does, for example light.turn_on and light.kitchen.",
        )
    if _size(call) > MAX_DATA:
        raise InvalidCallError(f"The data of {call.id} is too large or is no JSON.", next="Send less, as plain values.")


def _size(call: Call) -> int:
    """Return the bytes of the data as JSON, more than any limit where it is none."""
    try:
        return len(canonical(dict(call.data))) if countable(call.data) else MAX_DATA + 1
    except TypeError:
        return MAX_DATA + 1
