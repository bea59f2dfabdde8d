"""Changes of Home Assistant's configuration: snapshot, difference, checks, lock, writing, looking, putting back, versions.

What reads Home Assistant is `home.config_source`, what changes it `home.write`; the gate decides, and calls the room.
"""

from homesteward.actions.ha_config.kinds import kinds_of
from homesteward.actions.ha_config.room import ConfigRoom, Shown
from homesteward.actions.ha_config.versions import Version, Versions

__all__ = ["ConfigRoom", "Shown", "Version", "Versions", "kinds_of"]
