"""A demo home: a real Home Assistant in an environment of its own, with a furnished house in it.

`DemoHome.start` takes an empty folder and comes back with a house that answers. What stands in it, and which things
honestly do not work, is the data of `furniture/`; docs/demo-home.md describes it. `house/` and `ha_demo/` are
configuration for Home Assistant's interpreter, not part of this package.
"""

from homesteward.demo.environment import ha_environment, ha_version
from homesteward.demo.errors import DemoError, EnvironmentFailedError, PortTakenError, StartFailedError
from homesteward.demo.home import DemoAddress, DemoHome
from homesteward.demo.inventory import Furnishing, Inventory, inventory
from homesteward.demo.process import Timeouts

__all__ = [
    "DemoAddress",
    "DemoError",
    "DemoHome",
    "EnvironmentFailedError",
    "Furnishing",
    "Inventory",
    "PortTakenError",
    "StartFailedError",
    "Timeouts",
    "ha_environment",
    "ha_version",
    "inventory",
]
