"""The store key: what secrets are sealed and the audit is chained with. It never leaves this module whole, nor shows itself in a text."""

import os
import re
from base64 import b64decode, b64encode
from binascii import Error as NotBase64
from collections.abc import Iterable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Self

from homesteward.core import HomestewardError

KEY_FILE = "store.key"
BYTES = 32
SEPARATORS = re.compile(r"[\s,]+")


class BadKeyError(HomestewardError):
    """The store key is not what it must be; nothing was opened with it."""

    code = "bad_store_key"


class KeyLostError(HomestewardError):
    """Something is sealed with a store key that is not here."""

    code = "store_key_lost"


class Use(StrEnum):
    """What a key derived from the store key is for; one use never sees the key of another."""

    AUDIT = "audit"
    SECRETS = "secrets"
    NAME = "name"
    PAGES = "pages"


class StoreKey:
    """One key of 32 bytes, known by its `id`, which tells nothing about it."""

    __slots__ = ("_bytes", "id")

    def __init__(self, given: bytes) -> None:
        """Take the bytes; raise BadKeyError if they are not 32."""
        if len(given) != BYTES:
            raise _bad(f"it has {len(given)} bytes in place of {BYTES}")
        self._bytes = given
        self.id = self.derived(Use.NAME)[:4].hex()

    @classmethod
    def new(cls) -> Self:
        """Return a key that nobody has had before."""
        return cls(os.urandom(BYTES))

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the key that is written in base64; raise BadKeyError, which does not repeat it, if it is none."""
        try:
            return cls(b64decode(text.encode(), validate=True))
        except NotBase64, UnicodeError:
            raise _bad("it is not written in base64") from None

    def written(self) -> str:
        """Return the key in base64, for its file alone."""
        return b64encode(self._bytes).decode()

    def derived(self, use: Use) -> bytes:
        """Return the 32 bytes of this key for one use."""
        from cryptography.hazmat.primitives.hashes import SHA256  # noqa: PLC0415 - only where something is sealed
        from cryptography.hazmat.primitives.kdf.hkdf import HKDF  # noqa: PLC0415 - as above

        return HKDF(SHA256(), BYTES, salt=None, info=f"homesteward {use}".encode()).derive(self._bytes)

    def __repr__(self) -> str:
        return f"StoreKey({self.id})"


class KeyRing:
    """The key that seals, and the older ones that still open. With a file it can be renewed; a key from the settings is the owner's to change."""

    def __init__(self, keys: Sequence[StoreKey], file: Path | None = None, *, made: bool = False) -> None:
        """Take the keys, the one that seals first; `made` where it has only just been made."""
        self._keys = tuple(keys)
        self._file = file
        self.made = made
        """Whether the key is a new one: where something was sealed before, somebody asked for it by an empty file."""

    @classmethod
    def given(cls, text: str) -> Self:
        """Return the keys of a setting: one, or several with a comma between them, the one that seals first."""
        return cls(_parsed(text))

    @classmethod
    def kept(cls, file: Path, *, anew: bool) -> Self:
        """Return the keys of a file. A key is made where `anew` says that nothing is sealed yet, or where the file is there and empty.

        Raises KeyLostError where there is no file though something is sealed, and BadKeyError for a file that holds no key.
        """
        if not file.exists() and not anew:
            raise KeyLostError(
                f"The store key {file} is gone, and secrets and audit are sealed with it.",
                next=f"Put {file.name} back from a backup. To go on without it, make it an empty file: secrets must then be entered again.",
            )
        try:
            found = _read(file)
            return cls(found or _made(file), file, made=not found)
        except OSError as error:
            raise _bad(f"its file {file} cannot be used ({error.strerror})") from error

    @property
    def current(self) -> StoreKey:
        """Return the key that seals."""
        return self._keys[0]

    @property
    def older(self) -> tuple[StoreKey, ...]:
        """Return the keys that only open."""
        return self._keys[1:]

    @property
    def from_settings(self) -> bool:
        """Return whether they are the owner's to change."""
        return self._file is None

    @property
    def where(self) -> str:
        """Return where the keys come from, for a person."""
        return f"the file {self._file.name}" if self._file else "the settings"

    def find(self, key_id: str) -> StoreKey | None:
        """Return the key of that id, None if it is not here."""
        return next((key for key in self._keys if key.id == key_id), None)

    def renew(self) -> None:
        """Seal with a new key from now on, and keep the old ones until `forget`; raise BadKeyError for a key from the settings."""
        if self._file is None:
            raise _bad("it is set in store.key: write the new one before it, with a comma between, and start again")
        self._keep((StoreKey.new(), *self._keys))

    def forget(self) -> None:
        """Drop every key but the one that seals: nothing is sealed with them any more."""
        self._keep(self._keys[:1])

    def _keep(self, keys: tuple[StoreKey, ...]) -> None:
        if self._file is not None:
            write_private(self._file, _lines(keys))
        self._keys = keys

    def __repr__(self) -> str:
        return f"KeyRing({', '.join(key.id for key in self._keys)})"


def write_private(file: Path, text: str) -> None:
    """Put `text` in the place of `file`, whole or not at all, readable by its owner's account alone."""
    beside = file.with_name(f"{file.name}.new")
    beside.unlink(missing_ok=True)
    with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600), "w") as opened:
        opened.write(text)
        opened.flush()
        os.fsync(opened.fileno())
    beside.replace(file)


def _read(file: Path) -> tuple[StoreKey, ...]:
    if not file.exists():
        return ()
    file.chmod(0o600)
    try:
        text = file.read_text().strip()
    except UnicodeError:
        raise _bad("it is not written in base64") from None
    return _parsed(text) if text else ()


def _made(file: Path) -> tuple[StoreKey, ...]:
    keys = (StoreKey.new(),)
    write_private(file, _lines(keys))
    return keys


def _parsed(text: str) -> tuple[StoreKey, ...]:
    return tuple(StoreKey.parse(part) for part in SEPARATORS.split(text.strip()))


def _lines(keys: Iterable[StoreKey]) -> str:
    return "".join(f"{key.written()}\n" for key in keys)


def _bad(why: str) -> BadKeyError:
    return BadKeyError(
        f"The store key cannot be used: {why}.",
        next="It is 32 random bytes in base64, as from: openssl rand -base64 32. See docs/store.md.",
    )
