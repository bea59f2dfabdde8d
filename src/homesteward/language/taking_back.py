"""What an undo could not take back, told to a person."""

from collections.abc import Sequence

from homesteward.actions.undo import Left
from homesteward.home.view import HomeView
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


def _named(left: Left, view: HomeView, *, reason: bool) -> str:
    state = view.states.get(left.entity_id)
    name = state.name if state else left.entity_id or "…"
    return f"{name} ({left.why})" if reason else name
