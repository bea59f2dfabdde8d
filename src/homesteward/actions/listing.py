"""The plans that exist for somebody: those in their reach that they asked for or decide about, the newest first."""

from homesteward.actions.plan import Plan, PlanState
from homesteward.actions.plan_store import PlanStore
from homesteward.actions.rights import shown_to, visible
from homesteward.home.view import HomeView
from homesteward.people import Caller

MAX_LISTED = 500
MAX_LOOKED_AT = 10_000  # plans, to find those that somebody may see


async def listed(
    store: PlanStore, home: HomeView, state: PlanState | None, limit: int, by: Caller | None, before: Plan | None = None
) -> tuple[Plan, ...]:
    """Return at most `limit` plans of one state or of all, the newest first, from `before` on; None for `by` hides none.

    For somebody who sees few of them, the newest `MAX_LOOKED_AT` are looked through.
    """
    wanted = min(limit, MAX_LISTED)
    if by is None:
        return await store.list(state, wanted, before)
    found: list[Plan] = []
    looked_at, portion = 0, wanted
    while looked_at < MAX_LOOKED_AT:
        page = await store.list(state, portion, before)
        found += [plan for plan in page if visible(plan, by, home)]
        if len(found) >= wanted or len(page) < portion:
            break
        looked_at, portion, before = looked_at + portion, MAX_LISTED, page[-1]
    return tuple(shown_to(plan, by, home) for plan in found[:wanted])
