"""A fresh proof on a page: whether a form has to ask for one, and the caller with the one that came with it."""

from dataclasses import dataclass

from homesteward.core.errors import HomestewardError
from homesteward.faces.web.asker import Source
from homesteward.faces.web.authority import Purpose
from homesteward.faces.web.pages.stage import Stage
from homesteward.faces.web.pages.visit import Visit
from homesteward.faces.web.problems import STATUS
from homesteward.people import Caller

PROOF = "proof"
"""The field of a form in which a PIN stands."""


@dataclass(frozen=True, slots=True)
class Proving:
    """What a form asks for: nothing where there is fresh proof, else the PIN of whoever has one, or to sign in again."""

    needed: bool
    has_pin: bool
    signs_in: bool
    onward: str


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a form was not carried out, to be told where it stands."""

    text: str
    status: int


async def proving(stage: Stage, visit: Visit, purpose: Purpose) -> Proving:
    """Return what a form for `purpose` has to ask whoever visits."""
    entrance, desk, asker = stage.entrance, stage.rooms.desk, visit.asker
    fresh = entrance.freshly_signed_in(asker) or entrance.proven(asker, purpose).proof is not None
    has_pin = desk is not None and bool(visit.caller.person_id)
    if desk and has_pin:
        has_pin = (await desk.pins.state(visit.caller.person_id)).is_set
    return Proving(
        not fresh and asker.source is not Source.SERVICE, has_pin, asker.source is Source.SESSION, visit.path
    )


async def proven(stage: Stage, visit: Visit, purpose: Purpose, fields: dict[str, str]) -> Caller:
    """Return whoever visits with fresh proof for `purpose`, which the form may bring as a PIN; raise what StepUp raises."""
    if pin := fields.get(PROOF, "").strip():
        await stage.entrance.stepped_up(visit.asker, purpose, pin, visit.seen.peer)
    return (await stage.entrance.with_proof(visit.asker, purpose)).caller


def refused(error: HomestewardError) -> Refused:
    """Return a failure as it is told beside the form."""
    return Refused(f"{error.message} {error.next}".strip(), STATUS.get(error.code, 400))
