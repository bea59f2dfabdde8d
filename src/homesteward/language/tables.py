"""The data files of this package, read as YAML 1.2 reads them: `on`, `off`, `yes` and `no` are words."""

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import cast

import yaml


def table(name: str, language: str) -> Mapping[str, object] | None:
    """Return the file `<name>.<language>.yaml` (`de-AT` is served by `de`), None if there is none."""
    base = language.split("-", maxsplit=1)[0].lower()
    return cast("Mapping[str, object] | None", _read(f"{name}.{base}.yaml") if base.isalpha() else None)


def languages(name: str) -> tuple[str, ...]:
    """Return the languages that have a file `<name>.<language>.yaml`."""
    found = (file.name.split(".") for file in (files("homesteward.language") / "data").iterdir())
    return tuple(sorted(parts[1] for parts in found if parts[0] == name and len(parts) == 3))


def rows(name: str) -> tuple[Mapping[str, list[str]], ...]:
    """Return the rows of `<name>.yaml`, a file for all languages at once: in each, words by language."""
    return tuple(cast("list[Mapping[str, list[str]]]", _read(f"{name}.yaml") or []))


@cache
def _read(file: str) -> object:
    """Return what the file holds, None if there is none. It is read once: no file of ours changes while we run."""
    source = files("homesteward.language") / "data" / file
    return yaml.load(source.read_text(encoding="utf-8"), _Words) if source.is_file() else None  # noqa: S506 - a SafeLoader


class _Words(yaml.SafeLoader):
    """A safe loader for which only true and false are truth values."""


_Words.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:bool"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_Words.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("^(?:true|false)$"), list("tf"))
