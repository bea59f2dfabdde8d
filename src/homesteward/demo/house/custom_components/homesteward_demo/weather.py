"""The weather, and a forecast that is always the same five days."""

from datetime import timedelta

from homeassistant.components.weather import Forecast, WeatherEntity, WeatherEntityFeature
from homeassistant.const import UnitOfPressure, UnitOfSpeed, UnitOfTemperature
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback
from homeassistant.util import dt as dt_util

from .entity import DemoEntity
from .house import HouseEntry


async def async_setup_entry(hass: HomeAssistant, entry: HouseEntry, add: AddConfigEntryEntitiesCallback) -> None:
    """Furnish the weather."""
    add(entry.runtime_data.make("weather", DemoWeather))


# condition, high, low, rain in mm, chance of rain in per cent, from today on
DAYS = (
    ("cloudy", 9.0, 5.5, 0.2, 20),
    ("rainy", 8.0, 6.0, 6.4, 90),
    ("rainy", 7.5, 4.0, 3.1, 70),
    ("partlycloudy", 7.0, 1.5, 0.0, 10),
    ("sunny", 6.0, -1.0, 0.0, 0),
)
HOURS = 24


class DemoWeather(DemoEntity, WeatherEntity):
    """The weather outside."""

    _attr_native_temperature_unit = UnitOfTemperature.CELSIUS
    _attr_native_pressure_unit = UnitOfPressure.HPA
    _attr_native_wind_speed_unit = UnitOfSpeed.KILOMETERS_PER_HOUR
    _attr_supported_features = WeatherEntityFeature.FORECAST_DAILY | WeatherEntityFeature.FORECAST_HOURLY

    @property
    def condition(self) -> str:
        """Return the sort of weather."""
        return str(self.facts["state"])

    @property
    def native_temperature(self) -> float:
        """Return the temperature."""
        return float(self.facts["temperature"])

    @property
    def humidity(self) -> float:
        """Return the humidity."""
        return float(self.facts["humidity"])

    @property
    def native_pressure(self) -> float:
        """Return the air pressure."""
        return float(self.facts["pressure"])

    @property
    def native_wind_speed(self) -> float:
        """Return the speed of the wind."""
        return float(self.facts["wind_speed"])

    @property
    def wind_bearing(self) -> float:
        """Return where the wind comes from, in degrees."""
        return float(self.facts["wind_bearing"])

    async def async_forecast_daily(self) -> list[Forecast]:
        """Return the days to come."""
        today = dt_util.start_of_local_day()
        return [
            Forecast(
                datetime=(today + timedelta(days=day)).isoformat(),
                condition=condition,
                native_temperature=high,
                native_templow=low,
                native_precipitation=rain,
                precipitation_probability=chance,
            )
            for day, (condition, high, low, rain, chance) in enumerate(DAYS)
        ]

    async def async_forecast_hourly(self) -> list[Forecast]:
        """Return the hours to come: as warm as it is now, and as rainy as the day says."""
        now = dt_util.utcnow().replace(minute=0, second=0, microsecond=0)
        return [
            Forecast(
                datetime=(now + timedelta(hours=hour)).isoformat(),
                condition=DAYS[hour // HOURS][0],
                native_temperature=self.native_temperature,
                precipitation_probability=DAYS[hour // HOURS][4],
            )
            for hour in range(1, 2 * HOURS)
        ]
