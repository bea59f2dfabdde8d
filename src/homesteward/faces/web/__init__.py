"""The HTTP face: `/api/v1`. Every route stands in one table with the authority it needs; a route that is not in it is not served."""

from homesteward.faces.web.api import create_api
from homesteward.faces.web.rooms import Rooms

__all__ = ["Rooms", "create_api"]
