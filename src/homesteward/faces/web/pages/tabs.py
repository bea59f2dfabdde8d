"""The tabs of pages that have several parts: one table each."""

from dataclasses import dataclass

from homesteward.faces.web.authority import GRANTED, Authority
from homesteward.faces.web.pages.texts import N_
from homesteward.people import Role


@dataclass(frozen=True, slots=True)
class Tab:
    """A part of a page; `path` is from the front page."""

    key: str
    path: str
    label: str
    icon: str
    authority: Authority = Authority.CONFIGURE


POLICY_TABS = (
    Tab("rules", "policy", N_("Rules"), "list"),
    Tab("try", "policy/try", N_("What if"), "help"),
    Tab("past", "policy/past", N_("Past month"), "chart"),
    Tab("versions", "policy/versions", N_("Versions"), "history"),
)
SETTINGS_TABS = (
    Tab("you", "settings", N_("You"), "account", Authority.OWN),
    Tab("tokens", "settings/tokens", N_("Tokens"), "key", Authority.OWN),
    Tab("people", "settings/people", N_("People"), "people", Authority.ADMIN),
    Tab("connection", "settings/connection", N_("Connection"), "cloud"),
    Tab("privacy", "settings/privacy", N_("Privacy"), "eye"),
    Tab("backup", "settings/backup", N_("Backup"), "backup"),
    Tab("about", "settings/about", N_("About"), "info", Authority.READ),
)


def settings_tabs(role: Role) -> tuple[Tab, ...]:
    """Return the parts of the settings that somebody of this role may see."""
    return tuple(tab for tab in SETTINGS_TABS if tab.authority in GRANTED[role])
