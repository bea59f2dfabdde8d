"""The settings as a page may show them: every value with where it was set, and of a secret only whether there is one."""

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from pydantic import BaseModel, SecretStr

from homesteward.faces.web.rooms import Value
from homesteward.settings import Settings

ADDRESSES = ("url", "base_url", "link")  # a name and a password may stand in one


def told_settings(settings: Settings, sources: Mapping[str, str]) -> tuple[Value, ...]:
    """Return every setting by its path, in the order of the settings themselves."""
    return tuple(Value(path, _told(path, value), _source(path, sources)) for path, value in _walk(settings))


def _walk(section: BaseModel, prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name in type(section).model_fields:
        value = getattr(section, name)
        if isinstance(value, BaseModel):
            yield from _walk(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


def _told(path: str, value: Any) -> str:  # noqa: ANN401 - a setting is of any type
    if isinstance(value, SecretStr):
        return "***" if value.get_secret_value() else ""
    if isinstance(value, list | tuple | set | frozenset):
        return ", ".join(map(str, value))
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {one}" for key, one in value.items())
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:g}"
    text = "" if value is None else str(value)
    return _without_password(text) if path.rpartition(".")[2] in ADDRESSES else text


def _without_password(address: str) -> str:
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))


def _source(path: str, sources: Mapping[str, str]) -> str:
    """Return where a value was set; one of a table is set with any of its keys."""
    return sources.get(path) or next((where for key, where in sources.items() if key.startswith(f"{path}.")), "")
