"""Who may decide what about an offer: the table of deeds, and how each is called."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from homesteward.actions.errors import NotAllowedError
from homesteward.actions.offers.offer import OfferState
from homesteward.home.model import Service, ServiceField
from homesteward.home.reserved import OWN
from homesteward.people import Caller, Role, Scope
from homesteward.people.errors import ProofNeededError

PURPOSE = "offers"
"""What a fresh proof is given for, to have an offer enabled."""
ENABLE, DISABLE, FORGET = "enable_offer", "disable_offer", "forget_offer"
WITNESSED: Mapping[str, str] = {ENABLE: "offer.enabled", DISABLE: "offer.disabled", FORGET: "offer.forgotten"}
HOUSEHOLD = frozenset({Role.OWNER, Role.MEMBER})
OWNER = frozenset({Role.OWNER})


@dataclass(frozen=True, slots=True)
class Deed:
    """One of the calls: who may ask for it, whether it takes a fresh proof, and what the offer is afterwards (None: gone)."""

    by: frozenset[Role]
    scope: Scope
    proof: bool
    after: OfferState | None


# What takes something away is never made hard; what gives something takes an owner who has just proven to be one.
DEEDS: Mapping[str, Deed] = {
    ENABLE: Deed(OWNER, Scope.CONFIGURE, proof=True, after=OfferState.ENABLED),
    DISABLE: Deed(HOUSEHOLD, Scope.ACT, proof=False, after=OfferState.DISABLED),
    FORGET: Deed(OWNER, Scope.CONFIGURE, proof=False, after=None),
}


def require_role(deed: Deed, caller: Caller) -> None:
    """Raise NotAllowedError unless the caller may ask for the deed, over the whole home."""
    if caller.role not in deed.by or not caller.may(deed.scope) or caller.reach is not None:
        who = "an owner" if deed.by == OWNER else "an owner or a member"
        raise NotAllowedError(f"Only {who} decides about this, over the whole home.", next=f"Ask {who} of this home.")


def require_proof(deed: Deed, caller: Caller, now: datetime) -> None:
    """Raise ProofNeededError unless the caller has just proven who they are; whoever reads the service's own token is its machine's owner."""
    somebody = caller.person_id or caller.token_id or caller.device_id
    proof = caller.proof
    if deed.proof and somebody and not (proof and proof.purpose == PURPOSE and now < proof.until):
        raise ProofNeededError(
            "This needs your PIN or a fresh sign-in first.",
            next=f"Prove who you are for '{PURPOSE}' (step-up), then do it within five minutes.",
        )


def _service(name: str, what: str, *more: ServiceField) -> Service:
    fields = (ServiceField("offer", "Its id.", required=True, selector={"text": {}}), *more)
    return Service(OWN, name, what, fields={field.name: field for field in fields})


SERVICES: Mapping[str, Service] = {
    service.id: service
    for service in (
        _service(
            ENABLE,
            "Enable an offer as what it is now",
            ServiceField("fingerprint", "The form of it that was looked at.", selector={"text": {}}),
            ServiceField("phrases", "What people call it.", selector={"text": {"multiple": True}}),
            ServiceField("roles", "Who may say it.", selector={"text": {"multiple": True}}),
            ServiceField(
                "areas", "Where it may be said; everywhere where none is named.", selector={"area": {"multiple": True}}
            ),
        ),
        _service(DISABLE, "Disable an offer; finding it again changes nothing about that"),
        _service(FORGET, "Forget an offer; it is proposed anew where it is found again"),
    )
}
