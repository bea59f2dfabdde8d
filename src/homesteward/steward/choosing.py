"""Answers to "which one?": one of the things, all of them, or a room that leaves fewer to choose from."""

from dataclasses import replace

from homesteward.core import ErrorInfo
from homesteward.home.calls import Call
from homesteward.language import Declines, Option, is_no, left_alone, narrowed, pick, picks_all
from homesteward.language.asking import which_text
from homesteward.steward.answer import Answer
from homesteward.steward.conversations import Conversations, Pending
from homesteward.steward.draft import Draft
from homesteward.steward.following import SpokenOf
from homesteward.steward.offered import Offered
from homesteward.steward.runs import Run


class Choosing:
    """Take an answer to "which one?" for what it means."""

    def __init__(self, conversations: Conversations, spoken: SpokenOf, offered: Offered) -> None:
        """Close or narrow the question in `conversations`, and have `spoken` remember what was chosen."""
        self._conversations, self._spoken, self._offered = conversations, spoken, offered

    async def answer(self, pending: Pending, run: Run, draft: Draft) -> tuple[Call, ...] | Answer | None:
        """Return the calls that are chosen, the answer where nothing is done yet, None where the text is no reply to the question."""
        caller, text, here = run.request.caller, run.request.text, draft.conversation_id
        meant = chosen(pending, text, draft.language)
        if not meant and (left := fewer(pending, text, draft.language)):
            said, narrower = left
            self._conversations.ask(here, narrower)
            return draft.which(said, narrower.options[: narrower.shown])
        if not meant and not is_no(text, draft.language):
            return None
        self._conversations.close(here, caller)
        if not meant:
            return draft.said(left_alone(draft.language))
        if len(meant) == 1:
            self._spoken.chose(here, caller, meant[0][0].entity_id)
        else:
            self._spoken.forget(here, caller)
        calls: list[Call] = []
        for option, call in meant:
            now = await self._offered.again(option, call, caller, draft.language)
            if isinstance(now, Declines):
                return draft.declined(ErrorInfo(now.code, now.text, retry=False, next=now.next))
            calls += now.calls
        return tuple(calls)


def chosen(pending: Pending, text: str, language: str) -> tuple[tuple[Option, Call], ...]:
    """Return what `text` means of everything that can be answered, nothing where it is no answer."""
    every = pending.options
    place = pick(every, text, language, pending.shown or len(every))
    if place is not None:
        return ((every[place], pending.calls[place]),)
    alike = len({call.id for call in pending.calls}) == 1 and len({each.entity_id for each in every}) == len(every)
    return tuple(zip(every, pending.calls, strict=True)) if alike and picks_all(every, text, language) else ()


def fewer(pending: Pending, text: str, language: str) -> tuple[str, Pending] | None:
    """Return the question about those that `text` leaves, and its words; None where it names no such room."""
    places = narrowed(pending.options, text, language)
    if not places:
        return None
    options, calls = tuple(pending.options[n] for n in places), tuple(pending.calls[n] for n in places)
    said, shown = which_text(options, language)
    return said, replace(pending, options=options, calls=calls, shown=shown)
