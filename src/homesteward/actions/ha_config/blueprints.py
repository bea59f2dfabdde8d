"""Blueprints: Home Assistant takes them and deletes them, and shows nobody what is in one. What cannot be kept is not written over."""

from collections.abc import Awaitable, Callable, Mapping

from homesteward.actions.ha_config.base import BaseKind
from homesteward.actions.ha_config.errors import BadConfigError, NotEditableError
from homesteward.actions.ha_config.kind import Sight
from homesteward.actions.ha_config.text import parsed, written
from homesteward.core.json import JsonObject, JsonValue
from homesteward.home.config_source import Asked
from homesteward.home.live import LiveHome
from homesteward.home.write import Writer

type Kept = Callable[[str, str], Awaitable[JsonObject | None]]

DOMAINS = frozenset({"automation", "script"})


class Blueprint(BaseKind):
    """A blueprint by `domain/path`, such as `automation/own/motion.yaml`: `{yaml: text}`, or the object itself."""

    def __init__(self, source: Asked, writer: Writer, home: LiveHome, kept: Kept) -> None:
        """`kept` gives the newest version of an object that was written from here."""
        super().__init__("blueprint", source, writer, home)
        self._kept = kept

    def address(self, object_id: str) -> str:
        """Return `domain/path.yaml`; see Kind."""
        domain, _, path = object_id.partition("/")
        parts = path.split("/")
        if domain not in DOMAINS or not path or any(not part or part.startswith(".") for part in parts):
            raise BadConfigError(f"{object_id!r} is no blueprint.", next="Write it like automation/own/motion.yaml.")
        return object_id if path.endswith(".yaml") else f"{object_id}.yaml"

    def new_id(self, config: JsonObject) -> str:
        """Say that it needs a path; see Kind."""
        del config
        raise BadConfigError("A blueprint needs an id.", next="Write it like automation/own/motion.yaml.")

    async def read(self, object_id: str) -> JsonObject | None:
        """Return what we saved there ourselves; any other cannot be read, and so not be changed; see Kind."""
        row = await self._listed(object_id)
        if row is None:
            return None
        kept, shown = await self._kept(self.name, object_id), _mapping(_mapping(row).get("metadata"))
        if kept is not None and _mapping(kept.get("blueprint")).get("name") == shown.get("name"):
            return kept
        raise NotEditableError(
            f"There is a blueprint {object_id}, and Home Assistant shows nobody what is in it: it could not be brought back.",
            next="Save this one under another path, or edit the file by hand.",
        )

    def checked(self, object_id: str, config: JsonObject) -> JsonObject:
        """Return the blueprint that is written in it; see Kind."""
        text = config.get("yaml")
        found = parsed(text) if isinstance(text, str) else dict(config)
        about = found.get("blueprint")
        if not isinstance(about, Mapping) or not about.get("name"):
            raise BadConfigError("A blueprint begins with 'blueprint:' and has a name there.", next="Write it so.")
        if about.get("domain") != object_id.partition("/")[0]:
            raise BadConfigError(
                f"The blueprint is for {about.get('domain')!r}, and is addressed to {object_id}.", next="Name the same."
            )
        return found

    async def write(self, object_id: str, config: JsonObject, old: JsonObject | None) -> None:
        """Save it, its inputs as the tags that they are; see Kind."""
        domain, _, path = object_id.partition("/")
        text = with_inputs(written(config))
        await self.writer.command("blueprint/save", domain=domain, path=path, yaml=text, allow_override=old is not None)

    async def remove(self, object_id: str) -> None:
        """Delete it; see Kind."""
        domain, _, path = object_id.partition("/")
        await self.writer.command("blueprint/delete", domain=domain, path=path)

    async def seen(self, object_id: str, config: JsonObject | None) -> Sight:
        """Look at Home Assistant's list: the name in it is all that it shows; see Kind."""
        subject, row = f"blueprint {object_id}", await self._listed(object_id)
        if config is None:
            return Sight(row is None, subject, "gone" if row is None else "still there")
        about, wanted = _mapping(_mapping(row).get("metadata")), _mapping(config.get("blueprint"))
        there = about.get("name") == wanted.get("name")
        return Sight(there, subject, "there" if there else str(_mapping(row).get("error") or "not there"))

    async def _listed(self, object_id: str) -> JsonValue:
        domain, _, path = object_id.partition("/")
        return _mapping(await self.source.ask("blueprint/list", domain=domain)).get(path)


def with_inputs(text: str) -> str:
    """Return YAML with `'!input name'` as the tag that it stands for."""
    lines = []
    for line in text.splitlines():
        head, mark, tail = line.partition("'!input ")
        lines.append(f"{head}!input {tail.rstrip().removesuffix(chr(39))}" if mark else line)
    return "\n".join(lines) + "\n"


def _mapping(value: JsonValue) -> JsonObject:
    return value if isinstance(value, Mapping) else {}
