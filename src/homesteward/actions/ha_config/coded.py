"""Codes in a configuration: never in a version or a difference, and put in again from what Home Assistant has."""

from collections.abc import Iterator

from homesteward.actions.codes import REFERENCE, is_code_field
from homesteward.actions.ha_config.errors import CodeNotKeptError
from homesteward.core.json import JsonObject, JsonValue

type Path = tuple[str | int, ...]


def masked(config: JsonObject, kind: str, object_id: str) -> JsonObject:
    """Return the configuration with a reference in place of every code."""
    return dict(_masked(config, f"{REFERENCE}{kind}.{object_id}"))


def filled(config: JsonObject, current: JsonObject | None) -> JsonObject:
    """Return the configuration with every reference replaced by the code that stands there now; raise CodeNotKeptError.

    It is looked for at the same place first, and then where the same field has one code in all of the object.
    """
    codes = dict(_codes(current or {}, ()))
    return dict(_filled(config, (), codes))


def _masked(value: JsonObject, reference: str) -> JsonObject:
    return {key: _each(key, item, reference) for key, item in value.items()}


def _each(key: str, value: JsonValue, reference: str) -> JsonValue:
    if isinstance(value, dict):
        return _masked(value, reference)
    if isinstance(value, list | tuple):
        return [_each(key, item, reference) for item in value]
    return reference if _is_code(key, value) else value


def _is_code(key: str, value: JsonValue) -> bool:
    return is_code_field(key) and value is not None and not isinstance(value, bool)


def _codes(value: JsonValue, path: Path) -> Iterator[tuple[Path, JsonValue]]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _codes(item, (*path, key))
    elif isinstance(value, list | tuple):
        for n, item in enumerate(value):
            yield from _codes(item, (*path, n))
    elif _is_code(_field(path), value):
        yield path, value


def _field(path: Path) -> str:
    return next((part for part in reversed(path) if isinstance(part, str)), "")


def _filled(value: JsonObject, path: Path, codes: dict[Path, JsonValue]) -> JsonObject:
    return {key: _put_in(item, (*path, key), codes) for key, item in value.items()}


def _put_in(value: JsonValue, path: Path, codes: dict[Path, JsonValue]) -> JsonValue:
    if isinstance(value, dict):
        return _filled(value, path, codes)
    if isinstance(value, list | tuple):
        return [_put_in(item, (*path, n), codes) for n, item in enumerate(value)]
    if not (isinstance(value, str) and value.startswith(REFERENCE) and is_code_field(_field(path))):
        return value
    known = {codes[path]} if path in codes else {code for at, code in codes.items() if _field(at) == _field(path)}
    if len(known) != 1:
        raise CodeNotKeptError(
            f"The code at {'.'.join(map(str, path))} is not kept, and Home Assistant has none there now.",
            next="Give the code itself.",
        )
    return known.pop()
