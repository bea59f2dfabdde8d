"""Secrets taken out of service data before a record of it exists: codes, PINs, passwords, tokens, keys, and credentials in addresses."""

import re
from collections.abc import Collection, Mapping

from homesteward.chronicle.storable import storable_text
from homesteward.core import json
from homesteward.core.json import JsonObject, JsonValue
from homesteward.core.redaction import PLACEHOLDER, TOKEN_SHAPE, Redactor
from homesteward.core.secret_names import says_secret

MAX_DEPTH = 16  # what is nested deeper is not looked into, so it is not kept either

_USERINFO = re.compile(r"(?<=://)[^/?#\s@]+@")
_PARAMETER = re.compile(r"((?:^|[?&;#\s]))([^=&#;\s?]+)=([^&#;\s]*)")
_QUOTED = re.compile(  # a field in a text that is nearly JSON: cut off, with Python's quotes, or in a text around it
    r"""(\\*["'])([\w.\- ]{1,64})\1(\s*:\s*)(\\*"(?:[^"\\]|\\(?!"))*\\*"?|\\*'[^'\\]*\\*'?|[^\s,}\]]+)"""
)
_JSON = ("{", "[", '"')
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
        return name.casefold() in self._fields or says_secret(name)

    def text(self, text: str) -> str:
        """Return a text without credentials in addresses and in what looks like fields, web tokens, and what is known to be secret.

        It is as every database can take it. A text that is JSON is for `clean`.
        """
        text = storable_text(text)
        if "://" in text:
            text = _USERINFO.sub(f"{PLACEHOLDER}@", text)
        if "=" in text:
            text = _PARAMETER.sub(self._parameter, text)
        if ":" in text and ('"' in text or "'" in text):
            text = _QUOTED.sub(self._quoted, text)
        text = _BEARER.sub(rf"\1 {PLACEHOLDER}", text)
        return self._redactor.clean(text) if self._redactor else TOKEN_SHAPE.sub(PLACEHOLDER, text)

    def _clean(self, value: JsonValue, depth: int) -> JsonValue:
        if isinstance(value, str):
            return self._written(value, depth)
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

    def _written(self, text: str, depth: int) -> str:
        """Return a text without secrets; one that is JSON, such as the payload of a message, is looked into like what it says."""
        if text.lstrip()[:1] not in _JSON:
            return self.text(text)
        try:
            told = json.loads(text)
        except ValueError:
            return self.text(text)
        clean = self._clean(told, depth + 1)
        return self.text(text) if clean == told else json.dumps(clean)

    def _quoted(self, found: re.Match[str]) -> str:
        quote, name, between, _ = found.groups()
        return f"{quote}{name}{quote}{between}{quote}{PLACEHOLDER}{quote}" if self.secret(name) else found[0]

    def _parameter(self, found: re.Match[str]) -> str:
        before, name, value = found.groups()
        return f"{before}{name}={PLACEHOLDER if self.secret(_plain(name)) else value}"


def _plain(name: str) -> str:
    """Return the name of a parameter as it is read: an address may write any letter by its number."""
    return _NUMBERED.sub(lambda found: chr(int(found[1], 16)), name)
