"""What stands in the navigation: one table, in its order. A page that does not exist has no line."""

from dataclasses import dataclass

from homesteward.faces.web.authority import GRANTED, Authority
from homesteward.faces.web.pages.texts import N_
from homesteward.people import Role


@dataclass(frozen=True, slots=True)
class Place:
    """A page that the navigation leads to. `path` is from the front page; `counts`: it carries the number of what waits."""

    key: str
    path: str
    label: str
    icon: str
    authority: Authority = Authority.READ
    counts: bool = False


MENU = (
    Place("home", "./", N_("Home"), "home"),
    Place("ask", "ask", N_("Ask"), "chat"),
    Place("actions", "actions", N_("Actions"), "list", counts=True),
    Place("chronicle", "chronicle", N_("Chronicle"), "history", Authority.REMEMBER),
    Place("house", "house", N_("House"), "floor_plan"),
    Place("policy", "policy", N_("Policy"), "shield", Authority.CONFIGURE),
    Place("settings", "settings", N_("Settings"), "cog", Authority.OWN),
)


ROLE_WORDS = {
    Role.OWNER: N_("owner"),
    Role.MEMBER: N_("member"),
    Role.GUEST: N_("guest"),
    Role.TOKEN: N_("program"),
}


def menu_for(role: Role) -> tuple[Place, ...]:
    """Return the places that somebody of this role may go to."""
    return tuple(place for place in MENU if place.authority in GRANTED[role])
