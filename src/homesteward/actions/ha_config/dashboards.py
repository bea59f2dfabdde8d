"""Dashboards: their place in the list, and everything that is on them. Saving replaces the whole, so the whole is kept before."""

from collections.abc import Mapping

from homesteward.actions.ha_config.base import BaseKind, slug
from homesteward.actions.ha_config.errors import BadConfigError, NotEditableError, OtherIdError
from homesteward.actions.ha_config.kind import Sight
from homesteward.actions.ha_config.text import same
from homesteward.core.json import JsonObject, JsonValue
from homesteward.home.errors import HaError

DEFAULT = "lovelace"  # the dashboard that is there without being in the list
IN_LIST = ("title", "icon", "show_in_sidebar", "require_admin")
CONTENT = "config"


class Dashboard(BaseKind):
    """A dashboard by its path: `{title, icon, show_in_sidebar, require_admin, config: {views: [...]}}`, of the default one `{config}`."""

    def new_id(self, config: JsonObject) -> str:
        """Return the path that its title makes: Home Assistant wants a dash in it; see Kind."""
        made = slug(str(config.get("title") or ""))
        if not made:
            raise BadConfigError("A new dashboard needs a title.", next="Give it one, or an id.")
        return f"dashboard-{made.replace('_', '-')}"

    async def read(self, object_id: str) -> JsonObject | None:
        """Return its row and its content; see Kind."""
        row = await self._row(object_id)
        if row is None and object_id != DEFAULT:
            return None
        if row is not None and row.get("mode") == "yaml":
            raise NotEditableError(
                f"The dashboard {object_id} is written by hand in a YAML file. It was not touched.",
                next="Change it in the file where it stands.",
            )
        content = await self._content(object_id)
        if row is None and content is None:
            return None
        listed = {key: row[key] for key in IN_LIST if row.get(key) is not None} if row else {}
        return {**listed, **({CONTENT: content} if content is not None else {})}

    def checked(self, object_id: str, config: JsonObject) -> JsonObject:
        """Return it in one order; see Kind."""
        carried = config.get("url_path")
        if carried is not None and carried != object_id:
            raise OtherIdError(
                f"The configuration carries the path {carried!r}, and is addressed to {object_id!r}. Nothing was changed.",
                next="Leave the path out.",
            )
        given = {"config": config} if "views" in config or "strategy" in config else config
        odd = sorted(given.keys() - {*IN_LIST, CONTENT, "url_path"})
        if odd or not isinstance(given.get(CONTENT), Mapping):
            raise BadConfigError(
                f"A dashboard is {', '.join(IN_LIST)} and config, which holds its views.", next="Write it so."
            )
        if object_id != DEFAULT and not given.get("title"):
            raise BadConfigError("A dashboard needs a title.", next="Give it one.")
        listed = IN_LIST if object_id != DEFAULT else ()
        return {key: given[key] for key in (*listed, CONTENT) if given.get(key) is not None}

    async def write(self, object_id: str, config: JsonObject, old: JsonObject | None) -> None:
        """Put it into the list, then save its content; see Kind."""
        listed = {key: config[key] for key in IN_LIST if key in config}
        row = await self._row(object_id)
        if object_id != DEFAULT and row is None:
            await self.writer.command("lovelace/dashboards/create", url_path=object_id, **listed)
        elif row is not None and any(row.get(key) != value for key, value in listed.items()):
            await self.writer.command("lovelace/dashboards/update", dashboard_id=row["id"], **listed)
        if CONTENT in config:
            await self.writer.command("lovelace/config/save", url_path=_path(object_id), config=config[CONTENT])
        elif old and CONTENT in old:
            await self.writer.command("lovelace/config/delete", url_path=_path(object_id))

    async def remove(self, object_id: str) -> None:
        """Take it out of the list, or have the default one made up again; see Kind."""
        row = await self._row(object_id)
        if row is None:
            await self.writer.command("lovelace/config/delete", url_path=_path(object_id))
        else:
            await self.writer.command("lovelace/dashboards/delete", dashboard_id=row["id"])

    async def seen(self, object_id: str, config: JsonObject | None) -> Sight:
        """Look at the list and at the content; see Kind."""
        subject = f"dashboard {object_id}"
        now = await self.read(object_id)
        if config is None:
            return Sight(now is None, subject, "gone" if now is None else "still there")
        shown = {key: value for key, value in (now or {}).items() if key in config}
        there = same(shown, config)
        return Sight(there, subject, "there" if there else "not as it was written")

    async def _row(self, object_id: str) -> JsonObject | None:
        rows = await self.source.ask("lovelace/dashboards/list")
        listed = rows if isinstance(rows, list | tuple) else ()
        return next((row for row in listed if isinstance(row, Mapping) and row.get("url_path") == object_id), None)

    async def _content(self, object_id: str) -> JsonValue:
        try:
            return await self.source.ask("lovelace/config", url_path=_path(object_id), force=False)
        except HaError as error:
            if error.code == "config_not_found":
                return None  # Home Assistant makes it up as it is looked at
            raise


def _path(object_id: str) -> str | None:
    return None if object_id == DEFAULT else object_id
