"""What is worked out of a whole home is worked out once per revision of it."""

from collections.abc import Callable, Sized

from homesteward.home.view import HomeView

MAX_KEPT = 64  # homes that one process serves


class Kept[T]:
    """Keep what `work` makes of a home, as long as its revision and its `part` are the same."""

    def __init__(self, part: Callable[[HomeView], Sized], work: Callable[[HomeView], T]) -> None:
        """Keep what `work` makes, which looks at `part` of the home."""
        self._part, self._work = part, work
        self._kept: dict[int, tuple[Sized, tuple[int, int], T]] = {}

    def of(self, home: HomeView) -> T:
        """Return what is made of `home` as it is."""
        part = self._part(home)
        revision, known = (home.revision, len(part)), self._kept.get(id(part))
        if known is not None and known[0] is part and known[1] == revision:
            return known[2]
        made = self._work(home)
        self._kept.pop(id(part), None)
        self._kept[id(part)] = part, revision, made  # the part is kept as well, so that its id stays its own
        if len(self._kept) > MAX_KEPT:
            del self._kept[next(iter(self._kept))]
        return made
