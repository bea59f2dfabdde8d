"""What a trial came to."""

from collections.abc import Sequence
from dataclasses import dataclass

from homesteward.core.json import JsonValue


@dataclass(frozen=True, slots=True)
class Scored:
    """One case's result. `why` names every assertion that did not hold; `wrong` are calls that reached the home and should not have."""

    id: str
    why: tuple[str, ...]
    ms: float
    calls: tuple[str, ...]
    wrong: tuple[str, ...]
    reply: str

    @property
    def passed(self) -> bool:
        """Return whether every assertion held."""
        return not self.why


@dataclass(frozen=True, slots=True)
class Report:
    """The results of a whole file."""

    cases: Sequence[Scored]

    @property
    def json(self) -> dict[str, JsonValue]:
        """Return the report as the contract shows it to others."""
        passed = sum(case.passed for case in self.cases)
        return {
            "cases": [
                {
                    "id": case.id,
                    "passed": case.passed,
                    "why": list(case.why),
                    "ms": round(case.ms, 1),
                    "calls": list(case.calls),
                    "wrong": list(case.wrong),
                    "reply": case.reply,
                }
                for case in self.cases
            ],
            "passed": passed,
            "failed": len(self.cases) - passed,
            "wrong_actions": sum(bool(case.wrong) for case in self.cases),
        }
