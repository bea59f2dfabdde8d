"""Which kinds of object there are, and what is no kind and why."""

from collections.abc import Mapping

from homesteward.actions.ha_config.blueprints import Blueprint, Kept
from homesteward.actions.ha_config.collections import Helper, Registered
from homesteward.actions.ha_config.dashboards import Dashboard
from homesteward.actions.ha_config.entries import Entry, Exposure
from homesteward.actions.ha_config.errors import UnknownKindError
from homesteward.actions.ha_config.kind import Kind, Kinds
from homesteward.actions.ha_config.stored import FORMS, Stored
from homesteward.core import Clock
from homesteward.core.text import neighbours
from homesteward.home.config_source import Asked
from homesteward.home.live import LiveHome
from homesteward.home.write import Writer

# What somebody may ask for and Home Assistant does not offer, with what does it instead.
NOT_OFFERED: Mapping[str, str] = {
    "person": "Home Assistant keeps no notify targets for a person: a phone's is the service notify.mobile_app_<phone>",
    "group": "a group is a helper of an integration: make it in Home Assistant under helpers",
    "template": "a template helper belongs to an integration: make it in Home Assistant under helpers",
    "integration": "integrations are set up in Home Assistant, which asks for their secrets there",
}


def kinds_of(source: Asked, writer: Writer, home: LiveHome, clock: Clock, kept: Kept) -> Kinds:
    """Return every kind, by its name."""
    listed: list[Kind] = [
        *(Stored(name, source, writer, home, clock) for name in FORMS),
        Helper("helper", source, writer, home),
        *(Registered(name, source, writer, home) for name in ("area", "floor", "label")),
        Entry("registry", source, writer, home),
        Exposure("exposure", source, writer, home),
        Dashboard("dashboard", source, writer, home),
        Blueprint(source, writer, home, kept),
    ]
    return {kind.name: kind for kind in listed}


def kind_of(kinds: Kinds, name: object) -> Kind:
    """Return the kind; raise UnknownKindError, saying what there is or what does it instead."""
    if isinstance(name, str) and (found := kinds.get(name)) is not None:
        return found
    if (why := NOT_OFFERED.get(str(name))) is not None:
        raise UnknownKindError(f"{str(name).capitalize()}: {why}.", next="Nothing was changed.")
    near = neighbours(str(name), kinds)
    raise UnknownKindError(
        f"There is no kind of configuration {name!r}.", next=f"There is {', '.join(near or sorted(kinds))}."
    )
