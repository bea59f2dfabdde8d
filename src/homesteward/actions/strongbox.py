"""The codes and other secrets of the house as an owner keeps them: set, named and removed, each with who did it, and never shown."""

from homesteward.actions.errors import NotAllowedError
from homesteward.people import Caller, Role, Scope
from homesteward.people.audit import actor_of
from homesteward.store import Audit, Secrets
from homesteward.store.secrets import SecretMissingError

SET, REMOVED = "secret.set", "secret.removed"


class Strongbox:
    """Keep secrets under names: the code of a lock or an alarm under the id of its entity. It is a CodeBook for the gate."""

    def __init__(self, secrets: Secrets, audit: Audit) -> None:
        """Keep them in `secrets`, and put down in `audit` who changed them."""
        self._secrets, self._audit = secrets, audit

    async def names(self, by: Caller) -> tuple[str, ...]:
        """Return the names there are, sorted; raise not_allowed for anybody but an owner."""
        _require_owner(by)
        return await self._secrets.names()

    async def put(self, by: Caller, name: str, value: str) -> None:
        """Keep `value` under `name`; raise not_allowed, and bad_secret for a name or value that cannot be kept."""
        _require_owner(by)
        await self._secrets.put(name, value)
        await self._audit.append(SET, actor_of(by), name, {})

    async def remove(self, by: Caller, name: str) -> None:
        """Forget what is kept under `name`; raise not_allowed, and secret_missing where there is none."""
        _require_owner(by)
        if not await self._secrets.delete(name):
            raise SecretMissingError(
                f"There is no secret named {name!r} here.", next="List the secrets to see their names."
            )
        await self._audit.append(REMOVED, actor_of(by), name, {})

    async def code_of(self, entity_id: str) -> str | None:
        """Return the code of the entity, None where none is kept."""
        try:
            return await self._secrets.get(entity_id)
        except SecretMissingError:
            return None

    async def has_code(self, entity_id: str) -> bool:
        """Return whether a code is kept for the entity, without opening it."""
        return entity_id in await self._secrets.names()


def _require_owner(by: Caller) -> None:
    if by.role is not Role.OWNER or not by.may(Scope.ADMIN):
        raise NotAllowedError("Only an owner keeps the secrets of the house.", next="Ask an owner.")
