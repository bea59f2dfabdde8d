"""Who wants to hear of which entities: callbacks, each with its way off."""

import logging
from collections.abc import Collection

from homesteward.home.live import Undo, Watcher
from homesteward.home.model import State

_LOG = logging.getLogger(__name__)


class Watchers:
    """Callbacks for changes, by entity and for all; telling one that wants nothing else costs one look-up."""

    def __init__(self) -> None:
        """Start with nobody watching."""
        self._of_all: dict[int, Watcher] = {}
        self._of_one: dict[str, dict[int, Watcher]] = {}
        self._next = 0

    def add(self, callback: Watcher, entity_ids: Collection[str] | None = None) -> Undo:
        """Tell `callback` of every change of `entity_ids` (None: of all) until the returned undo is called."""
        self._next += 1
        key = self._next
        shelves = [self._of_all] if entity_ids is None else [self._of_one.setdefault(e, {}) for e in set(entity_ids)]
        for shelf in shelves:
            shelf[key] = callback

        def undo() -> None:
            for shelf in shelves:
                shelf.pop(key, None)
            for entity_id in entity_ids or ():
                if not self._of_one.get(entity_id, True):
                    del self._of_one[entity_id]

        return undo

    def tell(self, old: State | None, new: State | None) -> None:
        """Tell everybody who watches this entity, in the order in which they came; one that fails does not stop the rest."""
        changed = new or old
        if changed is None:
            return
        of_one = self._of_one.get(changed.entity_id)
        for callback in [*self._of_all.values(), *(of_one.values() if of_one else ())]:
            try:
                callback(old, new)
            except Exception:  # noqa: BLE001 - a foreign callback must never stop the reader of events
                _LOG.exception("A watcher of %s failed", changed.entity_id)
