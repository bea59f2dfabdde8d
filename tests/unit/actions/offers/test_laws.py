"""Whatever happens in whatever order: nothing is enabled but what an owner said yes to, and no words change what is done to what."""

import asyncio
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Self

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from homes import small_home
from homesteward.actions import Gate
from homesteward.actions.offers import Offer, Offers, OfferState, Tool
from homesteward.actions.offers.deeds import PURPOSE
from homesteward.actions.offers.enabling import OfferCalls
from homesteward.actions.offers.scripts import HomeScripts
from homesteward.actions.reserved_calls import ReservedCalls
from homesteward.core import FrozenClock, HomestewardError
from homesteward.home.calls import Target
from homesteward.home.model import Service, ServiceField
from homesteward.language import Acts, Asks, NotUnderstood
from homesteward.people import Proof, ProofKind
from homesteward.steward.offered import Offered
from homesteward.store import Database
from offers_made import ASKED, BOILER, FORECAST, GUEST, MEMBER, OWNER, FakeServer, decision

NUMBERS = count()
TOOLS = ("boiler", "welcome", "let_in")
CALLERS = {"owner": OWNER, "member": MEMBER, "guest": GUEST}
FORMS = (
    BOILER,
    replace(BOILER, entity_id="lock.front_door", service="lock.unlock"),
    replace(BOILER, schema=ASKED),
    replace(BOILER, title="Welcome"),
)
OPERATIONS = st.one_of(
    st.tuples(st.just("form"), st.integers(0, len(FORMS) - 1)),
    st.tuples(st.just("fields"), st.booleans()),
    st.tuples(st.just("rename"), st.booleans()),
    st.tuples(st.just("drop")),
    st.tuples(st.just("away"), st.booleans()),
    st.tuples(st.just("wait"), st.sampled_from([1, 10])),
    st.tuples(st.just("enable"), st.sampled_from(TOOLS), st.sampled_from(list(CALLERS)), st.booleans()),
    st.tuples(st.just("agree"), st.sampled_from(TOOLS)),
    st.tuples(st.just("approve"), st.sampled_from(list(CALLERS))),
    st.tuples(st.just("disable"), st.sampled_from(TOOLS), st.sampled_from(list(CALLERS))),
    st.tuples(st.just("forget"), st.sampled_from(TOOLS), st.sampled_from(list(CALLERS))),
)


@dataclass
class World:
    """A home with offers, and what owners really said yes to: the offer and its form."""

    database: Database
    agreed: set[tuple[str, str]] = field(default_factory=set)
    waiting: list[tuple[str, str, str]] = field(default_factory=list)
    disabled: set[str] = field(default_factory=set)

    async def __aenter__(self) -> Self:
        self.clock = FrozenClock(datetime(2026, 3, 1, 12, tzinfo=UTC))
        self.home = small_home(self.clock)
        self.home.home_id = f"home_{next(NUMBERS)}"
        self.server = FakeServer(listed={"boiler": BOILER})
        self.offers = Offers(self.database, self.home, self.clock, sources=(HomeScripts(self.home), self.server))
        reserved = ReservedCalls(OfferCalls(self.offers, self.home))
        self.gate = Gate(
            self.home, self.home, self.database, clock=self.clock, dry_run=False, window_factor=0.002, reserved=reserved
        )
        await self.gate.start()
        await self.offers.all(OWNER)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.gate.close()

    async def rows(self) -> tuple[Offer, ...]:
        """What is kept, without looking at anything first."""
        return await self.database.read(self.offers.rows.all)

    async def of(self, tool: str) -> Offer | None:
        return next((offer for offer in await self.rows() if offer.tool.name == tool), None)

    async def do(self, name: str, *given: object) -> None:
        try:
            await getattr(self, f"_{name}")(*given)
        except HomestewardError:
            return

    async def _form(self, n: int) -> None:
        self.server.put(FORMS[n])

    async def _fields(self, needed: bool) -> None:  # noqa: FBT001 - drawn
        fields = {"level": ServiceField("level", required=True, selector={"number": {}})} if needed else {}
        self.home.services["script.welcome"] = Service("script", "welcome", "Welcome", fields=fields)
        self.home.revision += 1

    async def _rename(self, title: bool) -> None:  # noqa: FBT001 - drawn
        if title:
            self.home.set_state("script.welcome", "off", friendly_name="Boost the boiler")
            return
        entity = self.home.entities.pop("script.let_in", None)
        if entity:
            self.home.set_state("script.let_out", "off", friendly_name="Let out")
            self.home.entities["script.let_out"] = replace(entity, entity_id="script.let_out")
            self.home.remove("script.let_in")

    async def _drop(self) -> None:
        if "boiler" in self.server.listed:
            self.server.drop("boiler")

    async def _away(self, away: bool) -> None:  # noqa: FBT001 - drawn
        self.server.connected = not away

    async def _look(self) -> None:
        for source in self.offers.sources:
            await self.offers.look(source)

    async def _wait(self, minutes: int) -> None:
        self.clock.advance(timedelta(minutes=minutes))

    async def _enable(self, tool: str, who: str, proven: bool) -> None:  # noqa: FBT001 - drawn
        if (offer := await self.of(tool)) is None:
            return
        proof = Proof(ProofKind.PIN, PURPOSE, self.clock.now() + timedelta(minutes=5)) if proven else None
        caller = replace(CALLERS[who], proof=proof)
        plans = await self.gate.submit([decision("enable_offer", offer)], caller, request="")
        assert (who, proven) == ("owner", True)
        offer = next(each for each in await self.rows() if each.id == offer.id)  # asking looks at it anew
        self.waiting += [(plan.id, offer.id, form_of(offer.tool)) for plan in plans]

    async def _agree(self, tool: str) -> None:
        self.waiting.clear()
        await self._enable(tool, "owner", proven=True)
        await self._approve("owner")

    async def _approve(self, who: str) -> None:
        if self.waiting:
            plan_id, offer_id, form = self.waiting.pop(0)
            await self.gate.approve(plan_id, CALLERS[who])
            assert who == "owner"
            if (offer := next((each for each in await self.rows() if each.id == offer_id), None)) and offer.enabled:
                self.agreed.add((offer_id, form))
                self.disabled.discard(offer_id)

    async def _disable(self, tool: str, who: str) -> None:
        if offer := await self.of(tool):
            await self.gate.submit([decision("disable_offer", offer)], CALLERS[who], request="")
            self.disabled.add(offer.id)

    async def _forget(self, tool: str, who: str) -> None:
        if offer := await self.of(tool):
            for plan in await self.gate.submit([decision("forget_offer", offer)], CALLERS[who], request=""):
                await self.gate.approve(plan.id, OWNER)
            self.disabled.discard(offer.id)

    async def check(self) -> None:
        for offer in await self.rows():
            assert offer.id not in self.disabled or offer.state is OfferState.DISABLED
            if offer.enabled:
                assert offer.enabling is not None
                assert offer.enabling.fingerprint == offer.tool.fingerprint
                assert offer.enabling.person_id == OWNER.person_id
                assert (offer.id, form_of(offer.tool)) in self.agreed


def form_of(tool: Tool) -> str:
    """What a yes is about, told apart by no code of ours: what carries it out, on what, and with which arguments."""
    return repr((tool.service, tool.entity_id, tool.schema))


def test_no_sequence_enables_what_no_owner_said_yes_to_as_it_is(tmp_path):
    with asyncio.Runner() as runner:
        database = runner.run(Database.open(tmp_path / "laws.db"))

        @given(first=st.sampled_from(TOOLS), operations=st.lists(st.tuples(OPERATIONS, st.booleans()), max_size=10))
        @settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
        def holds(first, operations):
            async def play() -> None:
                async with World(database) as world:
                    await world.do("agree", first)
                    assert len(world.agreed) == 1
                    for (name, *given), look in operations:
                        await world.do(name, *given)
                        await world.check()
                        if look:
                            await world.do("look")
                            await world.check()

            runner.run(play())

        holds()
        runner.run(database.close())


WORDS = st.sampled_from(
    [
        "boost",
        "the",
        "boiler",
        "hot",
        "water",
        "weather",
        "of",
        "vienna",
        "front",
        "door",
        "lock.front_door",
        "unlock",
        "not",
        "please",
        "don't",
        "and",
        "on",
        "7",
        "script.let_in",
        "?",
    ]
)
SENTENCES = st.one_of(st.lists(WORDS, max_size=8).map(" ".join), st.text(max_size=40))


def test_no_utterance_changes_what_is_done_or_to_what(tmp_path):
    with asyncio.Runner() as runner:
        database = runner.run(Database.open(tmp_path / "laws.db"))
        world = runner.run(World(database).__aenter__())
        world.server.listed |= {"forecast": FORECAST}
        world.server.change()

        async def enable_all() -> None:
            await world.offers.all(OWNER)
            for tool in ("boiler", "forecast"):
                await world.do("enable", tool, "owner", True)
                await world.do("approve", "owner")

        runner.run(enable_all())
        assert len(world.agreed) == 2
        offered = Offered(world.offers)
        rows = {("switch", "turn_on", "switch.coffee"), ("weather", "get_forecasts", "weather.home")}
        heard: set[tuple[str, str, str]] = set()

        @given(text=SENTENCES)
        @settings(max_examples=200, deadline=None)
        def holds(text):
            reading = runner.run(offered.read(text, OWNER, "en", None, lambda: NotUnderstood("")))
            for call in reading.calls if isinstance(reading, Acts | Asks) else ():
                assert call.target == Target(entity_id=call.target.entity_id)
                (entity_id,) = call.target.entity_id
                heard.add((call.domain, call.service, entity_id))

        holds()
        for said in ("boost the boiler", "weather of Vienna"):
            reading = runner.run(offered.read(said, OWNER, "en", None, lambda: NotUnderstood("")))
            assert isinstance(reading, Acts)
            heard |= {(call.domain, call.service, call.target.entity_id[0]) for call in reading.calls}
        assert heard == rows
        runner.run(world.gate.close())
        runner.run(database.close())
