"""The command line. It talks to a running service, or builds the house in its own process; either way through the same API."""

from homesteward.cli.main import main

__all__ = ["main"]
