"""The one door to Home Assistant: everything read from a home or sent to it goes through this room.

`connection` speaks to it, `link` opens another when it ends, `mirror` keeps what the home is now, `targets` and `services` turn what
somebody asks for into a call that fits it, `effects` says what a call should do, `simulation` is a home without Home Assistant. What sends a change stands in `dispatch`,
which only the gate and the composition root import; it is not exported here.
"""

from homesteward.home.calls import Call, ResolvedCall, Target, parse_call
from homesteward.home.live import HeardHome, HomeConfig, LiveHome
from homesteward.home.model import State
from homesteward.home.view import HomeView

__all__ = ["Call", "HeardHome", "HomeConfig", "HomeView", "LiveHome", "ResolvedCall", "State", "Target", "parse_call"]
