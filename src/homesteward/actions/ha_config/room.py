"""The room that writes Home Assistant's configuration: prepared whole, written under a lock, seen, and put back where it is not."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace

from homesteward.actions.errors import NotAllowedError
from homesteward.actions.ha_config.base import an
from homesteward.actions.ha_config.change import Change, Pause, made, put_back
from homesteward.actions.ha_config.coded import Coder, labels_in
from homesteward.actions.ha_config.errors import (
    AlreadyThereError,
    BadConfigError,
    ConfigError,
    NothingToChangeError,
    UnknownObjectError,
)
from homesteward.actions.ha_config.kind import Kind, Kinds, Sight
from homesteward.actions.ha_config.kinds import kind_of
from homesteward.actions.ha_config.references import require_known
from homesteward.actions.ha_config.sealed import SealedCodes, Unsealed
from homesteward.actions.ha_config.text import diff_of, fingerprint, parsed, require_small, same
from homesteward.actions.ha_config.used import missed_by
from homesteward.actions.ha_config.versions import FOUND, Version, Versions
from homesteward.actions.ha_config.words import summary_of
from homesteward.actions.plan import Evidence, Plan, Status, Step
from homesteward.actions.reserved import Performed, Prepared
from homesteward.core import Clock, HomestewardError
from homesteward.core.json import JsonObject, JsonValue, plain
from homesteward.home.calls import Call, ResolvedCall
from homesteward.home.live import LiveHome
from homesteward.home.model import Service, ServiceField
from homesteward.home.reserved import CONFIG
from homesteward.people import Caller, Role
from homesteward.people.audit import actor_of

WRITE, DELETE = "write", "delete"
FIELDS = frozenset({"kind", "id", "config", "edit"})
SERVICES: Mapping[str, Service] = {
    f"{CONFIG}.{name}": Service(CONFIG, name, description=said, fields={f: ServiceField(f) for f in sorted(fields)})
    for name, said, fields in (
        (WRITE, "Write an object of Home Assistant's configuration.", FIELDS),
        (DELETE, "Delete an object of Home Assistant's configuration.", {"kind", "id"}),
    )
}
CHANGED_SINCE = "{} was changed by somebody else since this was proposed, and would be written over"


@dataclass(frozen=True, slots=True)
class Shown:
    """An object as it is now, without its codes: None where there is none."""

    kind: str
    id: str
    config: JsonObject | None
    hash: str


class ConfigRoom:
    """Carry out `ha_config.write` and `ha_config.delete`."""

    def __init__(
        self,
        kinds: Kinds,
        versions: Versions,
        home: LiveHome,
        clock: Clock,
        pause: Pause = asyncio.sleep,
        sealed: SealedCodes | None = None,
    ) -> None:
        """Write objects of `kinds`; `pause` waits between two looks at what became of one, `sealed` keeps codes that were replaced."""
        self.kinds = kinds
        self.versions = versions
        self._home = home
        self._clock = clock
        self._pause = pause
        self._sealed = sealed or SealedCodes(Unsealed())
        self._writing = asyncio.Lock()

    @property
    def services(self) -> Mapping[str, Service]:
        """Return what can be called; see Reserved."""
        return SERVICES

    async def show(self, kind: str, object_id: str) -> Shown:
        """Return an object as it is now, without its codes; raises what says why it cannot be shown."""
        of = kind_of(self.kinds, kind)
        address = of.address(object_id)
        config = await self._read(of, address)
        return Shown(kind, address, config, fingerprint(config))

    async def listed(self, kind: str, object_id: str) -> tuple[Version, ...]:
        """Return the versions of an object, the newest first."""
        return await self.versions.listed(kind, kind_of(self.kinds, kind).address(object_id))

    async def version(self, kind: str, object_id: str, n: int) -> Version:
        """Return one version; raise UnknownVersionError if there is none such."""
        return await self.versions.get(kind, kind_of(self.kinds, kind).address(object_id), n)

    async def restoring(self, kind: str, object_id: str, n: int) -> Call:
        """Return the call that brings a version back; raise UnknownVersionError, or what says why it is so already."""
        of = kind_of(self.kinds, kind)
        address = of.address(object_id)
        version = await self.versions.get(kind, address, n)
        return back_to(kind, address, version.config, await self._read(of, address))

    async def prepare(self, call: Call, caller: Caller) -> Prepared:
        """Return the call on the object as it is now, checked as far as it can be without writing; see Reserved."""
        if caller.reach is not None or (caller.role is Role.GUEST and not _is_new(call)):
            raise NotAllowedError("You have no say in the configuration that is there.", next="Ask an owner.")
        if odd := sorted(call.data.keys() - FIELDS):
            raise BadConfigError(
                f"{call.id} has no field {', '.join(odd)}.", next=f"It has {', '.join(sorted(FIELDS))}."
            )
        kind = kind_of(self.kinds, call.data.get("kind"))
        return await (self._prepared_write if call.service == WRITE else self._prepared_delete)(kind, call)

    async def stands(self, step: Step) -> str:
        """Return why the object is not as it was when this was proposed; see Reserved."""
        data = step.call.data
        kind, object_id = self.kinds[str(data["kind"])], str(data["id"])
        try:
            now = await self._read(kind, object_id)
        except HomestewardError as error:
            return error.message.rstrip(".")
        if fingerprint(now) != data.get("base"):
            return CHANGED_SINCE.format(f"{kind.name} {object_id}")
        return ""

    async def perform(self, plan: Plan, step: Step) -> Performed:
        """Write, look until Home Assistant really has it, and put the old back where it does not; see Reserved."""
        data = step.call.data
        kind, object_id = self.kinds[str(data["kind"])], str(data["id"])
        wanted = _mapping(data["config"]) if step.call.service == WRITE else None
        async with self._writing:
            old = await kind.read(object_id)
            if fingerprint(await self._masked(kind, object_id, old)) != data.get("base"):
                raise ConfigError(f"{CHANGED_SINCE.format(f'{kind.name} {object_id}')}.", next="Ask for it again.")
            old = await self._whole(kind, object_id, old)
            change = Change(kind, object_id, old, wanted)
            await self._keep(change, old, FOUND, "")
            sight = await made(change, self._pause)
            if not sight.there:
                told = await put_back(change, sight, self._pause)
                return Performed((self._seen(change, replace(sight, observed=told), Status.FAILED),))
            left_at = change.left_at
            after = await kind.read(left_at) if kind.patches else wanted
            await self._keep(change, after, actor_of(plan.caller), plan.id)
        seen = self._seen(change, sight, Status.VERIFIED)
        return Performed((seen,), {"config": await self._masked(kind, left_at, after), "id": left_at})

    def inverse(self, step: Step) -> Call | str:
        """Return the call that brings back what was there; see Reserved."""
        kind, object_id = str(step.call.data["kind"]), str(step.after.get("id") or step.call.data["id"])
        before = step.before.get("config")
        after = step.after.get("config")
        old = before if isinstance(before, Mapping) else None
        if self.kinds[kind].patches and old is not None:
            return _patched_back(step, object_id, old)
        return back_to(kind, object_id, old, after if isinstance(after, Mapping) else None)

    async def _prepared_write(self, kind: Kind, call: Call) -> Prepared:
        raw = _config(call.data.get("config"))
        given = call.data.get("id")
        object_id = kind.address(str(given)) if given else kind.new_id(raw)
        current = await kind.read(object_id)
        require_deed(kind, object_id, current, edit=call.data.get("edit") is True)
        config = kind.checked(object_id, await self._filled(kind, object_id, raw, current))
        if kind.patches:
            config = {key: value for key, value in config.items() if not _is_so(current, key, value)}
        if (kind.patches and not config) or (current is not None and same(current, config)):
            raise NothingToChangeError(f"The {kind.name} {object_id} is so already.", next="There is nothing to do.")
        require_known(config, self._home, {f"{kind.name}.{object_id}"})
        await kind.validate(config)
        return await self._as_prepared(kind, object_id, current, config)

    async def _as_prepared(
        self, kind: Kind, object_id: str, current: JsonObject | None, config: JsonObject
    ) -> Prepared:
        body = await kind.body(config)
        old, new = await self._masked(kind, object_id, current), await self._masked(kind, object_id, config)
        shown = {**(old or {}), **(new or {})} if kind.patches else new
        deed = "new" if current is None else "edit"
        missing = self._missed(kind, object_id) if "new_entity_id" in config else ""
        data: dict[str, JsonValue] = {"kind": kind.name, "id": object_id, "config": config, "base": fingerprint(old)}
        if body is not None:
            data["body"] = body
        return Prepared(
            ResolvedCall(CONFIG, WRITE, data=plain(data)),
            {"config": old},
            summary_of(kind.name, object_id, new, deed, self._home) + missing,
            diff_of(old, shown),
        )

    async def _prepared_delete(self, kind: Kind, call: Call) -> Prepared:
        object_id = kind.address(str(call.data.get("id") or ""))
        old = await self._read(kind, object_id)
        if old is None:
            raise UnknownObjectError(f"There is no {kind.name} {object_id}.", next="Nothing was changed.")
        if kind.patches:
            raise BadConfigError(
                f"The {kind.name} of {object_id} can be changed, not deleted.", next="Write other fields."
            )
        data = {"kind": kind.name, "id": object_id, "base": fingerprint(old)}
        summary = summary_of(kind.name, object_id, old, "delete", self._home) + self._missed(kind, object_id)
        return Prepared(ResolvedCall(CONFIG, DELETE, data=data), {"config": old}, summary, diff_of(old, None))

    def _missed(self, kind: Kind, object_id: str) -> str:
        entity_id = kind.entity_of(object_id)
        missing = missed_by(entity_id, self._home) if entity_id else ""
        return f"; {missing}" if missing else ""

    def _seen(self, change: Change, sight: Sight, status: Status) -> Evidence:
        return Evidence(sight.subject, change.expected, sight.observed, status, self._clock.now())

    async def _keep(self, change: Change, config: JsonObject | None, author: str, plan_id: str) -> None:
        object_id = change.left_at if plan_id else change.object_id
        coder = await self._coder(change.kind, object_id)
        await self._sealed.keep(coder.codes(config))  # before the version, which is of no use without them
        kept = await self._masked(change.kind, object_id, config)
        await self.versions.keep(change.kind.name, object_id, kept, author, plan_id)

    async def _read(self, kind: Kind, object_id: str) -> JsonObject | None:
        return await self._masked(kind, object_id, await kind.read(object_id))

    async def _masked(self, kind: Kind, object_id: str, config: JsonObject | None) -> JsonObject | None:
        return None if config is None else (await self._coder(kind, object_id)).masked(_mapping(plain(config)))

    async def _filled(self, kind: Kind, object_id: str, config: JsonObject, current: JsonObject | None) -> JsonObject:
        kept = await self._sealed.find(frozenset(labels_in(config)))
        return (await self._coder(kind, object_id)).filled(config, current, kept)

    async def _whole(self, kind: Kind, object_id: str, config: JsonObject | None) -> JsonObject | None:
        """Return what is there with its codes, where all that is known of it is a version of ours."""
        known = config is None or not any(labels_in(config))
        return config if known or config is None else await self._filled(kind, object_id, config, None)

    async def _coder(self, kind: Kind, object_id: str) -> Coder:
        return Coder(await self._sealed.key(), kind.name, object_id)


def _is_new(call: Call) -> bool:
    """Return whether the call is about something new: what is there would show in the difference to it."""
    return call.service == WRITE and not call.data.get("id")


def require_deed(kind: Kind, object_id: str, current: JsonObject | None, *, edit: bool) -> None:
    """Raise AlreadyThereError where something is there and no edit was asked for, UnknownObjectError where there is nothing to edit."""
    if kind.patches:
        return
    if current is not None and not edit:
        raise AlreadyThereError(
            f"There is {an(kind.name)} {object_id} already. It was not touched.",
            next="Ask for an edit of it (edit: true), or give the new one another id.",
        )
    if current is None and edit:
        raise UnknownObjectError(f"There is no {kind.name} {object_id} to edit.", next="Ask for a new one instead.")


def back_to(kind: str, object_id: str, config: JsonObject | None, now: JsonObject | None) -> Call:
    """Return the call that makes an object what it was; None is that there was none."""
    if config is None:
        return Call(CONFIG, DELETE, data={"kind": kind, "id": object_id})
    return Call(CONFIG, WRITE, data={"kind": kind, "id": object_id, "config": config, "edit": now is not None})


def _patched_back(step: Step, object_id: str, old: JsonObject) -> Call:
    """Return the call that gives single fields back what they held."""
    changed = _mapping(step.call.data.get("config"))
    fields = {key: value for key, value in old.items() if key in changed}
    if "new_entity_id" in changed:
        fields["new_entity_id"] = step.call.data["id"]
    return Call(CONFIG, WRITE, data={"kind": step.call.data["kind"], "id": object_id, "config": fields})


def _is_so(current: JsonObject | None, key: str, value: JsonValue) -> bool:
    return current is not None and key in current and same(current[key], value)


def _config(value: JsonValue) -> JsonObject:
    """Return the configuration, read from YAML where it is a text."""
    if isinstance(value, str):
        return parsed(value)
    if not isinstance(value, Mapping) or not value:
        raise BadConfigError("There is no configuration.", next="Give it as 'config', an object or YAML.")
    return require_small({**value})


def _mapping(value: JsonValue) -> JsonObject:
    return value if isinstance(value, Mapping) else {}
