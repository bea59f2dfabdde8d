"""The services that Home Assistant's own entity domains have, for homes that are simulated: its own descriptions, as data."""

from functools import cache
from importlib.resources import files

from homesteward.core.json import loads
from homesteward.home import wire
from homesteward.home.model import Service


@cache
def standard_services() -> dict[str, Service]:
    """Return the catalogue by `domain.service`. It is made once: copy it before adding to it."""
    return wire.services(loads(files("homesteward.home").joinpath("catalogue.json").read_bytes()))
