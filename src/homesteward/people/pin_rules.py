"""Which PINs are too easy: tables and shapes that whoever stands at the door tries first."""

import re
import unicodedata
from datetime import datetime

from homesteward.people.errors import PinRefusedError

SHORTEST, LONGEST = 4, 12
_GAPS = re.compile(r"[\s\-_.]+")
RUNS = (
    "01234567890",
    "abcdefghijklmnopqrstuvwxyz",
    "qwertyuiop",
    "qwertzuiop",
    "azertyuiop",
    "asdfghjkl",
    "147",
    "258",
    "369",
)
# Those that lead every published list of PINs and passwords, as far as no shape below finds them.
COMMON = frozenset(
    [
        "2580",
        "0852",
        "1379",
        "1397",
        "1470",
        "1590",
        "2468",
        "1357",
        "1004",
        "4200",
        "6969",
        "0007",
        "007007",
        "0815",
        "1793",
        "9713",
        "7410",
        "8520",
        "9630",
        "5683",
        "159357",
        "147258",
        "258369",
        "123654",
        "147369",
        "password",
        "passwort",
        "passwort1",
        "password1",
        "admin",
        "admin1",
        "secret",
        "geheim",
        "letmein",
        "welcome",
        "home",
        "zuhause",
        "house",
        "haus",
        "door",
        "test",
        "pass",
        "login",
        "master",
        "dragon",
        "monkey",
        "iloveyou",
        "hallo",
        "hello",
        "abc123",
        "homesteward",
    ]
)
DATES = {6: ("%d%m%y", "%m%d%y", "%y%m%d"), 8: ("%d%m%Y", "%m%d%Y", "%Y%m%d")}
YEARS = range(1900, 2100)


def normalised(pin: str) -> str:
    """Return a PIN as it is compared: in one Unicode form and case, digits of every script as 0 to 9, without spaces and dashes."""
    while (folded := _folded(pin)) != pin:  # what is taken away can leave letters that combine anew
        pin = folded
    return pin


def check_strength(pin: str) -> None:
    """Raise PinRefusedError, with the reason, for a normalised PIN that is no PIN or too easy to guess."""
    if not (SHORTEST <= len(pin) <= LONGEST and pin.isalnum()):
        raise PinRefusedError(f"A PIN has {SHORTEST} to {LONGEST} letters or digits.", next="Choose one of that form.")
    for easy, why in (
        (pin in COMMON, "it is one of those that everybody tries"),
        (_repeats(pin), "it repeats itself"),
        (_runs(pin), "it runs along the digits, the alphabet or the keyboard"),
        (_year(pin), "it looks like a year"),
        (_date(pin), "it looks like a date"),
    ):
        if easy:
            raise PinRefusedError(f"This PIN is too easy to guess: {why}.", next="Choose another.")


def _folded(pin: str) -> str:
    bare = _GAPS.sub("", unicodedata.normalize("NFKC", pin).casefold())
    return "".join(str(unicodedata.decimal(letter, letter)) for letter in bare)


def _repeats(pin: str) -> bool:
    """Return whether it is made of one part, of up to half its length, over and over: 7777, 1212, abcabc."""
    return any(pin == (pin[:size] * len(pin))[: len(pin)] for size in range(1, len(pin) // 2 + 1))


def _runs(pin: str) -> bool:
    return any(pin in line * 2 or pin in line[::-1] * 2 for line in RUNS)


def _year(pin: str) -> bool:
    return len(pin) == 4 and pin.isascii() and pin.isdigit() and int(pin) in YEARS


def _date(pin: str) -> bool:
    return pin.isascii() and pin.isdigit() and any(_is_date(pin, form) for form in DATES.get(len(pin), ()))


def _is_date(pin: str, form: str) -> bool:
    try:
        return datetime.strptime(pin, form).year in YEARS  # noqa: DTZ007 - a day on a calendar, not a moment
    except ValueError:
        return False
