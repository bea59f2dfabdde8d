"""What can go wrong with the demo home."""

from homesteward.core import HomestewardError


class DemoError(HomestewardError):
    """The demo home cannot be had, or stopped on its own."""

    code = "demo_failed"


class EnvironmentFailedError(DemoError):
    """The environment that Home Assistant runs in could not be made."""

    code = "demo_environment_failed"


class PortTakenError(DemoError):
    """Another program listens where the demo home should."""

    code = "demo_port_taken"


class StartFailedError(DemoError):
    """Home Assistant did not come up as it should."""

    code = "demo_start_failed"
