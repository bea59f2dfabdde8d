"""A server that a test makes up, what it offers, and who decides about it."""

from dataclasses import dataclass, field

from homesteward.actions.offers import Offer, Tool
from homesteward.home.calls import Call
from homesteward.people import Caller, Channel, Role

ASKED = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
OWNER = Caller(Role.OWNER, Channel.PAGE, "Olive", person_id="person_olive")
MEMBER = Caller(Role.MEMBER, Channel.PAGE, "Mia", person_id="person_mia")
GUEST = Caller(Role.GUEST, Channel.PAGE, "Gus", person_id="person_gus")


@dataclass
class FakeServer:
    """An external server, as far as offers know one."""

    name: str = "weather_server"
    connected: bool = True
    listed: dict[str, Tool] = field(default_factory=dict)
    revision: int = 1

    def tools(self) -> tuple[Tool, ...]:
        return tuple(self.listed.values())

    def put(self, tool: Tool) -> None:
        """List a tool, in place of one of its name."""
        self.listed[tool.name] = tool
        self.change()

    def drop(self, name: str) -> None:
        del self.listed[name]
        self.change()

    def change(self) -> None:
        self.revision += 1


FORECAST = Tool("forecast", "Weather of", "weather.get_forecasts", "weather.home", ASKED, "The weather of a city")
BOILER = Tool("boiler", "Boost the boiler", "switch.turn_on", "switch.coffee", description="Hot water")


def decision(service: str, offer: Offer, **data) -> Call:
    """Return the call that decides about an offer."""
    return Call("homesteward", service, data={"offer": offer.id, **data})
