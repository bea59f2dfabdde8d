"""The tools every home has."""

from homesteward.actions import Gate
from homesteward.home.errors import NotConnectedError
from homesteward.home.live import LiveHome
from homesteward.tools.call_service import call_service_tool
from homesteward.tools.find import find_tool
from homesteward.tools.get_state import get_state_tool
from homesteward.tools.overview import overview_tool
from homesteward.tools.registry import ToolRegistry


def standard_tools(home: LiveHome, gate: Gate) -> ToolRegistry:
    """Return a registry with find, get_state and overview on `home`, and call_service through `gate`.

    While the home is out of reach each answers not_connected: a model would take what was for what is.
    """

    def require_connected() -> None:
        if not home.connected:
            raise NotConnectedError

    registry = ToolRegistry(require_connected)
    registry.add(find_tool(home))
    registry.add(get_state_tool(home))
    registry.add(overview_tool(home))
    registry.add(call_service_tool(home, gate))
    return registry
