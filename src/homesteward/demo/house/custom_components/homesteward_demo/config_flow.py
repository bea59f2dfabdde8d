"""The config flow that Home Assistant wants to see, although the entry is seeded before the first start."""

from typing import Any

from homeassistant.config_entries import ConfigFlow, ConfigFlowResult

from .house import DOMAIN


class DemoFlow(ConfigFlow, domain=DOMAIN):
    """Add the demo home, with nothing to ask."""

    async def async_step_user(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Make the entry."""
        return self.async_create_entry(title="Demo home", data={})
