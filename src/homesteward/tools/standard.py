"""The tools every home has."""

from homesteward.actions import Gate
from homesteward.actions.ha_config import ConfigRoom
from homesteward.actions.schedule import ScheduleStore
from homesteward.chronicle.history import History
from homesteward.core import Clock, SystemClock
from homesteward.home.errors import NotConnectedError
from homesteward.home.live import LiveHome
from homesteward.home.recorder import Recorder
from homesteward.tools.call_service import call_service_tool
from homesteward.tools.chronicle import chronicle_tool
from homesteward.tools.configure import configure_tool
from homesteward.tools.find import find_tool
from homesteward.tools.get_history import get_history_tool
from homesteward.tools.get_state import get_state_tool
from homesteward.tools.home_at import home_at_tool
from homesteward.tools.overview import overview_tool
from homesteward.tools.plans import plans_tool
from homesteward.tools.registry import ToolRegistry
from homesteward.tools.schedule import schedule_tool
from homesteward.tools.why import why_tool


def standard_tools(
    home: LiveHome,
    gate: Gate,
    chronicle: History | None = None,
    recorder: Recorder | None = None,
    *,
    clock: Clock | None = None,
    schedules: ScheduleStore | None = None,
    configuration: ConfigRoom | None = None,
) -> ToolRegistry:
    """Return a registry with find, get_state and overview on `home`, and call_service and plans through `gate`.

    With `schedules` there is schedule, with `configuration` configure; with the `chronicle` there are why, home_at and chronicle as well, and with it or Home Assistant's `recorder` get_history.
    While the home is out of reach what shows it or acts on it answers not_connected: a model would take what was for what is.
    """

    def require_connected() -> None:
        if not home.connected:
            raise NotConnectedError

    registry, clock = ToolRegistry(require_connected), clock or SystemClock()
    registry.add(find_tool(home))
    registry.add(get_state_tool(home))
    registry.add(overview_tool(home))
    registry.add(call_service_tool(home, gate))
    registry.add(plans_tool(gate))
    if schedules:
        registry.add(schedule_tool(home, gate, schedules, clock))
    if configuration:
        registry.add(configure_tool(gate, configuration))
    if chronicle or recorder:
        registry.add(get_history_tool(home, clock, chronicle, recorder))
    if chronicle:
        registry.add(why_tool(home, clock, chronicle))
        registry.add(home_at_tool(home, clock, chronicle))
        registry.add(chronicle_tool(home, clock, chronicle))
    return registry
