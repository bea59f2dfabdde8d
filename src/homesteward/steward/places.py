"""Where something was said: an area by its id, name or alias."""

from homesteward.core.text import forms, neighbours
from homesteward.home.errors import UnknownAreaError
from homesteward.home.view import HomeView


def area_id_of(home: HomeView, named: str) -> str | None:
    """Return the id of the area that `named` means, None for no name; raise UnknownAreaError, naming its neighbours, if there is none."""
    if not named:
        return None
    if named in home.areas:
        return named
    wanted = forms(named)
    for area in home.areas.values():
        if any(wanted & forms(name) for name in (area.name, *area.aliases)):
            return area.area_id
    names = sorted(area.name for area in home.areas.values())
    near = neighbours(named, names) or names
    raise UnknownAreaError(f"There is no area {named!r}.", next=f"Areas here: {', '.join(near)}.")
