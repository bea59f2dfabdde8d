"""Codes that stood in a configuration and were replaced: sealed, so that a version can be brought back whole."""

import os
from collections.abc import Collection, Mapping
from typing import Protocol

from homesteward.core.json import JsonValue, dumps, loads


class OwnSecrets(Protocol):
    """What is sealed for this room alone."""

    async def kept(self, names: Collection[str]) -> Mapping[str, str]:
        """Return those of these that there are; what cannot be opened is left out."""
        ...

    async def keep(self, values: Mapping[str, str]) -> None:
        """Seal values under names; what is there under such a name stays as it is."""
        ...


class Unsealed:
    """Keeps them in memory only, for a home on paper."""

    def __init__(self) -> None:
        """Hold nothing."""
        self._values: dict[str, str] = {}

    async def kept(self, names: Collection[str]) -> Mapping[str, str]:
        """Return those that there are; see OwnSecrets."""
        return {name: self._values[name] for name in names if name in self._values}

    async def keep(self, values: Mapping[str, str]) -> None:
        """Keep what is new; see OwnSecrets."""
        self._values = {**values, **self._values}


class SealedCodes:
    """The codes by the ends of their references, and the key that those are made with."""

    def __init__(self, secrets: OwnSecrets) -> None:
        """Keep them in `secrets`."""
        self._secrets = secrets
        self._key = b""

    async def key(self) -> bytes:
        """Return the key, made when it is first asked for."""
        if not self._key:
            await self._secrets.keep({KEY: os.urandom(32).hex()})  # of two at once, the first stays
            self._key = bytes.fromhex((await self._secrets.kept([KEY]))[KEY])
        return self._key

    async def find(self, labels: Collection[str]) -> dict[str, JsonValue]:
        """Return the codes that are kept under these."""
        found = await self._secrets.kept(tuple(labels)) if labels else {}
        return {label: loads(value) for label, value in found.items()}

    async def keep(self, codes: Mapping[str, JsonValue]) -> None:
        """Seal the codes."""
        if codes:
            await self._secrets.keep({label: dumps(code) for label, code in codes.items()})


KEY = "key"
