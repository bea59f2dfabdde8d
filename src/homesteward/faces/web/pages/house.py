"""House: floors, areas and what is in them with its state and age; a search over all of it; what is exposed."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from fastapi import APIRouter, Depends, Query
from starlette.responses import Response

from homesteward.core.text import fold
from homesteward.faces.web.pages.local import Moment
from homesteward.faces.web.pages.stage import Stage
from homesteward.faces.web.pages.states import icon_of, state_told
from homesteward.faces.web.pages.visit import Visit
from homesteward.home.model import Area, State
from homesteward.home.view import area_of, names_of
from homesteward.language.names import called

PER_PAGE = 100
NOWHERE = "-"  # the place of what is in no area; no id of Home Assistant's is this


class Exposed(StrEnum):
    """Whether what is shown is open to sentences, voice and models."""

    ANY = ""
    YES = "yes"
    NO = "no"


@dataclass(frozen=True, slots=True)
class Thing:
    """One entity in a list."""

    entity_id: str
    name: str
    icon: str
    area: str
    state: str
    since: Moment | None
    exposed: bool
    available: bool


@dataclass(frozen=True, slots=True)
class Place:
    """One area: how much is in it, and how much of it is on or open."""

    area_id: str
    name: str
    things: int
    active: int


@dataclass(frozen=True, slots=True)
class Storey:
    """A floor with its areas; without a name, those of no floor."""

    name: str
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class HousePage:
    """The places, or what was looked for in them. `place` is the name of the area that is open."""

    searched: bool
    text: str
    area: str
    place: str
    domain: str
    exposed: str
    domains: tuple[tuple[str, int], ...]
    storeys: tuple[Storey, ...]
    things: tuple[Thing, ...]
    count: int
    number: int
    pages: int
    away: Moment | None


@dataclass(frozen=True, slots=True)
class _Search:
    """What is looked for."""

    text: str
    area: str
    domain: str
    exposed: Exposed

    @property
    def any(self) -> bool:
        return any((self.text, self.area, self.domain, self.exposed))

    def fits(self, state: State, visit: Visit) -> bool:
        if self.domain and state.domain != self.domain:
            return False
        if self.exposed and (state.entity_id in visit.home.exposed) is not (self.exposed is Exposed.YES):
            return False
        if self.area and _place_of(state.entity_id, visit) != self.area:
            return False
        return not self.text or any(fold(self.text) in fold(each) for each in _said_of(state, visit))


def house_page(stage: Stage) -> APIRouter:
    """Return the route of the page."""
    router = APIRouter(include_in_schema=False)

    @router.get("/house")
    async def house(
        visit: Annotated[Visit, Depends(stage.visitor())],
        text: Annotated[str, Query(max_length=200)] = "",
        area: Annotated[str, Query(max_length=255)] = "",
        domain: Annotated[str, Query(max_length=64)] = "",
        exposed: Exposed = Exposed.ANY,
        page: Annotated[int, Query(ge=1, le=10_000)] = 1,
    ) -> Response:
        """Show the places of the house, or the things that are looked for."""
        search = _Search(text.strip(), area.strip(), domain.strip(), exposed)
        return await stage.page(visit, "house", _view(visit, search, page), here="house")

    return router


def shown_states(visit: Visit) -> list[State]:
    """Return what is shown of the house: nothing hidden, and of what devices say of themselves only what is looked up by its id."""
    entities = visit.home.entities
    return [
        state
        for state in visit.home.states.values()
        if (entity := entities.get(state.entity_id)) is None or not entity.hidden
    ]


def _view(visit: Visit, search: _Search, number: int) -> HousePage:
    states = shown_states(visit)
    found = [state for state in states if search.fits(state, visit)] if search.any else []
    found.sort(key=lambda state: (state.name.casefold(), state.entity_id))
    pages = max(1, -(-len(found) // PER_PAGE))
    number = min(number, pages)
    known = visit.home.areas.get(search.area)
    return HousePage(
        searched=search.any,
        text=search.text,
        area=search.area,
        place=known.name if known else "",
        domain=search.domain,
        exposed=search.exposed.value,
        domains=tuple(sorted(Counter(state.domain for state in states).items())),
        storeys=() if search.any else _storeys(visit, states),
        things=tuple(_things(found[(number - 1) * PER_PAGE : number * PER_PAGE], visit)),
        count=len(found) if search.any else len(states),
        number=number,
        pages=pages,
        away=visit.when(visit.home.as_of) if visit.home.as_of and not visit.home.connected else None,
    )


def _storeys(visit: Visit, states: Sequence[State]) -> tuple[Storey, ...]:
    places = [_place_of(state.entity_id, visit) for state in states]
    counts = Counter(places)
    active = Counter(place for place, state in zip(places, states, strict=True) if state.state in ACTIVE)
    floors = sorted(visit.home.floors.values(), key=lambda floor: (floor.level is None, floor.level or 0, floor.name))
    found = [
        Storey(
            floor.name, _places([a for a in visit.home.areas.values() if a.floor_id == floor.floor_id], counts, active)
        )
        for floor in floors
    ]
    loose = [area for area in visit.home.areas.values() if area.floor_id not in visit.home.floors]
    nowhere = (Place(NOWHERE, "", counts[NOWHERE], active[NOWHERE]),) if counts[NOWHERE] else ()
    found.append(Storey("", (*_places(loose, counts, active), *nowhere)))
    return tuple(storey for storey in found if storey.places)


# states in which a thing does something, or stands open
ACTIVE = frozenset({"on", "open", "opening", "unlocked", "playing", "cleaning", "heat", "cool", "heating", "cooling"})


def _places(areas: Iterable[Area], counts: Counter[str], active: Counter[str]) -> tuple[Place, ...]:
    ordered = sorted(areas, key=lambda area: area.name.casefold())
    return tuple(Place(area.area_id, area.name, counts[area.area_id], active[area.area_id]) for area in ordered)


def _place_of(entity_id: str, visit: Visit) -> str:
    area = area_of(visit.home, entity_id)
    return area.area_id if area else NOWHERE


def _said_of(state: State, visit: Visit) -> tuple[str, ...]:
    area = area_of(visit.home, state.entity_id)
    return (state.entity_id, state.state, area.name if area else "", *names_of(visit.home, state.entity_id))


def _things(states: Iterable[State], visit: Visit) -> Iterable[Thing]:
    for state in states:
        area = area_of(visit.home, state.entity_id)
        yield Thing(
            state.entity_id,
            called(visit.home, state.entity_id),
            icon_of(visit.home, state.entity_id),
            area.name if area else "",
            state_told(state, visit),
            visit.when(state.last_changed) if state.last_changed else None,
            state.entity_id in visit.home.exposed,
            state.available,
        )
