"""From a sentence to a call that Home Assistant accepted, less what the same bare call takes; on a real Home Assistant."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from statistics import median
from time import perf_counter_ns

from bench.real import Site
from bench.sample import Effort, Row, Sample, ms_since
from homesteward.app import House, open_house
from homesteward.demo.socket import SetupSocket, setup_socket
from homesteward.home.calls import ResolvedCall
from homesteward.home.live import Dispatched
from homesteward.people import Caller, Channel, Role
from homesteward.steward import Outcome, Request
from homesteward.trial.homes import Sender, settled

JUDGED = ("accepted",)
OWNER = Caller(Role.OWNER, Channel.API)
# entity -> how people call it
THINGS = {
    "light.kitchen_ceiling_light": "kitchen light",
    "light.living_room_floor_lamp": "floor lamp",
    "switch.coffee_maker": "coffee maker",
}
AGENT = "conversation.home_assistant"


@dataclass(slots=True)
class Stamped:
    """Pass calls on, and know when the last one was handed over and when Home Assistant had accepted it."""

    inner: Sender
    sent_ns: int = 0
    accepted_ns: int = 0

    async def call(self, call: ResolvedCall) -> Dispatched:
        """Send `call` and note both moments."""
        self.sent_ns = perf_counter_ns()
        answer = await self.inner.call(call)
        self.accepted_ns = perf_counter_ns()
        return answer


@dataclass(frozen=True, slots=True)
class Bench:
    """A house on the demo home, the moments of its calls, and a bare socket to the same home."""

    house: House
    stamped: Stamped
    raw: SetupSocket

    async def by_sentence(self, entity_id: str, state: str) -> tuple[float, float, float]:
        """Say it; return the ms until the call was sent, until it was accepted, and until the answer with its evidence."""
        began = perf_counter_ns()
        answer = await self.house.steward.ask(Request(f"turn {state} the {THINGS[entity_id]}", OWNER))
        whole = ms_since(began)
        if answer.outcome is not Outcome.ACTED or self.stamped.accepted_ns < began:
            raise RuntimeError(f"{entity_id} was not turned {state}: {answer.reply}")
        return (self.stamped.sent_ns - began) / 1e6, (self.stamped.accepted_ns - began) / 1e6, whole

    async def bare(self, entity_id: str, state: str) -> float:
        """Call the service on the bare socket; return the ms until Home Assistant's answer."""
        domain = entity_id.partition(".")[0]
        target = {"entity_id": [entity_id]}
        began = perf_counter_ns()
        await self.raw.ask("call_service", domain=domain, service=f"turn_{state}", service_data={}, target=target)
        return ms_since(began)

    async def by_agent(self, entity_id: str, state: str) -> float:
        """Say it to Home Assistant's own agent; return the ms until its answer."""
        began = perf_counter_ns()
        text = f"turn {state} the {THINGS[entity_id]}"
        await self.raw.ask("conversation/process", text=text, language="en", agent_id=AGENT)
        return ms_since(began)

    async def seen[T](self, work: Callable[[str, str], Awaitable[T]], entity_id: str, state: str) -> T:
        """Do it, and wait until the house sees the state that it leads to."""
        result = await work(entity_id, state)
        await settled(self.house.home, {entity_id: state})
        return result


async def measure(effort: Effort, site: Site) -> list[Row]:
    """Return the time until acceptance over the bare call's, and the whole answer beside HA's own agent."""
    stamps: list[Stamped] = []

    def through(sender: Sender) -> Stamped:
        stamps.append(Stamped(sender))
        return stamps[-1]

    address = site.demo.address
    overrides = {
        "ha": {"url": address.url, "token": address.token},
        "policy": {"dry_run": False},
        "data": site.folder / "accepting",
    }
    async with (
        open_house(None, overrides, through=through) as house,
        setup_socket(address.url, address.token) as raw,
    ):
        return await _rows(Bench(house, stamps[0], raw), effort)


async def _rows(bench: Bench, effort: Effort) -> list[Row]:
    await bench.raw.ask("call_service", domain="homesteward_demo", service="reset", service_data={})
    sent, accepted, bare, whole, agent = [], [], [], [], []
    for lap in range(effort.times(60) + 1):
        for entity_id in THINGS:
            await bench.seen(bench.bare, entity_id, "off")
            on = await bench.seen(bench.by_sentence, entity_id, "on")
            bare_off = await bench.seen(bench.bare, entity_id, "off")
            bare_on = await bench.seen(bench.bare, entity_id, "on")
            off = await bench.seen(bench.by_sentence, entity_id, "off")
            agent_on = await bench.seen(bench.by_agent, entity_id, "on")
            if lap:  # the first lap warms up
                sent += [on[0], off[0]]
                accepted += [on[1], off[1]]
                bare += [bare_on, bare_off]
                whole += [on[2], off[2]]
                agent.append(agent_on)
    own = median(bare)  # not pair by pair: a bare call that happened to be slow would flatter the sentence beside it
    return [
        Row("from a sentence to its call accepted, less the bare call's median", Sample.of(ms - own for ms in accepted), "the bare call on a socket", Sample.of(bare), "accepted",
            note=f"a sentence and the same bare call, turn about, on and off, {len(THINGS)} things; {len(bench.house.home.states)} entities; sent after {median(sent):.2f} ms by median"),
        Row("from a sentence to the answer, its effect verified", Sample.of(whole), "Home Assistant's own agent, which does not look again", Sample.of(agent),
            note="the agent hears the same few sentences again and again, and remembers what it has recognised"),
    ]  # fmt: skip
