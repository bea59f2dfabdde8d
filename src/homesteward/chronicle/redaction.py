"""Secrets taken out of service data before a record of it exists: codes, PINs, passwords, tokens, keys, and credentials in addresses."""

import re
from collections.abc import Collection, Mapping

from homesteward.core.json import JsonObject, JsonValue
from homesteward.core.redaction import PLACEHOLDER, TOKEN_SHAPE, Redactor

MAX_DEPTH = 16  # what is nested deeper is not looked into, so it is not kept either

# a field whose name has one of these anywhere in it, or one of those as a word of its own
_INSIDE = re.compile(
    r"pass_?w(?:or)?d|pass_?phrase|pass_?code|pass_?key|user_?code|secret|token|credential|api_?key|private_?key|authori[sz]ation|signature|master_?code"
)
_WORD = re.compile(
    r"(?:^|[_\-. ])(?:codes?|pins?|pwd|pw|keys?|psk|otp|totp|auth|cookies?|sid|session|bearer)(?:[_\-. ]|\d*$)"
)
_HARMLESS = frozenset(
    {"code_slot", "code_format", "country_code", "language_code", "error_code", "currency_code", "status_code"}
)
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")

_USERINFO = re.compile(r"(?<=://)[^/?#\s@]+@")
_PARAMETER = re.compile(r"([?&;#])([^=&#;\s?]+)=([^&#;\s]*)")
_NUMBERED = re.compile(r"%([0-9A-Fa-f]{2})")
_BEARER = re.compile(r"\b(Bearer|Basic)\s+[\w.~+/=-]{6,}", re.IGNORECASE)


class Redaction:
    """Takes secrets out. Fields named by the owner go too, at any depth, whatever they hold."""

    def __init__(self, fields: Collection[str] = (), redactor: Redactor | None = None) -> None:
        """Take out `fields` as well, and every secret that `redactor` knows."""
        self._fields = frozenset(name.casefold() for name in fields)
        self._redactor = redactor

    def clean(self, data: JsonObject, *, also: Collection[str] = ()) -> JsonObject:
        """Return the data without secrets; `also` names further fields of it that are secret this time."""
        return {
            self.text(key): PLACEHOLDER if key in also or self.secret(key) else self._clean(value, 1)
            for key, value in data.items()
        }

    def secret(self, name: str) -> bool:
        """Return whether a field of this name holds a secret."""
        if name.casefold() in self._fields:
            return True
        spelled = _HUMP.sub("_", name).lower()
        return spelled not in _HARMLESS and bool(_INSIDE.search(spelled) or _WORD.search(spelled))

    def text(self, text: str) -> str:
        """Return a text without credentials in addresses, web tokens, and what is known to be secret."""
        if "://" in text or "?" in text or "#" in text:
            text = _PARAMETER.sub(self._parameter, _USERINFO.sub(f"{PLACEHOLDER}@", text))
        text = _BEARER.sub(rf"\1 {PLACEHOLDER}", text)
        return self._redactor.clean(text) if self._redactor else TOKEN_SHAPE.sub(PLACEHOLDER, text)

    def _clean(self, value: JsonValue, depth: int) -> JsonValue:
        if isinstance(value, str):
            return self.text(value)
        if not isinstance(value, Mapping | list | tuple):
            return value
        if depth >= MAX_DEPTH:
            return PLACEHOLDER
        if isinstance(value, Mapping):
            return {
                self.text(str(key)): PLACEHOLDER if self.secret(str(key)) else self._clean(part, depth + 1)
                for key, part in value.items()
            }
        return [self._clean(part, depth + 1) for part in value]

    def _parameter(self, found: re.Match[str]) -> str:
        before, name, value = found.groups()
        return f"{before}{name}={PLACEHOLDER if self.secret(_plain(name)) else value}"


def _plain(name: str) -> str:
    """Return the name of a parameter as it is read: an address may write any letter by its number."""
    return _NUMBERED.sub(lambda found: chr(int(found[1], 16)), name)
