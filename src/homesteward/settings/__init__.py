"""One typed `Settings`: defaults, then the YAML file, then the environment, then what the command line says. Every value knows its source."""

from homesteward.settings.folders import cache_folder, data_folder
from homesteward.settings.load import SettingsError, load_settings
from homesteward.settings.settings import (
    HomeAssistantSettings,
    ModelKind,
    ModelSettings,
    PolicySettings,
    Settings,
    ToolMode,
)

__all__ = [
    "HomeAssistantSettings",
    "ModelKind",
    "ModelSettings",
    "PolicySettings",
    "Settings",
    "SettingsError",
    "ToolMode",
    "cache_folder",
    "data_folder",
    "load_settings",
]
