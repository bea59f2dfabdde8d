"""The composition root: the only place that builds the rooms and wires them to each other, to a home and to a port."""

from homesteward.app.house import House
from homesteward.app.opening import open_house, wire
from homesteward.app.serve import serve

__all__ = ["House", "open_house", "serve", "wire"]
