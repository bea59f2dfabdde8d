"""Loading: which value wins, and where it came from."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, YamlConfigSettingsSource

from homesteward.core.errors import HomestewardError
from homesteward.settings.settings import Settings


class SettingsError(HomestewardError):
    """A setting is not what it must be; nothing was started."""

    code = "bad_settings"


@dataclass(frozen=True, slots=True)
class Loaded:
    """The settings, and per dotted path the source of each value that is not a default."""

    settings: Settings
    sources: Mapping[str, str]


def load_settings(file: Path | None = None, overrides: Mapping[str, Any] | None = None) -> Loaded:
    """Read the settings: defaults < `file` (YAML) < environment < `overrides`.

    Raises SettingsError, which names the value and its source, for an unreadable file, an unknown key or a bad value.
    """
    layers: dict[str, PydanticBaseSettingsSource] = {}

    class Layered(Settings):
        @classmethod
        def settings_customise_sources(  # the library's own signature
            cls,
            settings_cls: type[BaseSettings],
            init_settings: PydanticBaseSettingsSource,
            env_settings: PydanticBaseSettingsSource,
            dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003
            file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
        ) -> tuple[PydanticBaseSettingsSource, ...]:
            layers["the command line"] = init_settings
            layers["the environment"] = env_settings
            if file is not None:
                layers[str(file)] = YamlConfigSettingsSource(settings_cls, yaml_file=file)
            return tuple(layers.values())

    if file is not None and not file.is_file():
        raise SettingsError(f"There is no settings file {file}.", next="Check the path given with --config.")
    try:
        settings: Settings = Layered(**dict(overrides or {}))
    except ValidationError as error:
        raise _bad_value(error, _sources(layers)) from None
    except (yaml.YAMLError, OSError) as error:
        raise SettingsError(f"{file} cannot be read: {error}", next="Mend the file; nothing was started.") from error
    return Loaded(settings, _sources(layers))


def _sources(layers: Mapping[str, PydanticBaseSettingsSource]) -> dict[str, str]:
    """Return the winning source of each path: the first layer that has it."""
    found: dict[str, str] = {}
    for name, layer in layers.items():
        for path in _paths(layer()):
            found.setdefault(path, name)
    return found


def _paths(values: Mapping[str, Any], prefix: str = "") -> Iterator[str]:
    for key, value in values.items():
        if isinstance(value, Mapping):
            yield from _paths(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}"


def _bad_value(error: ValidationError, sources: Mapping[str, str]) -> SettingsError:
    """Say which value is wrong and where it stands, never what it is: it may be a secret."""
    first = error.errors(include_input=False, include_url=False)[0]
    path = ".".join(str(part) for part in first["loc"])
    where = f" (from {sources[path]})" if path in sources else ""
    return SettingsError(f"{path}{where}: {first['msg']}.", next="See docs/settings.md for what it may be.")
