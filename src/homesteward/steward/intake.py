"""The way in: a request is rid of its PIN before it becomes a run, so that no run, log, store, history or model ever has it."""

from dataclasses import dataclass, replace

from homesteward.language import Declines, NotUnderstood, is_no, is_yes
from homesteward.steward.pin import Pin, take_out
from homesteward.steward.request import Request
from homesteward.steward.unasked import SHORTEST, Surroundings, is_about_opening, longest_number

PIN_GIVEN = "[PIN]"  # what is kept of a sentence that was nothing else
WITHHELD = "[withheld]"  # what is kept of one that may have been


@dataclass(frozen=True, slots=True)
class Taken:
    """A request as it may be kept, and the PIN that was in it.

    `only_pin`: it was nothing else. `withheld`: it may have held one, or a part of one, and nobody could make anything of it.
    """

    request: Request
    pin: Pin | None = None
    only_pin: bool = False
    withheld: bool = False


def take_in(
    request: Request, language: str, *, expected: bool, lately: bool = False, around: Surroundings | None = None
) -> Taken:
    """Return the request without its PIN; whether one is `expected`, or was `lately`, decides what looks like one."""
    text, pin = take_out(request.text, language, expected=expected, lately=lately, around=around)
    if pin is None:
        return Taken(request)
    return Taken(replace(request, text=text or PIN_GIVEN), pin, only_pin=not text)


def withhold(taken: Taken, language: str, around: Surroundings, *, expected: bool) -> Taken:
    """Return the request as it may be kept and passed on: what is not understood and may hold a PIN, or a part of one, may not.

    Where one was `expected`, that is whatever is neither a reply nor understood; elsewhere, a sentence about opening something that still
    has a number in it. A PIN that was taken out counts only where no number is left, else it was half of one.
    """
    text = taken.request.text
    if taken.only_pin or is_yes(text, language) or is_no(text, language):
        return taken
    if not expected and not taken.pin and not is_about_opening(text):
        return taken
    left = longest_number(text, language, around)
    reading = around.read(text)
    if isinstance(reading, NotUnderstood) and expected:
        held = True
    elif isinstance(reading, NotUnderstood | Declines):
        held = bool(left) if expected or taken.pin else left >= SHORTEST
    else:
        held = False
    if not held:
        return taken
    pin = taken.pin if expected and not left else None
    return Taken(replace(taken.request, text=WITHHELD), pin, only_pin=pin is not None, withheld=True)
