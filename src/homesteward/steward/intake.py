"""The way in: a request is rid of its PIN before it becomes a run, so that no run, log, store, history or model ever has it."""

from dataclasses import dataclass, replace

from homesteward.language import NotUnderstood, Reading, is_no, is_yes
from homesteward.steward.pin import Pin, take_out
from homesteward.steward.request import Request

PIN_GIVEN = "[PIN]"  # what is kept of a sentence that was nothing else
WITHHELD = "[withheld]"  # what is kept of one that may have been


@dataclass(frozen=True, slots=True)
class Taken:
    """A request as it may be kept, and the PIN that was in it.

    `only_pin`: it was nothing else. `withheld`: it was said where a PIN was asked for, and nobody could make anything of it.
    """

    request: Request
    pin: Pin | None = None
    only_pin: bool = False
    withheld: bool = False


def take_in(request: Request, language: str, *, expected: bool) -> Taken:
    """Return the request without its PIN; whether one is `expected` decides what looks like one."""
    text, pin = take_out(request.text, language, expected=expected)
    if pin is None:
        return Taken(request)
    return Taken(replace(request, text=text or PIN_GIVEN), pin, only_pin=not text)


def withhold(taken: Taken, language: str, reading: Reading) -> Taken:
    """Return the request as it may be kept where a PIN was asked for: what is neither a reply nor understood may be one, misheard."""
    text = taken.request.text
    if taken.pin or is_yes(text, language) or is_no(text, language) or not isinstance(reading, NotUnderstood):
        return taken
    return replace(taken, request=replace(taken.request, text=WITHHELD), withheld=True)
