"""Scripts of a real Home Assistant as offers: found with their fields, run by a name, and proposed again when they are another thing."""

import asyncio
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta

import aiohttp
import pytest

from homesteward.actions.offers import Offer, OfferState
from homesteward.actions.offers.deeds import PURPOSE
from homesteward.home.calls import Call
from homesteward.people import Caller, Channel, Proof, ProofKind, Role
from homesteward.steward import Outcome, Request

pytestmark = pytest.mark.hass

OWNER = Caller(Role.OWNER, Channel.CLI, "Robin")
MOVIE, LAMP = "script.movie_time", "light.living_room_ceiling_light"


async def offers(house) -> dict[str, Offer]:
    return {offer.tool.name: offer for offer in await house.offers.all(OWNER)}


async def kept(house, tool) -> Offer:
    """The offer as it is kept, with nobody asking for it to be looked at."""
    rows = await house.offers.database.read(house.offers.rows.all)
    return next(offer for offer in rows if offer.tool.name == tool)


async def until(fact, seconds=30):
    async with asyncio.timeout(seconds):
        while not await fact():  # noqa: ASYNC110 - the mirror hears of it by itself
            await asyncio.sleep(0.05)


async def decide(house, service, offer, **data):
    proof = Proof(ProofKind.SIGN_IN, PURPOSE, house.clock.now() + timedelta(minutes=5))
    call = Call("homesteward", service, data={"offer": offer.id, **data})
    (plan,) = await house.gate.submit([call], replace(OWNER, proof=proof), request="")
    return plan if plan.state == "completed" else await house.gate.approve(plan.id, OWNER)


@asynccontextmanager
async def changed(home, name, change):
    """Change a script as Home Assistant's own editor does, and put it back."""
    url = f"{home.address.url}/api/config/script/config/{name}"
    async with aiohttp.ClientSession(headers={"authorization": f"Bearer {home.address.token}"}) as session:
        async with session.get(url) as answer:
            before = await answer.json()
        (await session.post(url, json=change(before))).raise_for_status()
        try:
            yield
        finally:
            (await session.post(url, json=before)).raise_for_status()


async def test_scripts_are_found_enabled_said_and_proposed_again_when_they_change(house, demo_home, socket, recorder):
    found = await offers(house)
    effects = {name: found[name].effect for name in ("movie_time", "secure_the_house", "unload_the_car", "arrive")}
    assert effects == {"movie_time": "routine", **dict.fromkeys(effects.keys() - {"movie_time"}, "sensitive")}
    schema = found["tell_everyone"].tool.schema
    assert (schema["required"], list(schema["properties"])) == (["message"], ["message"])

    await socket.ask(
        "homeassistant/expose_entity", assistants=["conversation"], entity_ids=[MOVIE], should_expose=False
    )
    try:

        async def unexposed():
            return not (await offers(house))["movie_time"].tool.exposed

        await until(unexposed)
        refused = await house.steward.ask(Request("film night", OWNER, language="en"))
        assert (refused.outcome, recorder.calls) == (Outcome.FAILED, [])

        await decide(house, "enable_offer", found["movie_time"], phrases=["film night"])
        answer = await house.steward.ask(Request("Film night", OWNER, language="en"))
        assert (answer.outcome, [call.entity_ids for call in recorder.calls]) == (Outcome.ACTED, [(MOVIE,)])

        async def dimmed():
            return house.home.states[LAMP].attributes.get("brightness") == round(255 * 0.15)

        await until(dimmed)
        recorder.calls.clear()
        fields = {"level": {"required": True, "selector": {"number": {"min": 0, "max": 100}}}}
        async with changed(demo_home, "movie_time", lambda before: {**before, "fields": fields}):

            async def proposed_again():
                return (await kept(house, "movie_time")).state is OfferState.PROPOSED

            await until(proposed_again)
            answer = await house.steward.ask(Request("film night", OWNER, language="de"))
            assert (answer.error.code, recorder.calls) == ("not_enabled", [])
            assert "freigeschaltet wurde" in answer.reply
            assert (await kept(house, "movie_time")).changed == "it needs 'level' now"

        async def as_before():
            return not (await offers(house))["movie_time"].tool.schema["properties"]

        await until(as_before)
        assert (await kept(house, "movie_time")).state is OfferState.PROPOSED
    finally:
        await socket.ask(
            "homeassistant/expose_entity", assistants=["conversation"], entity_ids=[MOVIE], should_expose=True
        )
