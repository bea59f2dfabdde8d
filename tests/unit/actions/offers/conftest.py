"""Offers of the small home and of a server that a test makes up, decided about through the gate."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from homesteward.actions import Gate
from homesteward.actions.offers import Offer, Offers
from homesteward.actions.offers.deeds import PURPOSE
from homesteward.actions.offers.enabling import OfferCalls
from homesteward.actions.offers.scripts import HomeScripts
from homesteward.actions.plan import Plan, PlanState
from homesteward.actions.reserved_calls import ReservedCalls
from homesteward.people import Caller, Proof, ProofKind
from offers_made import BOILER, FORECAST, OWNER, FakeServer, decision


@pytest.fixture
def server() -> FakeServer:
    return FakeServer(listed={tool.name: tool for tool in (FORECAST, BOILER)})


@pytest.fixture
def witnessed() -> list[tuple[str, str, str]]:
    """What was put on record: kind, actor, subject."""
    return []


@pytest.fixture
def make_offers(database, home, clock, server, witnessed):
    """Make the room of offers; more of them on one database are more workers."""

    def witness(_connection, kind, actor, subject, _data):
        witnessed.append((kind, actor, subject))

    def make(*sources) -> Offers:
        return Offers(database, home, clock, sources=sources or (HomeScripts(home), server), witness=witness)

    return make


@pytest.fixture
def offers(make_offers) -> Offers:
    return make_offers()


@pytest.fixture
async def gate(make_gate, offers, home) -> Gate:
    return await make_gate(reserved=ReservedCalls(OfferCalls(offers, home)))


@pytest.fixture
def proven(clock) -> Callable[[Caller], Caller]:
    """Somebody who has just proven who they are, for offers."""

    def prove(caller: Caller, purpose: str = PURPOSE) -> Caller:
        return replace(caller, proof=Proof(ProofKind.PIN, purpose, clock.now() + timedelta(minutes=5)))

    return prove


@pytest.fixture
def find(offers):
    """The offer of a tool."""

    async def found(tool: str) -> Offer:
        return next(offer for offer in await offers.all(OWNER) if offer.tool.name == tool)

    return found


@pytest.fixture
def enable(gate, find, proven):
    """Have an owner enable the offer of a tool, and approve it."""

    async def done(tool: str, **data) -> Plan:
        (plan,) = await gate.submit([decision("enable_offer", await find(tool), **data)], proven(OWNER), request="")
        assert plan.state is PlanState.WAITING
        return await gate.approve(plan.id, OWNER)

    return done
