"""Sentences understood without a model, and answers told from state and evidence.

It knows the languages of Home Assistant's own grammar, some of them better through files of ours in `data`. It reads the home
through its view; nothing here can change anything. What a sentence was read as is a `Reading`.
"""

from homesteward.language.dialogue import (
    asks_what_is_scheduled,
    cancelled,
    is_no,
    is_undo,
    is_yes,
    narrowed,
    pick,
    picks_all,
)
from homesteward.language.guards import is_question
from homesteward.language.reading import Acts, Asked, Asks, Declines, NotUnderstood, Option, Reading, Recalls, Says
from homesteward.language.replies import describe, describe_later, error_text, not_understood, nothing_changed
from homesteward.language.resolution import Fit, Found
from homesteward.language.retold import Sources, retell
from homesteward.language.stage import How, Stage
from homesteward.language.taking_back import left_alone, not_undone, nothing_to_undo, stays_scheduled
from homesteward.language.understander import Understander

__all__ = [
    "Acts",
    "Asked",
    "Asks",
    "Declines",
    "Fit",
    "Found",
    "How",
    "NotUnderstood",
    "Option",
    "Reading",
    "Recalls",
    "Says",
    "Sources",
    "Stage",
    "Understander",
    "asks_what_is_scheduled",
    "cancelled",
    "describe",
    "describe_later",
    "error_text",
    "is_no",
    "is_question",
    "is_undo",
    "is_yes",
    "left_alone",
    "narrowed",
    "not_understood",
    "not_undone",
    "nothing_changed",
    "nothing_to_undo",
    "pick",
    "picks_all",
    "retell",
    "stays_scheduled",
]
