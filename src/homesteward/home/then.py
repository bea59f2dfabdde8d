"""The home of now with the states of another moment: what judges the past, as far as the past is known, by the registries there are."""

from collections import ChainMap
from collections.abc import Mapping

from homesteward.home.calls import BodyStep
from homesteward.home.model import Area, Device, Entity, Floor, Label, Service, State
from homesteward.home.starts import Start
from homesteward.home.view import HomeView


class HomeThen:
    """A HomeView whose states can be set to those of a moment. It sends nothing, and shows nothing that is not handed in."""

    def __init__(self, home: HomeView) -> None:
        """Begin with `home` as it is."""
        self._home = home
        self.states: Mapping[str, State] = home.states
        self.revision = home.revision  # the registries stay those of the beginning, whatever happens meanwhile
        self.bodies: Mapping[str, tuple[BodyStep, ...]] = home.bodies
        self.starts: Mapping[str, tuple[Start, ...]] = home.starts

    def show(self, then: Mapping[str, State]) -> None:
        """Let these states stand before those of now."""
        self.states = ChainMap(dict(then), dict(self._home.states)) if then else self._home.states

    @property
    def entities(self) -> Mapping[str, Entity]:
        """Return the entity registry."""
        return self._home.entities

    @property
    def devices(self) -> Mapping[str, Device]:
        """Return the device registry."""
        return self._home.devices

    @property
    def areas(self) -> Mapping[str, Area]:
        """Return the area registry."""
        return self._home.areas

    @property
    def floors(self) -> Mapping[str, Floor]:
        """Return the floor registry."""
        return self._home.floors

    @property
    def labels(self) -> Mapping[str, Label]:
        """Return the label registry."""
        return self._home.labels

    @property
    def services(self) -> Mapping[str, Service]:
        """Return the catalogue of services."""
        return self._home.services

    @property
    def exposed(self) -> frozenset[str]:
        """Return the entities exposed to HA's assistant."""
        return self._home.exposed
