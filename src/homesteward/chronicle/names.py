"""The entities and users of one home by their keys, kept between readings."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from threading import Lock

from sqlalchemy import Connection

from homesteward.chronicle.statements import HOME_KEY, NEW_ENTITIES, USERS


@dataclass(frozen=True, slots=True)
class Known:
    """What the keys of one home stand for. `home` is its own key, None before anything was written."""

    home: int | None = None
    entities: Mapping[int, str] = field(default_factory=dict)
    keys: Mapping[str, int] = field(default_factory=dict)
    users: Mapping[int, tuple[str, str]] = field(default_factory=dict)
    """Key -> id and name."""


class Names:
    """What is known of the keys. Entities only ever become more, so that each reading asks for the new ones alone."""

    def __init__(self, home_id: str) -> None:
        """Know nothing yet of the home that is known by `home_id`."""
        self.home_id = home_id
        self._known = Known()
        self._lock = Lock()  # readers are threads

    def refresh(self, connection: Connection) -> Known:
        """Read what is new, and return all that is known."""
        with self._lock:
            self._known = self._with_news(self._known, connection)
            return self._known

    def _with_news(self, known: Known, connection: Connection) -> Known:
        home = known.home
        if home is None:
            home = connection.execute(HOME_KEY, {"home_id": self.home_id}).scalar()
        if home is None:
            return known
        new = connection.execute(NEW_ENTITIES, {"home": home, "key": max(known.entities, default=-1)}).all()
        users = {raw.key: (raw.user_id, raw.name) for raw in connection.execute(USERS, {"home": home})}
        if not new:
            return Known(home, known.entities, known.keys, users)
        entities = {**known.entities, **{raw.key: raw.entity_id for raw in new}}
        return Known(home, entities, {entity_id: key for key, entity_id in entities.items()}, users)
