"""The routes of offers: what was found, and asking for one to be enabled, disabled or forgotten, which the gate decides like everything else."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends

from homesteward.actions.offers import Offers
from homesteward.actions.offers.deeds import DISABLE, ENABLE, FORGET
from homesteward.actions.plan import plan_json
from homesteward.core.errors import HomestewardError
from homesteward.core.json import JsonObject
from homesteward.faces.web.callers import Asker, Entrance
from homesteward.faces.web.forms import OfferForm
from homesteward.faces.web.problems import answers
from homesteward.faces.web.rooms import Rooms
from homesteward.home.calls import Call
from homesteward.home.reserved import OWN


class NoOffersError(HomestewardError):
    """This Homesteward keeps no offers."""

    code = "not_enabled"


def offering(rooms: Rooms, entrance: Entrance) -> APIRouter:
    """Return the routes over `rooms`."""
    router = APIRouter(prefix="/api/v1", responses=answers(401, 403, 404, 409))
    guard = Depends(entrance.guard)

    def kept() -> Offers:
        if rooms.offers is None:
            raise NoOffersError("This service keeps no offers.", next="Run it as 'homesteward run'.")
        return rooms.offers

    async def asked(offer_id: str, service: str, asker: Asker, more: JsonObject) -> dict[str, Any]:
        offer = await kept().get(offer_id, asker.caller)
        call = Call(OWN, service, data={"offer": offer.id, **more})
        (plan,) = await rooms.gate.submit([call], asker.caller, request=f"{service.replace('_', ' ')} {offer.id}")
        return dict(plan_json(plan))

    @router.get("/offers")
    async def offers(asker: Annotated[Asker, guard]) -> list[dict[str, Any]]:
        """List external tools and discovered controls, and what was decided about each."""
        return [dict(offer.as_json()) for offer in await kept().all(asker.caller)]

    @router.get("/offers/{offer_id}")
    async def show(offer_id: str, asker: Annotated[Asker, guard]) -> dict[str, Any]:
        """Return one offer with its arguments."""
        return dict((await kept().get(offer_id, asker.caller)).as_json())

    @router.post("/offers/{offer_id}/enable")
    async def enable(offer_id: str, asker: Annotated[Asker, guard], form: OfferForm | None = None) -> dict[str, Any]:
        """Ask for an offer to be enabled as what it is now, and return the plan, which waits for an owner where the policy says so."""
        return await asked(offer_id, ENABLE, asker, form.model_dump(exclude_defaults=True) if form else {})

    @router.post("/offers/{offer_id}/disable")
    async def disable(offer_id: str, asker: Annotated[Asker, guard]) -> dict[str, Any]:
        """Disable an offer; finding it again changes nothing about that."""
        return await asked(offer_id, DISABLE, asker, {})

    @router.post("/offers/{offer_id}/forget")
    async def forget(offer_id: str, asker: Annotated[Asker, guard]) -> dict[str, Any]:
        """Ask for an offer to be forgotten; where it is found again it is proposed anew."""
        return await asked(offer_id, FORGET, asker, {})

    return router
