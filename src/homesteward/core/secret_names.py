"""Which names of fields say that a secret is in them: the one list for what is stored, sent, traced and told."""

import re
from functools import lru_cache


@lru_cache(4096)  # a house has few names, and they come with every change of it
def says_secret(name: str) -> bool:
    """Return whether a field's name says that a secret is in it: `newPin`, `lockcodes`, `credential_data`, and not `code_slot`."""
    spelled = _HUMP.sub("_", name).lower()
    if spelled in _HARMLESS:
        return False
    return bool(_INSIDE.search(spelled)) or any(_is_secret(word) for word in _BREAK.split(spelled))


def _is_secret(word: str) -> bool:
    """Return whether a word of a field's name says that a secret is in it; a number behind it says nothing."""
    word = word.rstrip("0123456789")
    if word in _INNOCENT or word.removesuffix("s") in _INNOCENT:
        return False
    return word in _WORDS or bool(_ENDING.search(word))


# a field whose name has one of these anywhere in it
_INSIDE = re.compile(
    r"pass_?w(?:or)?d|pass_?phrase|pass_?code|pass_?key|user_?code|user_?pass|secret|token|credential|api_?key|private_?key|authori[sz]ation|signature|master_?code|(?:access|alarm|door|lock|pin)_?code"
)
# or one of these as a word of its own
_WORDS = frozenset({"pwd", "pw", "psk", "otp", "totp", "auth", "cookie", "cookies", "sid", "session", "bearer"})
# or a word that ends in one of these: pincode, doorcodes, userpass, PIN2
_ENDING = re.compile(r"(?:codes?|pins?|pass|puks?|cvvs?|cvcs?|keys?|pwd|psk)$")
_INNOCENT = frozenset(
    {"postcode", "zipcode", "barcode", "areacode", "statuscode", "errorcode", "countrycode", "languagecode", "langcode"}
    | {"currencycode", "timecode", "opcode", "unicode", "geocode", "gcode", "encode", "decode", "transcode"}
    | {"spin", "monkey", "donkey", "turkey", "hockey", "jockey", "whiskey", "hotkey"}
    | {"bypass", "compass", "overpass", "underpass", "lowpass", "highpass", "bandpass", "trespass", "surpass"}
)
"""Words that end so and mean something else."""
_HARMLESS = frozenset(
    {
        "code_slot",
        "user_code_slot",
        "lock_code_slot",
        "code_format",
        "code_arm_required",
        "country_code",
        "language_code",
        "error_code",
        "currency_code",
        "status_code",
    }
    | {"post_code", "postal_code", "zip_code", "area_code", "bar_code", "time_code", "public_key", "translation_key"}
    | {f"{of}_tokens" for of in ("input", "output", "cached", "reasoning", "total", "max")}
)
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_BREAK = re.compile(r"[\W_]+")
