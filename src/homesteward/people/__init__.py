"""Who is asking. A `Caller` is made by the application at the door and only ever narrows on its way; no content can raise it."""

from homesteward.people.caller import SYSTEM, Caller, Channel, Role

__all__ = ["SYSTEM", "Caller", "Channel", "Role"]
