"""The calls that decide about an offer: enable, disable, forget. They take the way of every change: plan, approval, record."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime

from sqlalchemy import Connection

from homesteward.actions.offers.deeds import (
    DEEDS,
    DISABLE,
    ENABLE,
    FORGET,
    SERVICES,
    WITNESSED,
    Deed,
    require_proof,
    require_role,
)
from homesteward.actions.offers.errors import OfferChangedError, OfferError, UnknownOfferError
from homesteward.actions.offers.keeper import Offers
from homesteward.actions.offers.offer import Enabling, Offer, OfferState, Usage
from homesteward.actions.offers.wanted import wanted_of
from homesteward.actions.plan import Evidence, Plan, Status, Step
from homesteward.actions.reserved import Performed, Prepared
from homesteward.core.json import JsonObject, JsonValue
from homesteward.home.calls import Call, InvalidCallError, ResolvedCall
from homesteward.home.model import Service
from homesteward.home.reserved import OWN
from homesteward.home.view import HomeView
from homesteward.people import Caller, Role
from homesteward.people.audit import actor_of


class OfferCalls:
    """Carry out what is decided about offers (`actions.reserved.Reserved`)."""

    def __init__(self, offers: Offers, home: HomeView) -> None:
        """Decide about `offers`, whose areas are those of `home`."""
        self._offers, self._home = offers, home

    @property
    def services(self) -> Mapping[str, Service]:
        """Return what can be called."""
        return SERVICES

    async def prepare(self, call: Call, caller: Caller) -> Prepared:
        """Return the call bound to what the offer is now: to its service, its target and its arguments.

        Raises not_allowed, proof_needed, unknown_offer, invalid_call, and for enabling no_server, not_connected, tool_gone and
        offer_changed.
        """
        deed = DEEDS[call.service]
        require_role(deed, caller)
        offer = await self._offers.get(_id_of(call), caller)
        require_proof(deed, caller, self._offers.clock.now())
        usage = wanted_of(call.data, offer, self._home) if call.service == ENABLE else None
        if call.service == ENABLE:
            self._require_current(offer)
        if call.data.get("fingerprint", offer.tool.fingerprint) != offer.tool.fingerprint:
            raise _other(offer)
        if offer.state is deed.after:
            raise InvalidCallError(f"{offer.tool.title} is {offer.state} already.", next="There is nothing to do.")
        data: JsonObject = {"offer": offer.id, **_bound(offer), **(_usage_json(usage) if usage else {})}
        summary = SUMMARIES[call.service](offer, usage or offer.usage)
        return Prepared(ResolvedCall(OWN, call.service, (), data), before=offer.as_json(), summary=summary)

    async def stands(self, step: Step) -> str:
        """Return why the offer is not what was decided about any more; empty where it is."""
        try:
            offer = await self._found(step)
            if step.call.service == ENABLE:
                self._require_current(offer)
        except (UnknownOfferError, OfferError, OfferChangedError) as error:
            return error.message.rstrip(".")
        if any(step.call.data.get(name) != value for name, value in _bound(offer).items()):
            return f"{offer.tool.title} is not what it was when this was asked for"
        return ""

    async def perform(self, plan: Plan, step: Step) -> Performed:
        """Decide about the offer in one transaction, with the entry of the audit; raise offer_changed where it is another by now."""
        deed, now = DEEDS[step.call.service], self._offers.clock.now()
        data = step.call.data

        def work(connection: Connection) -> Offer | None:
            before = self._offers.rows.one(connection, str(data.get("offer")))
            if before.tool.fingerprint != data.get("fingerprint"):
                raise _other(before)
            after = _after(before, deed, plan, step, now)
            kept = (
                self._offers.rows.replace(connection, before, after)
                if after
                else self._offers.rows.remove(connection, before.id)
            )
            if not kept:
                raise _other(before)
            self._offers.witness(
                connection, WITNESSED[step.call.service], actor_of(plan.caller), before.id, _told(plan, data)
            )
            return after

        after = await self._offers.database.write(work)
        self._offers.decided()
        expected = deed.after.value if deed.after else "forgotten"
        seen = Evidence(
            str(data.get("offer")), expected, after.state.value if after else expected, Status.VERIFIED, now
        )
        return Performed((seen,), after.as_json() if after else {})

    def inverse(self, step: Step) -> Call | str:
        """Return that what was enabled is disabled; nothing else is taken back but by an owner's own new word."""
        if step.call.service == ENABLE:
            return Call(OWN, DISABLE, data={"offer": step.call.data.get("offer")})
        return "only an owner enables it again, with a proof of who they are"

    async def _found(self, step: Step) -> Offer:
        offer_id = str(step.call.data.get("offer"))
        return await self._offers.database.read(lambda connection: self._offers.rows.one(connection, offer_id))

    def _require_current(self, offer: Offer) -> None:
        """Raise where the source does not offer it at present as it is in the row: nobody says yes to what is not there."""
        if self._offers.current(offer).fingerprint != offer.tool.fingerprint:
            raise _other(offer)


def _after(before: Offer, deed: Deed, plan: Plan, step: Step, now: datetime) -> Offer | None:
    """Return the offer as the deed leaves it, None where it is forgotten."""
    if deed.after is None:
        return None
    if deed.after is not OfferState.ENABLED:
        return replace(before, state=deed.after)
    by = plan.decided_by or plan.caller.person or plan.caller.role.value
    enabling = Enabling(by, plan.decided_person_id or plan.caller.person_id, plan.id, now, before.tool.fingerprint)
    return replace(before, state=deed.after, usage=_usage_of(step.call.data), changed="", enabling=enabling)


def _id_of(call: Call) -> str:
    given = call.data.get("offer")
    if not isinstance(given, str) or not given:
        raise InvalidCallError(f"{call.id} needs the offer's id.", next="List them: homesteward tools offers list")
    return given


def _bound(offer: Offer) -> dict[str, JsonValue]:
    """Return what a yes is bound to, as it stands in the plan: what it does, to what, and in which form."""
    return {
        "service": offer.tool.service,
        "entity_id": offer.tool.entity_id,
        "fingerprint": offer.tool.fingerprint,
        "was": offer.state.value,
    }


def _usage_json(usage: Usage) -> dict[str, JsonValue]:
    roles = sorted(role.value for role in usage.roles)
    return {"phrases": list(usage.phrases), "roles": roles, "areas": sorted(usage.areas)}


def _usage_of(data: JsonObject) -> Usage:
    listed = {name: _texts(data.get(name)) for name in ("phrases", "roles", "areas")}
    return Usage(listed["phrases"], frozenset(map(Role, listed["roles"])), frozenset(listed["areas"]))


def _texts(value: JsonValue) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, list | tuple) else ()


def _other(offer: Offer) -> OfferChangedError:
    return OfferChangedError(
        f"{offer.tool.title} is not what it was when this was asked for.", next="Look at the offer, then ask again."
    )


def _told(plan: Plan, data: JsonObject) -> JsonObject:
    """Return what is put down of a decision about an offer."""
    kept = ("service", "entity_id", "fingerprint", "phrases", "roles", "areas")
    return {"plan": plan.id, "decided_by": plan.decided_by, **{name: data[name] for name in kept if name in data}}


def _enables(offer: Offer, usage: Usage) -> str:
    called = " or ".join(f'"{phrase}"' for phrase in usage.phrases)
    who = ", ".join(sorted(usage.roles))
    where = f" in {', '.join(sorted(usage.areas))}" if usage.areas else ""
    unseen = "" if offer.tool.exposed else "; Home Assistant does not expose it to its assistants"
    on = f" on {offer.tool.entity_id}" if offer.tool.entity_id else ""
    return (
        f"Let {who} say {called}{where} for {offer.tool.title}, which is {offer.tool.service}{on} and is judged "
        f"{offer.effect} at present{unseen}."
    )


SUMMARIES: Mapping[str, Callable[[Offer, Usage], str]] = {
    ENABLE: _enables,
    DISABLE: lambda offer, _: f"Disable {offer.tool.title}; finding it again changes nothing about that.",
    FORGET: lambda offer, _: f"Forget {offer.tool.title}; where it is found again it is proposed anew.",
}
