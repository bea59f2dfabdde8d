"""The tables of docs/safety.md, worked out by judging every route: `scripts/safety-table` writes them there, a test holds the page to them."""

from collections.abc import Iterator

from homesteward.actions.resolve import resolve
from homesteward.core import HomestewardError
from homesteward.home.calls import ResolvedCall
from homesteward.home.reserved import is_reserved
from homesteward.home.simulation import SimulatedHome
from homesteward.policy import Action, Decision, Kind, decide
from homesteward.policy.tables import DENIED_DOMAINS, RAW_DOMAINS, SERVICE_KINDS
from judging import NOON, by
from routes import CALLERS, GUARDS, ROUTES, End, Route, routed_home

WORDS = {
    (Action.ALLOW, False): "done at once",
    (Action.CONFIRM, False): "asked back",
    (Action.APPROVE, False): "waits",
    (Action.APPROVE, True): "waits for an owner",
    (Action.DENY, False): "refused",
}


def routes_table() -> str:
    """Return one row per route: what becomes of it for each caller, the same for everything that guards the house, and the way as it is shown."""
    home = routed_home()
    rows = [
        f"| {route.name} | {' | '.join(_verdict(route, who, home) for who in CALLERS)} | {_way(route, home)} |"
        for route in ROUTES
    ]
    return "\n".join(
        [f"| by way of | {' | '.join(CALLERS)} | the way to a lock, or a garage door |", "|---" * 7 + "|", *rows]
    )


def services_table() -> str:
    """Return one row per kind of services that are what they are, whatever they are aimed at."""
    forbidden = [*(f"{domain}.*" for domain in sorted(DENIED_DOMAINS)), *_of(Kind.FORBIDDEN)]
    sensitive = [*_of(Kind.SENSITIVE), *(f"{domain}.*" for domain in sorted(RAW_DOMAINS))]
    rows = {
        "never, whoever asks": forbidden,
        "a change of the set-up": ["*.reload", "*.reload_*", *_of(Kind.CONFIGURATION)],
        "sensitive, but for what stands in another row": sensitive,
        "an everyday thing": list(_of(Kind.ROUTINE)),
        "only reads": list(_of(Kind.READ)),
    }
    lines = [f"| {kind} | {', '.join(f'`{name}`' for name in names)} |" for kind, names in rows.items()]
    return "\n".join(["| what it is | services |", "|---|---|", *lines])


def _of(kind: Kind) -> Iterator[str]:
    return (name for name, found in sorted(SERVICE_KINDS.items()) if found is kind)


def _verdict(route: Route, who: str, home: SimulatedHome) -> str:
    found: dict[str, list[str]] = {}
    for end in GUARDS:
        if (word := _judged(route, end, who, home)) is not None:
            found.setdefault(word, []).append(end.name)
    if len(found) == 1:
        return next(iter(found))
    return "; ".join(f"{word} ({', '.join(ends)})" for word, ends in found.items())


def _judged(route: Route, end: End, who: str, home: SimulatedHome) -> str | None:
    decision = _decision(route, end, who, home)
    return WORDS[decision.action, decision.by_owner] if isinstance(decision, Decision) else decision


def _decision(route: Route, end: End, who: str, home: SimulatedHome) -> Decision | str | None:
    call = route.to(end)
    if call is None:
        return None
    try:
        resolved = (
            ResolvedCall(call.domain, call.service, (), call.data) if is_reserved(call.domain) else resolve(home, call)
        )
    except HomestewardError:
        return "no such service"
    return decide(resolved, CALLERS[who], home, by(), NOON)


def _way(route: Route, home: SimulatedHome) -> str:
    for end in GUARDS:
        if isinstance(decision := _decision(route, end, "owner", home), Decision):
            return " › ".join(f"`{part}`" for part in decision.path)
    return ""
