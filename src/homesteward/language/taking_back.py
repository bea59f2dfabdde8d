"""What an undo could not take back, and what stays as it was, told to a person."""

from collections.abc import Sequence
from datetime import datetime

from homesteward.actions.undo import Left
from homesteward.home.calls import ResolvedCall
from homesteward.home.live import LiveHome
from homesteward.home.view import HomeView
from homesteward.language.replies import listed_later
from homesteward.language.texts import FALLBACK, texts

MAX_NAMES = 8


def not_undone(left: Sequence[Left], view: HomeView, language: str) -> str:
    """Return which things are left as they are; nothing where there are none. The reasons are worded in English, and told in it alone."""
    if not left:
        return ""
    said = texts(language)
    named = [_named(each, view, reason=said.language == FALLBACK) for each in left]
    more = [said("more", count=len(named) - MAX_NAMES)] if len(named) > MAX_NAMES else []
    return said("not_undone", names=said.joined([*dict.fromkeys(named[:MAX_NAMES]), *more]))


def nothing_to_undo(language: str) -> str:
    """Return that nothing was done here that could be taken back."""
    return texts(language)("nothing_to_undo")


def left_alone(language: str) -> str:
    """Return that somebody said no, and so nothing is done."""
    return texts(language)("left_alone")


def stays_scheduled(
    later: Sequence[tuple[ResolvedCall, datetime]], home: LiveHome, language: str, now: datetime
) -> str:
    """Return what is still to be done and when, nothing where that is none."""
    return texts(language)("later.stays", items=listed_later(later, home, language, now)) if later else ""


def _named(left: Left, view: HomeView, *, reason: bool) -> str:
    state = view.states.get(left.entity_id)
    name = state.name if state else left.entity_id or "…"
    return f"{name} ({left.why})" if reason else name
