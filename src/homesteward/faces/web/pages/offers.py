"""What was found and could be of use: what each would call, and an owner's yes to it, which takes a proof and an approval."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import Response

from homesteward.actions.offers import Offers
from homesteward.actions.offers.deeds import DISABLE, ENABLE, FORGET
from homesteward.actions.offers.offer import Offer, OfferState
from homesteward.core.errors import HomestewardError
from homesteward.core.json import JsonObject
from homesteward.core.text import fold
from homesteward.faces.web.authority import Purpose
from homesteward.faces.web.fields import fields_of
from homesteward.faces.web.offering import NoOffersError
from homesteward.faces.web.pages.offered import OfferCard, offer_card
from homesteward.faces.web.pages.paging import portion
from homesteward.faces.web.pages.proving import Proving, Refused, proven, proving, refused
from homesteward.faces.web.pages.stage import Stage
from homesteward.faces.web.pages.submitting import led_on, submitted
from homesteward.faces.web.pages.tabs import Tab, actions_tabs
from homesteward.faces.web.pages.texts import N_
from homesteward.faces.web.pages.visit import Visit
from homesteward.home.calls import Call
from homesteward.home.reserved import OWN
from homesteward.people import Role

PER_PAGE = 30
MOST_PAGES = 100
HERE = "/actions/offers"
MAY_SAY = ((Role.OWNER, N_("Owners")), (Role.MEMBER, N_("Members")), (Role.GUEST, N_("Guests")))
# In this order: what somebody has to look at first.
GROUPS = (
    (OfferState.PROPOSED, N_("Proposed")),
    (OfferState.ENABLED, N_("Enabled")),
    (OfferState.DISABLED, N_("Disabled")),
)


@dataclass(frozen=True, slots=True)
class Group:
    """The offers of one state that are on this page, and how many there are in all."""

    key: str
    label: str
    count: int
    cards: tuple[OfferCard, ...]


@dataclass(frozen=True, slots=True)
class OffersPage:
    """What was found. `wrong` is the offer whose form was refused, empty where that one is not on this page."""

    tab: str
    tabs: tuple[Tab, ...]
    kept: bool
    text: str
    groups: tuple[Group, ...]
    number: int
    pages: int
    roles: tuple[tuple[str, str], ...]
    areas: tuple[tuple[str, str], ...]
    proving: Proving
    refused: Refused | None
    wrong: str


def offers_page(stage: Stage) -> APIRouter:
    """Return the routes of the page."""
    router = APIRouter(include_in_schema=False)
    visitor = Depends(stage.visitor())

    @router.get("/actions/offers")
    async def offers(
        visit: Annotated[Visit, visitor],
        page: Annotated[int, Query(ge=1, le=MOST_PAGES)] = 1,
        text: Annotated[str, Query(max_length=200)] = "",
    ) -> Response:
        """Show what was found, what nobody has decided about first."""
        return await _shown(stage, visit, page, text.strip())

    _deeds(router, stage)
    return router


def _deeds(router: APIRouter, stage: Stage) -> None:
    visitor = Depends(stage.visitor())

    async def decided(visit: Visit, request: Request, offer_id: str, service: str) -> Response:
        fields = await fields_of(request)
        try:
            by = await proven(stage, visit, Purpose.OFFERS, fields) if service == ENABLE else visit.caller
            offer = await _kept(stage).get(offer_id, by)
            plan = await submitted(stage, _call(service, offer, fields), by, _request(service, offer))
        except HomestewardError as error:
            return await _shown(stage, visit, 1, "", refused(error), offer_id)
        return led_on(stage, visit, plan, HERE)

    @router.post("/actions/offers/{offer_id}/enable")
    async def enable(offer_id: str, visit: Annotated[Visit, visitor], request: Request) -> Response:
        """Ask for an offer to be enabled as what it was when it was looked at."""
        return await decided(visit, request, offer_id, ENABLE)

    @router.post("/actions/offers/{offer_id}/disable")
    async def disable(offer_id: str, visit: Annotated[Visit, visitor], request: Request) -> Response:
        """Disable an offer."""
        return await decided(visit, request, offer_id, DISABLE)

    @router.post("/actions/offers/{offer_id}/forget")
    async def forget(offer_id: str, visit: Annotated[Visit, visitor], request: Request) -> Response:
        """Ask for an offer to be forgotten."""
        return await decided(visit, request, offer_id, FORGET)


def _kept(stage: Stage) -> Offers:
    if stage.rooms.offers is None:
        raise NoOffersError("This service keeps no offers.", next="Run it as 'homesteward run'.")
    return stage.rooms.offers


def _call(service: str, offer: Offer, fields: dict[str, str]) -> Call:
    return Call(OWN, service, data={"offer": offer.id, **(_usage(fields) if service == ENABLE else {})})


def _usage(fields: dict[str, str]) -> JsonObject:
    """Return how it is to be used, as the form says: a name a line, and what is ticked."""
    phrases = [line.strip() for line in fields.get("phrases", "").splitlines() if line.strip()]
    roles = [role.value for role, _ in MAY_SAY if f"role-{role.value}" in fields]
    areas = [name.removeprefix("area-") for name in fields if name.startswith("area-")]
    asked: JsonObject = {
        "phrases": phrases,
        "roles": roles,
        "areas": areas,
        "fingerprint": fields.get("fingerprint", ""),
    }
    return {name: value for name, value in asked.items() if value}


def _request(service: str, offer: Offer) -> str:
    return f"{service.replace('_', ' ')} {offer.tool.title}"


async def _shown(
    stage: Stage, visit: Visit, number: int, text: str, wrong: Refused | None = None, offer_id: str = ""
) -> Response:
    found = await stage.rooms.offers.all(visit.caller) if stage.rooms.offers else ()
    fitting = [offer for offer in found if _says(offer, fold(text))]
    ordered = [offer for state, _ in GROUPS for offer in fitting if offer.state is state]
    shown, number, pages = portion(ordered, number, PER_PAGE)
    view = OffersPage(
        tab="offers",
        tabs=actions_tabs(visit.caller.role),
        kept=stage.rooms.offers is not None,
        text=text,
        groups=tuple(_groups(ordered, shown, visit)),
        number=number,
        pages=pages,
        roles=tuple((role.value, visit.say(label)) for role, label in MAY_SAY),
        areas=tuple(
            sorted(((area.area_id, area.name) for area in visit.home.areas.values()), key=lambda each: each[1])
        ),
        proving=await proving(stage, visit, Purpose.OFFERS),
        refused=wrong,
        wrong=offer_id if any(offer.id == offer_id for offer in shown) else "",
    )
    return await stage.page(visit, "offers", view, here="actions", status=wrong.status if wrong else 200)


def _groups(found: Sequence[Offer], shown: Sequence[Offer], visit: Visit) -> list[Group]:
    groups = [
        Group(
            state.value,
            visit.say(label),
            sum(offer.state is state for offer in found),
            tuple(offer_card(offer, visit) for offer in shown if offer.state is state),
        )
        for state, label in GROUPS
    ]
    return [group for group in groups if group.cards]


def _says(offer: Offer, wanted: str) -> bool:
    tool = offer.tool
    return not wanted or any(
        wanted in fold(each) for each in (tool.name, tool.title, tool.description, tool.entity_id, *offer.usage.phrases)
    )
