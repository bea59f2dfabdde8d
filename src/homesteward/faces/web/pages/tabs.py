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


ACTIONS_TABS = (
    Tab("waiting", "actions", N_("Waiting"), "waits", Authority.READ),
    Tab("schedules", "actions/schedules", N_("Scheduled"), "calendar", Authority.READ),
    Tab("past", "actions/past", N_("Past"), "history", Authority.READ),
    Tab("offers", "actions/offers", N_("Found"), "tool", Authority.DECIDE),
)
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


def actions_tabs(role: Role) -> tuple[Tab, ...]:
    """Return the parts of the actions that somebody of this role may see."""
    return tuple(tab for tab in ACTIONS_TABS if tab.authority in GRANTED[role])


def settings_tabs(role: Role) -> tuple[Tab, ...]:
    """Return the parts of the settings that somebody of this role may see."""
    return tuple(tab for tab in SETTINGS_TABS if tab.authority in GRANTED[role])
