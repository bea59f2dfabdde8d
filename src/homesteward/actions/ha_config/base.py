"""What most kinds of object have in common."""

import re

from homesteward.actions.ha_config.errors import BadConfigError
from homesteward.core.json import JsonObject
from homesteward.home.config_source import Asked
from homesteward.home.live import LiveHome
from homesteward.home.write import Writer

# Nothing that could lead an address elsewhere, nor a character that no text has.
KEY = re.compile(r"[^/?#%\\\s\x00-\x1f\x7f-\x9f][^/?#%\\\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]{0,127}")
NOT_SLUG = re.compile(r"[^a-z0-9]+")


class BaseKind:
    """A kind that is read from `source` and written by `writer`, in a home that can be watched."""

    patches = False

    def __init__(self, name: str, source: Asked, writer: Writer, home: LiveHome) -> None:
        """Be the kind `name`."""
        self.name = name
        self.source = source
        self.writer = writer
        self.home = home

    def address(self, object_id: str) -> str:
        """Return the id as it is; see Kind."""
        if not KEY.fullmatch(object_id) or ".." in object_id:
            raise BadConfigError(f"{object_id!r} is no id of {an(self.name)}.", next="Use the id that show gives.")
        return object_id

    def new_id(self, config: JsonObject) -> str:
        """Return the id that its name makes; see Kind."""
        name = config.get("name") or config.get("alias") or config.get("title")
        made = slug(str(name or ""))
        if not made:
            raise BadConfigError(f"A new {self.name} needs a name.", next="Give it one, or an id.")
        return made

    def entity_of(self, object_id: str) -> str | None:
        """Be no entity; see Kind."""
        del object_id
        return None

    async def validate(self, config: JsonObject) -> None:
        """Leave it to the writing; see Kind."""
        del config

    async def body(self, config: JsonObject) -> JsonObject | None:
        """Run what is written; see Kind."""
        del config
        return None


def an(name: str) -> str:
    """Return the name of a kind with its article: an automation, a script."""
    return f"{'an' if name[:1] in 'aeiou' else 'a'} {name}"


def slug(text: str) -> str:
    """Return the id that a name makes: small letters, digits and underscores."""
    return NOT_SLUG.sub("_", text.casefold()).strip("_")
