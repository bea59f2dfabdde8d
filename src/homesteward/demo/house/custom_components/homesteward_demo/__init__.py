"""The demo home: a house full of things that work, and a few that honestly do not. For demonstrations and tests only."""

from pathlib import Path

from homeassistant.const import Platform
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers.start import async_at_start

from .house import DOMAIN, House, HouseEntry
from .registries import build_rooms, describe_entities, expose_others
from .services import register

PLATFORMS = [
    Platform.ALARM_CONTROL_PANEL,
    Platform.BINARY_SENSOR,
    Platform.BUTTON,
    Platform.CAMERA,
    Platform.CLIMATE,
    Platform.COVER,
    Platform.DEVICE_TRACKER,
    Platform.EVENT,
    Platform.FAN,
    Platform.HUMIDIFIER,
    Platform.LAWN_MOWER,
    Platform.LIGHT,
    Platform.LOCK,
    Platform.MEDIA_PLAYER,
    Platform.NOTIFY,
    Platform.NUMBER,
    Platform.SELECT,
    Platform.SENSOR,
    Platform.SIREN,
    Platform.SWITCH,
    Platform.TEXT,
    Platform.UPDATE,
    Platform.VACUUM,
    Platform.VALVE,
    Platform.WATER_HEATER,
    Platform.WEATHER,
]
INVENTORY = f"{DOMAIN}.json"


async def async_setup_entry(hass: HomeAssistant, entry: HouseEntry) -> bool:
    """Build the rooms, furnish them and offer the services."""
    house = await hass.async_add_executor_job(House.load, Path(hass.config.path(INVENTORY)))
    entry.runtime_data = house
    build_rooms(hass, house)
    await hass.config_entries.async_forward_entry_setups(entry, PLATFORMS)
    describe_entities(hass, house)
    register(hass, house)

    @callback
    def all_made(hass: HomeAssistant) -> None:
        expose_others(hass, house)

    entry.async_on_unload(async_at_start(hass, all_made))
    return True


async def async_unload_entry(hass: HomeAssistant, entry: HouseEntry) -> bool:
    """Take the things away; the rooms stay."""
    for service in hass.services.async_services_for_domain(DOMAIN):
        hass.services.async_remove(DOMAIN, service)
    return await hass.config_entries.async_unload_platforms(entry, PLATFORMS)
