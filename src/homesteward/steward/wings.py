"""What a request is read and answered with, by how far its caller reaches: for each reach a home of its own with the words for it."""

from collections import OrderedDict
from dataclasses import dataclass, replace

from homesteward.core import Clock
from homesteward.home.live import LiveHome
from homesteward.kernel import Kernel
from homesteward.language import Understander
from homesteward.people import Caller, Reach
from homesteward.people.scoped import scoped

MOST = 16  # reaches kept at once; that of a token not used for longest is made again when it comes back


@dataclass(frozen=True, slots=True)
class Wing:
    """The part of the home that exists for a caller, who reads sentences about it, and the kernel around a model for it."""

    home: LiveHome
    understander: Understander
    kernel: Kernel | None


class Wings:
    """Give every caller the wing for its reach. Nothing from outside it can be named, found, read or told in there."""

    def __init__(self, main: Wing, clock: Clock) -> None:
        """Begin with the wing of those who reach everything. A tool looks at its caller's reach itself."""
        self._main, self._clock = main, clock
        self._wings: OrderedDict[Reach, Wing] = OrderedDict()

    def of(self, caller: Caller) -> Wing:
        """Return the caller's wing, made where it is new."""
        if caller.reach is None:
            return self._main
        wing = self._wings.pop(caller.reach, None) or self._made(caller)
        self._wings[caller.reach] = wing
        while len(self._wings) > MOST:
            self._wings.popitem(last=False)
        return wing

    def _made(self, caller: Caller) -> Wing:
        home = scoped(self._main.home, caller)
        kernel = replace(self._main.kernel, home=home) if self._main.kernel else None
        return Wing(home, Understander(home, self._clock), kernel)
