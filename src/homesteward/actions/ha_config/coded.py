"""Codes in a configuration: never in a version or a difference, each known by a reference that names it and nothing else.

A reference ends in a keyed hash of the code, the object and what the code is for (the entities that the action is about). So it
goes along where an action is moved, and is of no use to another lock. What was replaced stays sealed; see `sealed`.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from hmac import digest

from homesteward.actions.code_places import REFERENCE, Change, Place, changed, is_of_a_code, names_of_codes
from homesteward.actions.ha_config.errors import CodeNotKeptError
from homesteward.core.json import JsonObject, JsonValue, canonical

NO_NAME = re.compile(r"[^\w./:-]")  # nothing that would end a reference within a template
REFERRED = re.compile(rf"{REFERENCE}[^\s'\"#]+#([0-9a-f]{{16}})")


@dataclass(frozen=True, slots=True)
class Coder:
    """Names the codes of one object, by a key that is nobody else's."""

    key: bytes
    kind: str
    object_id: str

    def masked(self, config: JsonObject) -> JsonObject:
        """Return the configuration with a reference in place of every code."""
        return self._changed(config, lambda place, code: code if _refers(code) else self._reference(place, code))

    def codes(self, config: JsonObject | None) -> dict[str, JsonValue]:
        """Return the codes that stand in the configuration, each by the end of its reference."""
        found: dict[str, JsonValue] = {}

        def note(place: Place, code: JsonValue) -> JsonValue:
            if not _refers(code):
                found[self._label(place, code)] = code
            return code

        self._changed(config or {}, note)
        return found

    def filled(self, config: JsonObject, current: JsonObject | None, kept: Mapping[str, JsonValue]) -> JsonObject:
        """Return the configuration with every reference replaced by its code, as it stands there now or as it is kept.

        Raises CodeNotKeptError for one that is of another thing, or nowhere to be had. One without a hash, of a version that is
        older than these, is taken where the object has one code in all.
        """
        now = self.codes(current)

        def put_in(place: Place, code: JsonValue) -> JsonValue:
            if not isinstance(code, str):
                return code
            if found := REFERRED.fullmatch(code):
                return self._known(place, found[1], {**kept, **now})
            if code.startswith(REFERENCE):
                return _only(place, now)
            return REFERRED.sub(lambda each: str(self._known(place, each[1], {**kept, **now})), code)

        # what a code field says may name the values that hold it, and those others: each is filled once it is known for one
        done, before = self._changed(config, put_in), config
        while names_of_codes(done) != names_of_codes(before):
            done, before = self._changed(done, put_in), done
        return done

    def _changed(self, config: JsonObject, change: Change) -> JsonObject:
        secret = is_of_a_code(self.kind, self.object_id, config)
        return changed(config, Place(secret=secret, names=names_of_codes(config)), change)

    def _known(self, place: Place, label: str, codes: Mapping[str, JsonValue]) -> JsonValue:
        if label in codes and self._label(place, codes[label]) == label:
            return codes[label]
        raise CodeNotKeptError(
            f"The code at {place.said} is not kept, or is the code of something else than it would be for.",
            next="Give the code itself.",
        )

    def _reference(self, place: Place, code: JsonValue) -> str:
        named = NO_NAME.sub("_", f"{self.kind}.{self.object_id}")
        return f"{REFERENCE}{named}#{self._label(place, code)}"

    def _label(self, place: Place, code: JsonValue) -> str:
        about = canonical([self.kind, self.object_id, place.about, code])
        return digest(self.key, about, sha256).hex()[:16]


def labels_in(value: JsonValue) -> Iterator[str]:
    """Yield the end of every reference in the value."""
    if isinstance(value, Mapping):
        for item in value.values():
            yield from labels_in(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from labels_in(item)
    elif isinstance(value, str):
        yield from REFERRED.findall(value)


def _refers(code: JsonValue) -> bool:
    return isinstance(code, str) and REFERRED.search(code) is not None


def _only(place: Place, now: Mapping[str, JsonValue]) -> JsonValue:
    codes = {canonical(code): code for code in now.values()}
    if len(codes) != 1:
        raise CodeNotKeptError(
            f"Which code belongs at {place.said} is not known: {len(codes)} are there now.",
            next="Give the code itself.",
        )
    return codes.popitem()[1]
