"""Why something scheduled was not done, in English and German; what Home Assistant or the policy says is passed on as it is."""

from collections.abc import Mapping
from enum import StrEnum

from homesteward.actions.notice_words import spoken


class Why(StrEnum):
    """The reasons that are ours."""

    LATE = "late"
    LATE_AWAY = "late_away"
    CUT_OFF = "cut_off"
    NOTHING_SENT = "nothing_sent"
    CONDITION = "condition"
    BEGINNING = "beginning"
    CHANGED = "changed"
    DRY_RUN = "dry_run"
    BROKE_OFF = "broke_off"


ENGLISH: Mapping[Why, str] = {
    Why.LATE: "it could not be done in time, and is not done as late as this",
    Why.LATE_AWAY: "Home Assistant could not be reached in time, and it is not done as late as this",
    Why.CUT_OFF: "Homesteward stopped while it was under way, and nobody knows how much of it happened",
    Why.NOTHING_SENT: "Homesteward stopped at that very moment; nothing was sent, and it is not tried again by itself",
    Why.CONDITION: "what had to hold did not",
    Why.BEGINNING: "what it would have ended was not done",
    Why.CHANGED: "it was changed since by something else, and is left as it is",
    Why.DRY_RUN: "nothing is really sent at present (dry run)",
    Why.BROKE_OFF: "it broke off inside Homesteward; see the service's log",
}
GERMAN: Mapping[Why, str] = {
    Why.LATE: "es ging nicht rechtzeitig, und so spät wird es nicht mehr getan",
    Why.LATE_AWAY: "Home Assistant war nicht rechtzeitig erreichbar, und so spät wird es nicht mehr getan",
    Why.CUT_OFF: "Homesteward wurde dabei angehalten, und niemand weiß, wie viel davon geschehen ist",
    Why.NOTHING_SENT: "Homesteward wurde genau dann angehalten; es wurde nichts gesendet und wird nicht von selbst wiederholt",
    Why.CONDITION: "die Bedingung war nicht erfüllt",
    Why.BEGINNING: "was es beendet hätte, wurde nicht getan",
    Why.CHANGED: "etwas anderes hat es seither geändert; es bleibt, wie es ist",
    Why.DRY_RUN: "derzeit wird nichts wirklich gesendet (Probelauf)",
    Why.BROKE_OFF: "es ist in Homesteward abgebrochen; siehe das Protokoll des Dienstes",
}
REASONS: Mapping[str, Mapping[Why, str]] = {"en": ENGLISH, "de": GERMAN}


def reason_of(why: Why, language: str, detail: str = "") -> str:
    """Return the reason in words, with what was seen behind it."""
    said = REASONS[spoken(language)][why]
    return f"{said} ({detail})" if detail else said
