"""What a model's run came to, told from evidence. A model's own words are passed on only where they can claim nothing."""

from dataclasses import replace

from homesteward.core.errors import ErrorInfo
from homesteward.home.live import LiveHome
from homesteward.kernel import KernelResult
from homesteward.language import error_text, is_question, nothing_changed
from homesteward.steward.answer import Answer, Usage
from homesteward.steward.draft import Draft


def from_kernel(
    draft: Draft, result: KernelResult, text: str, home: LiveHome, *, amiss: ErrorInfo | None = None
) -> Answer:
    """Return the answer to `text` after a model's run; `amiss` is why a yes to its plans did not count.

    Plans speak through their evidence, refusals through their reason. With neither, a question gets the model's answer
    with the fact that nothing was changed beside it, and anything else gets that fact with the model's words marked as its own: a
    model that only says "done" did nothing, and it may say so of a question too.
    """
    usage = Usage(result.usage.requests, result.usage.input_tokens, result.usage.output_tokens)
    draft = replace(draft, usage=usage)
    if result.plans:
        return _with_refusals(draft.did(result.plans, home, error=amiss), result, draft.language)
    if result.refusals:
        info = result.refusals[0]
        return draft.failed(info, f"{_refused(result, draft.language)} {nothing_changed(draft.language)}")
    if result.error:
        return draft.failed(result.error, error_text(result.error, draft.language))
    if is_question(text, draft.language) and result.text:
        return draft.said(f"{result.text.strip()} ({nothing_changed(draft.language)})")
    return draft.failed(
        ErrorInfo(
            "no_action", nothing_changed(draft.language), retry=True, next="Say it in other words, or name the device."
        ),
        f"{nothing_changed(draft.language)} {_quoted(result.text)}".strip(),
    )


def _with_refusals(answer: Answer, result: KernelResult, language: str) -> Answer:
    """Add what was refused beside what was planned, so that half a success never reads as a whole one."""
    if not result.refusals:
        return answer
    return replace(answer, reply=f"{answer.reply} {_refused(result, language)}")


def _refused(result: KernelResult, language: str) -> str:
    return " ".join(error_text(info, language) for info in result.refusals)


def _quoted(text: str) -> str:
    return f"(The model said: {text.strip()!r})" if text.strip() else ""
