"""Ask: a sentence for the house, what is done on the way, and what came of it; with the conversations of before."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from pydantic import ValidationError
from starlette.responses import Response

from homesteward.actions import Mode
from homesteward.faces.web.fields import fields_of
from homesteward.faces.web.forms import AskForm
from homesteward.faces.web.pages.local import Moment
from homesteward.faces.web.pages.rendering import bare_page
from homesteward.faces.web.pages.stage import Stage
from homesteward.faces.web.pages.texts import N_
from homesteward.faces.web.pages.turns import Turn, Turns
from homesteward.faces.web.pages.visit import Visit
from homesteward.steward import Request as Asked
from homesteward.steward import UnknownRunError
from homesteward.steward.run_store import KeptRun

MOST_TURNS = 50  # of one conversation
MOST_TALKS = 40  # in the list of those of before
MODES = {
    Mode.AUTO: N_("As the rules say"),
    Mode.PLAN: N_("Only record changes, for a person to approve"),
    Mode.OBSERVE: N_("Change nothing"),
}
PROFILES = {
    "balanced": N_("Balanced"),
    "rapid": N_("Quick: fewer steps"),
    "deep": N_("Deep: more steps, takes longer"),
}
CHANNELS = {
    "page": N_("page"),
    "ingress": N_("Home Assistant"),
    "cli": N_("command line"),
    "api": N_("program"),
}


@dataclass(frozen=True, slots=True)
class Talk:
    """A conversation of before, by its first sentence."""

    conversation_id: str
    title: str
    at: Moment
    channel: str
    turns: int


@dataclass(frozen=True, slots=True)
class AskPage:
    """The page. Only the last turn can still be answered."""

    conversation_id: str
    turns: tuple[Turn, ...]
    talks: tuple[Talk, ...]
    modes: tuple[tuple[str, str], ...]
    profiles: tuple[tuple[str, str], ...]
    text: str = ""
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class TurnPart:
    """One turn by itself."""

    turn: Turn


class Talks:
    """The conversations of whoever visits, and one of them with its turns."""

    def __init__(self, stage: Stage) -> None:
        """Read from the rooms of `stage`."""
        self._steward, self._store = stage.rooms.steward, stage.rooms.run_store
        self._turns = Turns(stage.rooms.gate)

    async def page(self, visit: Visit, conversation_id: str, text: str = "", trouble: str = "") -> AskPage:
        """Return the page with this conversation open; empty begins a new one."""
        return AskPage(
            conversation_id=conversation_id,
            turns=tuple(await self._of(conversation_id, visit)) if conversation_id else (),
            talks=await self._before(visit),
            modes=tuple((mode.value, visit.say(label)) for mode, label in MODES.items() if self._offered(mode)),
            profiles=tuple((profile, visit.say(label)) for profile, label in PROFILES.items()),
            text=text,
            trouble=trouble,
        )

    async def turn(self, run_id: str, visit: Visit) -> Turn:
        """Return one turn as it is now; raise UnknownRunError, also for one that does not exist for whoever visits."""
        try:
            return await self._turns.of_run(self._steward.run(run_id, visit.caller), visit)
        except UnknownRunError:
            own = await self._store.list(visit.caller) if self._store else ()
            kept = next((each for each in own if each.id == run_id), None)
            if kept is None:
                raise
            return await self._turns.of_kept(kept, visit)

    async def _of(self, conversation_id: str, visit: Visit) -> list[Turn]:
        kept = await self._kept(visit, conversation_id, MOST_TURNS)
        turns = [await self._turns.of_kept(each, visit) for each in reversed(kept)]
        told = {turn.run_id for turn in turns}
        running = [run for run in self._steward.runs.under_way(conversation_id) if run.id not in told]
        own = [run for run in running if run.request.caller.same_as(visit.caller)]
        return [*turns, *[await self._turns.of_run(run, visit) for run in own]]

    async def _before(self, visit: Visit) -> tuple[Talk, ...]:
        """Return the conversations of before, the one spoken in last at the top, each by how it began."""
        runs: dict[str, list[KeptRun]] = {}
        for kept in await self._kept(visit):
            runs.setdefault(kept.conversation_id, []).append(kept)
        return tuple(_talk(of_one, visit) for of_one in list(runs.values())[:MOST_TALKS])

    async def _kept(self, visit: Visit, conversation_id: str = "", limit: int = 500) -> tuple[KeptRun, ...]:
        if self._store is None:
            return ()
        return await self._store.list(visit.caller, conversation_id=conversation_id, limit=limit)

    def _offered(self, mode: Mode) -> bool:
        """Return whether the mode is no wider than the house is set to."""
        return self._steward.mode.tightened(mode) is mode


def ask_page(stage: Stage) -> APIRouter:
    """Return the routes of the page."""
    router = APIRouter(include_in_schema=False)
    steward, under_way, talks = stage.rooms.steward, stage.entrance.under_way, Talks(stage)
    visitor = Depends(stage.visitor())

    @router.get("/ask")
    async def ask(visit: Annotated[Visit, visitor], conversation: str = "") -> Response:
        """Show a conversation, or an empty one."""
        return await stage.page(visit, "ask", await talks.page(visit, conversation[:100]), here="ask")

    @router.post("/ask", dependencies=[Depends(stage.entrance.limited("ask"))])
    async def asked(visit: Annotated[Visit, visitor], request: Request) -> Response:
        """Begin on a sentence; a browser without scripts waits for the answer."""
        fields = await fields_of(request)
        form = _form(fields)
        if form is None:
            if visit.partial:
                return bare_page(
                    request, "alert", language=visit.language, status=422, message=visit.say(TOO_LONG), next=""
                )
            view = await talks.page(
                visit, fields.get("conversation_id", ""), fields.get("text", ""), visit.say(TOO_LONG)
            )
            return await stage.page(visit, "ask", view, here="ask", status=422)
        wanted = Asked(form.text, visit.caller, form.conversation_id, form.mode, form.profile, visit.language)
        if not visit.partial:
            answer = await under_way.awaited(visit.asker, steward.ask(wanted))
            return stage.onward(visit, f"/ask?conversation={answer.conversation_id}")
        run = steward.start(wanted)
        under_way.hold_run(visit.asker, run.id)
        return stage.part(visit, "turn", TurnPart(await talks.turn(run.id, visit)))

    @router.get("/ask/{run_id}")
    async def turn(run_id: str, visit: Annotated[Visit, visitor]) -> Response:
        """Show one turn as it is now; as a page, within its conversation."""
        found = await talks.turn(run_id, visit)
        if visit.partial:
            return stage.part(visit, "turn_told", TurnPart(found))
        return stage.onward(visit, f"/ask?conversation={found.conversation_id}")

    @router.post("/ask/{run_id}/cancel")
    async def cancel(run_id: str, visit: Annotated[Visit, visitor]) -> Response:
        """End a run that is on its way."""
        under_way.end_run(steward.run(run_id, visit.caller).id)
        return await turn(run_id, visit)

    return router


TOO_LONG = N_("That is empty or too long. Say it in fewer words.")


def _form(fields: dict[str, str]) -> AskForm | None:
    """Return the form that the fields are, None for one that is none. What is left to choose is left out."""
    known = {name: value for name, value in fields.items() if name in AskForm.model_fields and value.strip()}
    try:
        return AskForm.model_validate(known)
    except ValidationError:
        return None


def _talk(of_one: list[KeptRun], visit: Visit) -> Talk:
    newest, first = of_one[0], of_one[-1]
    channel = first.caller.channel.value
    return Talk(
        first.conversation_id,
        first.text,
        visit.when(newest.started),
        visit.say(CHANNELS[channel]) if channel in CHANNELS else channel,
        len(of_one),
    )
