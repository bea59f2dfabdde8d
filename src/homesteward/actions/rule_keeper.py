"""The owner's rules as they hold now: the file, read again as soon as it changes, with every version of it and who wrote it."""

import asyncio
import logging
import os
import stat
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from pathlib import Path

from sqlalchemy import Connection, delete, insert, select

from homesteward.actions.errors import GateError, NotAllowedError
from homesteward.actions.ties import AnyWitness, nothing_witnessed
from homesteward.core import Clock
from homesteward.core.json import JsonObject, JsonValue
from homesteward.home.view import HomeView
from homesteward.people import Caller, Role, Scope
from homesteward.people.audit import actor_of
from homesteward.policy import BadRuleFileError, Policy, Preset, RuleBook, parse_rules
from homesteward.policy.nothing import names_nothing
from homesteward.policy.rule import RuleFile
from homesteward.policy.rule_file import MAX_BYTES, TOO_LONG
from homesteward.store import Database
from homesteward.store.tables import policy_versions as table

LOOK_S = 2.0
MOST_VERSIONS = 500
MOST_WARNINGS = 20
BEGINNING = 4096  # bytes that are kept of what cannot be used
KEPT = "policy.changed"
UNREADABLE = "policy.unreadable"
HAND = "file"
"""Who wrote a version that was found on disk: whoever may write there."""

_LOG = logging.getLogger(__name__)

CUT = "\n# Homesteward kept only the beginning of this version.\n"

type Undo = Callable[[], None]


class UnknownVersionError(GateError):
    """There is no such version of the rules."""

    code = "unknown_version"


class RulesNotWrittenError(GateError):
    """The rule file cannot be written."""

    code = "rules_not_written"


@dataclass(frozen=True, slots=True)
class Version:
    """One version of the rule file. `problem` is why it cannot be used, empty for one that can."""

    n: int
    at: datetime
    author: str
    text: str
    problem: str

    @property
    def hash(self) -> str:
        """Return what tells this text from any other."""
        return sha256(self.text.encode()).hexdigest()

    def as_json(self) -> JsonObject:
        """Return the version for faces, without its text."""
        at = self.at.isoformat()
        return {"n": self.n, "at": at, "author": self.author, "problem": self.problem, "hash": self.hash}


@dataclass(frozen=True, slots=True)
class _Read:
    """What lies in the file: its text (None: it is not there), and what it was read as."""

    text: str | None
    rules: RuleFile | None
    problem: str

    @property
    def kept(self) -> str | None:
        """Return what a version of it keeps: all of what can be used, and of anything else its beginning and its hash."""
        if self.text is None or not self.problem:
            return self.text
        return _beginning(self.text.encode())


class RuleKeeper:
    """Gives the policy that holds at this moment. A file that cannot be read, or that is gone, holds everything."""

    def __init__(
        self,
        file: Path,
        database: Database,
        home_id: str,
        clock: Clock,
        *,
        preset: Preset = Preset.FAMILY,
        witness: AnyWitness = nothing_witnessed,
    ) -> None:
        """Read `file`; `preset` decides where its rules do not. Changes are told to `witness`."""
        self.file = file
        self._database, self._home_id, self._clock, self._witness = database, home_id, clock, witness
        self._preset = preset
        self._stamp: tuple[int, ...] | None = ()
        self._read = _Read(None, None, "")
        self._kept: str | None = None
        self._was_there = False
        self._policy = Policy(preset)
        self._writing = asyncio.Lock()

    async def start(self) -> Undo:
        """Begin to look at the file; the returned undo ends it."""
        last = await self._last()
        self._kept = last.text if last else None
        await self.look()
        task = asyncio.create_task(self._watch(), name="rule file")

        def undo() -> None:
            task.cancel()

        return undo

    def policy(self) -> Policy:
        """Return what decides now. It asks the file itself, which costs some microseconds, so that no decision is by older rules."""
        stamp = _stamp(self.file)
        if stamp != self._stamp:
            try:
                self._take(_read(self.file))
            except Exception as error:  # noqa: BLE001 - whatever it is that goes wrong here, the rules before must not go on holding
                _LOG.exception("The rule file could not be taken")
                self._take(_Read(None, None, f"The rule file cannot be read ({type(error).__name__})."))
            self._stamp = stamp  # only now: what was not taken is looked at again
        return self._policy

    @property
    def problem(self) -> str:
        """Return why everything is held, empty where the rules can be used."""
        return self.policy().held

    @property
    def rules(self) -> RuleFile | None:
        """Return the rules that hold, None where there are none or nothing of them can be used."""
        self.policy()
        return self._read.rules

    @property
    def text(self) -> str:
        """Return what lies in the file, empty where nothing can be read."""
        self.policy()
        return self._read.text or ""

    def policy_of(self, rules: RuleFile | None) -> Policy:
        """Return what would decide by `rules`: their preset, else that of the settings."""
        return Policy(Preset(rules.preset) if rules and rules.preset else self._preset, RuleBook(rules))

    def told(self, home: HomeView | None = None) -> JsonObject:
        """Return in short what holds: how many rules and limits, which preset and from where, and why everything is held.

        With a `home` it warns as well of the rules that name nothing in it.
        """
        policy, rules = self.policy(), self.rules
        enabled = [rule for rule in rules.rules if rule.enabled] if rules else []
        limits = [limit for limit in rules.limits if limit.enabled] if rules else []
        return {
            "rules": len(enabled),
            "limits": len(limits),
            "preset": policy.preset.value,
            "preset_from": "rules" if rules and rules.preset else "settings",
            "held": policy.held,
            **({"warnings": list[JsonValue](names_nothing(rules, home)[:MOST_WARNINGS])} if rules and home else {}),
        }

    async def look(self) -> None:
        """Keep the version that lies in the file, where it is another than the last."""
        self.policy()
        async with self._writing:
            if (kept := self._read.kept) is not None and kept != self._kept:
                await self._keep(kept, HAND, self._read.problem, HAND)

    async def versions(self, limit: int = 100) -> tuple[Version, ...]:
        """Return the versions, the newest first."""
        await self.look()
        rows = select(table).where(table.c.home_id == self._home_id).order_by(table.c.n.desc()).limit(limit)
        found = await self._database.read(lambda connection: connection.execute(rows).mappings().all())
        return tuple(Version(row["n"], row["at"], row["author"], row["text"], row["problem"]) for row in found)

    async def version(self, n: int) -> Version:
        """Return one version; raise unknown_version."""
        row = select(table).where(table.c.home_id == self._home_id, table.c.n == n)
        found = await self._database.read(lambda connection: connection.execute(row).mappings().first())
        if found is None:
            raise UnknownVersionError(
                f"There is no version {n} of the rules.", next="List the versions to see their numbers."
            )
        return Version(found["n"], found["at"], found["author"], found["text"], found["problem"])

    async def replace(self, text: str, by: Caller) -> Version:
        """Put `text` in the file's place, whole or not at all, and keep it as a version of `by`.

        Raises bad_policy for rules that cannot be used, rules_not_written, and not_allowed for anybody but an owner.
        """
        _require_owner(by)
        await asyncio.to_thread(parse_rules, text)
        await self.look()
        async with self._writing:
            await self._written(text)
            version = await self._keep(text, by.person or by.role.value, "", actor_of(by))
        self.policy()
        return version

    async def restore(self, n: int, by: Caller) -> Version:
        """Put version `n` back, as a new version of `by`. Raises as `replace` does, and unknown_version."""
        _require_owner(by)
        return await self.replace((await self.version(n)).text, by)

    async def _written(self, text: str) -> None:
        try:
            await asyncio.to_thread(_write, self.file, text)
        except OSError as error:
            raise RulesNotWrittenError(
                f"The rule file {self.file} cannot be written: {error.strerror}.",
                next="Make its folder and give it to Homesteward; the rules before go on holding.",
            ) from None

    async def _keep(self, text: str, author: str, problem: str, actor: str) -> Version:
        at, home_id, witness = self._clock.now(), self._home_id, self._witness

        def work(connection: Connection) -> int:
            newest = select(table.c.n).where(table.c.home_id == home_id).order_by(table.c.n.desc()).limit(1)
            n = (connection.execute(newest).scalar() or 0) + 1
            row = {"home_id": home_id, "n": n, "at": at, "author": author, "text": text, "problem": problem}
            connection.execute(insert(table), row)
            connection.execute(delete(table).where(table.c.home_id == home_id, table.c.n <= n - MOST_VERSIONS))
            hashed = sha256(text.encode()).hexdigest()
            witness(
                connection,
                UNREADABLE if problem else KEPT,
                actor,
                f"policy:{n}",
                {"sha256": hashed, "problem": problem},
            )
            return n

        n = await self._database.write(work)
        self._kept = text
        return Version(n, at, author, text, problem)

    async def _last(self) -> Version | None:
        newest = select(table).where(table.c.home_id == self._home_id).order_by(table.c.n.desc()).limit(1)
        row = await self._database.read(lambda connection: connection.execute(newest).mappings().first())
        return Version(row["n"], row["at"], row["author"], row["text"], row["problem"]) if row else None

    def _take(self, read: _Read) -> None:
        problem = read.problem
        self._was_there |= read.text is not None or bool(read.problem)
        if read.text is None and not problem and (self._kept is not None or self._was_there):
            problem = f"the rule file {self.file.name} is gone"
        if problem and problem != self._policy.held:
            _LOG.error("%s Everything but looking waits for an owner until it is mended.", problem)
        self._read = read
        self._policy = replace(self.policy_of(read.rules), held=problem)

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(LOOK_S)
            try:
                await self.look()
            except Exception:  # noqa: BLE001 - the root of this task: the rules go on holding, only their version is kept later
                _LOG.exception("The version of the rules could not be kept")


def _require_owner(by: Caller) -> None:
    if by.role is not Role.OWNER or not by.may(Scope.CONFIGURE):
        raise NotAllowedError("Only an owner changes the rules.", next="Ask an owner.")


def _stamp(file: Path) -> tuple[int, ...] | None:
    """Return what is different after every change of the file; None where there is none."""
    try:
        found = file.stat()
    except OSError:
        return None
    return (
        found.st_mtime_ns,
        found.st_ctime_ns,
        found.st_size,
        found.st_ino,
    )  # the change time tells of permissions too


def _read(file: Path) -> _Read:
    """Read a regular file of a size that rules have; whatever else lies there is neither opened for long nor taken into memory."""
    try:
        raw = _bytes_of(file)
    except FileNotFoundError:
        return _Read(None, None, "")
    except OSError as error:
        return _Read(None, None, f"The rule file cannot be read: {error.strerror}.")
    if raw is None:
        return _Read(None, None, "The rule file cannot be read: it is no regular file.")
    if len(raw) > MAX_BYTES:
        return _Read(_beginning(raw), None, f"The rule file cannot be used: {TOO_LONG}.")
    return _understood(raw)


def _understood(raw: bytes) -> _Read:
    try:
        text = raw.decode()
        return _Read(text, parse_rules(text), "")
    except UnicodeDecodeError:
        return _Read(_beginning(raw), None, "The rule file is not UTF-8 text.")
    except BadRuleFileError as wrong:
        return _Read(raw.decode(), None, wrong.message)


def _bytes_of(file: Path) -> bytes | None:
    """Return what a regular file holds, at most one byte more than it may; None for a folder, a pipe or a device."""
    with open(file, "rb", opener=_at_once) as opened:  # Path.open takes no opener
        return opened.read(MAX_BYTES + 1) if stat.S_ISREG(os.fstat(opened.fileno()).st_mode) else None


def _at_once(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK)  # a pipe would wait for its writer


def _beginning(raw: bytes) -> str:
    """Return the beginning of what cannot be used, with the hash of what was read; what is short stays as it is."""
    start = raw[:BEGINNING].decode(errors="replace").replace("\0", "\ufffd")  # a database keeps no NUL
    if start.encode() == raw or start.endswith(CUT):
        return start
    return f"{start}\n# sha256 of {len(raw)} bytes: {sha256(raw).hexdigest()}{CUT}"


def _write(file: Path, text: str) -> None:
    """Write the file whole or not at all, readable by its owner alone."""
    beside = file.with_name(f".{file.name}.new")
    try:
        with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as out:
            out.write(text)
            out.flush()
            os.fsync(out.fileno())
        beside.replace(file)
    finally:
        with suppress(FileNotFoundError):
            beside.unlink()
