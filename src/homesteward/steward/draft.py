"""An answer in the making: what is known of it before it is known how it ends."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from homesteward.actions.plan import Needs, Plan, Status
from homesteward.core.errors import ErrorInfo
from homesteward.home.live import LiveHome
from homesteward.language import How, Option, describe, error_text
from homesteward.steward.answer import Answer, Outcome, Question, Usage, Via, outcome_of

# A guard that keeps still on purpose is an answer; one that could not do what was asked is a failure.
ANSWERED_BY_DOING_NOTHING = frozenset({"negation", "statement", "question"})


@dataclass(frozen=True, slots=True)
class Draft:
    """What every answer to this request will carry."""

    run_id: str
    conversation_id: str
    language: str
    via: Via = Via.LANGUAGE
    usage: Usage = field(default_factory=Usage)
    timings_ms: Mapping[str, float] = field(default_factory=dict)
    news: str = ""
    """What is told first, whatever was asked: what became of what was asked for before."""

    def timed(self, what: str, ms: float) -> Draft:
        """Return the draft with one more timing, in milliseconds."""
        return replace(self, timings_ms={**self.timings_ms, what: ms})

    def heard(self, how: How, ms: float) -> Draft:
        """Return the draft with the time it took to understand the sentence, also under the stage that did ("language.grammar")."""
        return self.timed("language", ms).timed(f"language.{how.stage}", ms)

    def said(self, text: str, sources: Sequence[str] = ()) -> Answer:
        """Answer a question."""
        return self._answer(Outcome.ANSWERED, text, sources=tuple(sources))

    def did(self, plans: tuple[Plan, ...], home: LiveHome, note: str = "", *, error: ErrorInfo | None = None) -> Answer:
        """Tell what became of `plans`, from their evidence.

        `note` is what was left out before there was a plan, `error` why a yes to them did not count.
        """
        outcome = outcome_of(plans)
        amiss = error_text(error, self.language) if error else ""
        reply = " ".join(part for part in (amiss, describe(plans, home, self.language), note) if part)
        return self._answer(
            outcome,
            reply,
            plans=plans,
            question=_question(plans) if outcome is Outcome.CONFIRM else None,
            sources=tuple(
                dict.fromkeys(seen.entity_id for plan in plans for step in plan.steps for seen in step.evidence)
            ),
            error=error or (plan_error(plans, reply) if outcome in {Outcome.FAILED, Outcome.REFUSED} else None),
        )

    def which(self, text: str, options: tuple[Option, ...]) -> Answer:
        """Ask which one was meant."""
        return self._answer(Outcome.CONFIRM, text, question=Question("which", options))

    def declined(self, info: ErrorInfo) -> Answer:
        """Tell that a sentence was understood and why nothing is done about it."""
        if info.code in ANSWERED_BY_DOING_NOTHING:
            return self._answer(Outcome.ANSWERED, info.message, error=None)
        return self.failed(info, f"{info.message} {info.next}".strip())

    def failed(self, info: ErrorInfo, reply: str) -> Answer:
        """Tell a failure."""
        return self._answer(Outcome.FAILED, reply, error=info)

    def _answer(
        self,
        outcome: Outcome,
        reply: str,
        *,
        plans: tuple[Plan, ...] = (),
        question: Question | None = None,
        sources: tuple[str, ...] = (),
        error: ErrorInfo | None = None,
    ) -> Answer:
        return Answer(
            outcome=outcome,
            reply=f"{self.news} {reply}".strip(),
            language=self.language,
            via=self.via,
            conversation_id=self.conversation_id,
            run_id=self.run_id,
            question=question,
            plans=plans,
            sources=sources,
            usage=self.usage,
            timings_ms=dict(self.timings_ms),
            error=error,
        )


def _question(plans: Sequence[Plan]) -> Question:
    """Return what the waiting plans ask of the asker: a PIN is a yes as well."""
    return Question("pin" if any(plan.needs is Needs.PIN for plan in plans) else "yes")


def plan_error(plans: Sequence[Plan], reply: str) -> ErrorInfo:
    """Return the first failure or refusal among `plans` as an error: what was seen decides its code."""
    for plan in plans:
        for step in plan.steps:
            bad = next((seen for seen in step.evidence if seen.status in {Status.MISMATCHED, Status.FAILED}), None)
            if bad:
                return ErrorInfo(bad.status.value, reply, retry=False, next=f"Look at {bad.entity_id}, then ask again.")
            if step.error:
                return ErrorInfo("failed", reply, retry=False, next="See the plan for what Home Assistant said.")
    return ErrorInfo("refused", reply, retry=False, next="An owner's policy decides this.")
