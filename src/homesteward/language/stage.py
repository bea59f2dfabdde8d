"""Which stage understood a sentence, and by what: every reading says so."""

from dataclasses import dataclass
from enum import StrEnum


class Stage(StrEnum):
    """The stages a sentence goes through, in their order; the first that understands it ends the way."""

    GUARD = "guard"
    NAME = "name"
    REMEMBERED = "remembered"
    SHAPE = "shape"
    CLAUSES = "clauses"
    GRAMMAR = "grammar"
    SLIP = "slip"
    RETRIEVAL = "retrieval"
    QUESTION = "question"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class How:
    """The stage, and what in it: the act, the guard, the word that was taken for another."""

    stage: Stage = Stage.NONE
    why: str = ""

    def __str__(self) -> str:
        return f"{self.stage}: {self.why}" if self.why else self.stage.value


UNREAD = How()
