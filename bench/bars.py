"""The bars: every number that Homesteward is to reach, as data. A test holds them and the measurements together."""

from dataclasses import dataclass

from bench.sample import Sample

NO_PROMPT = "not built yet: the prompt made for one turn; today's holds no part of the home"
NO_MCP = "not built yet: the MCP server"


@dataclass(frozen=True, slots=True)
class Bar:
    """One number to reach. `limit` holds for the p95 of a sample, in ms, MB, microseconds or percent; `missing` says why nothing is measured."""

    name: str
    what: str
    bar: str
    limit: float = 0.0
    missing: str = ""

    def met(self, sample: Sample) -> bool:
        """Return whether `sample` stays within the limit."""
        return sample.p95 <= self.limit


BARS = (
    Bar("events_rate", "events from a real WebSocket into mirror and chronicle, nothing lost", "50,000/s", 20),
    Bar("events_latency", "socket to committed, at 2,000 events/s", "p99 50 ms", 50),
    Bar("events_load", "processor time at 100 events/s", "3 % of a core", 3),
    Bar("chronicle_size", "chronicle size per stored state change, beside Home Assistant's recorder", "60 %", 60),
    Bar("chronicle_day", "one entity's day among 10 million rows", "p95 5 ms", 5),
    Bar("chronicle_chain", "a causal chain of depth 5 among 10 million rows", "p95 10 ms", 10),
    Bar("chronicle_hour", "what changed in an hour, among 10 million rows", "p95 50 ms", 50),
    Bar("past_house", "the whole house at a past moment, 1,000 entities", "p95 150 ms", 150),
    Bar("sentence_200", "a sentence understood without a model, 200 entities", "p95 3 ms", 3),
    Bar("sentence_5000", "a sentence understood without a model, 5,000 entities", "p95 5 ms", 5),
    Bar("heard_200", "a request understood by shapes or grammar, 200 entities", "p95 3 ms", 3),
    Bar("heard_5000", "a request understood by shapes or grammar, 5,000 entities", "p95 5 ms", 5),
    Bar("remembered", "a request that was said before", "p95 0.2 ms", 0.2),
    Bar("slip", "a sentence with a slip in it, 5,000 entities", "p95 20 ms", 20),
    Bar("retrieval", "a sentence of no shape, 5,000 entities", "p95 20 ms", 20),
    Bar("decision", "gate decision", "p95 1 ms", 1),
    Bar("nested", "a verdict on a script that is nested 5 deep over 300 things", "p95 10 ms", 10),
    Bar("kernel", "kernel overhead per tool call", "p95 2 ms", 2),
    Bar("accepted", "sentence in to service call accepted, over Home Assistant's own time for the call", "15 ms", 15),
    Bar("prompt", "prompt built for one turn, up to 5,000 entities", "3,500 tokens, wanted entity in 95 %", missing=NO_PROMPT),
    Bar("mcp_tokens", "MCP `tools/list`, size", "4,000 tokens", missing=NO_MCP),
    Bar("mcp_list", "MCP `tools/list`, time", "p50 5 ms", missing=NO_MCP),
    Bar("mcp_state", "one state over MCP", "p50 1.5 ms", missing=NO_MCP),
    Bar("memory", "idle memory, 1,000 entities, no model, no MCP client", "150 MB", 150),
    Bar("pages", "a page of 5,000 entities, 200 waiting plans, 100,000 rows of chronicle", "p95 150 ms", 150),
    Bar("serving", "start to serving", "2.5 s", 2500),
)  # fmt: skip
