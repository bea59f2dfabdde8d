"""What can go wrong between us and a model, in five kinds; each says whether asking again is worth it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from homesteward.core.errors import HomestewardError

if TYPE_CHECKING:
    from pydantic_ai.exceptions import AgentRunError, UserError

LONGEST_REASON = 200  # characters of a provider's own words; the rest is rarely for people


class ModelError(HomestewardError):
    """The model gave no usable answer."""

    code = "model_error"


class ModelNotSetUpError(ModelError):
    """The settings name a model only in part."""

    code = "model_not_set_up"


class ModelUnreachableError(ModelError):
    """Nothing answers at the model's address, or what answers is out of order."""

    code = "model_unreachable"


class ModelTimeoutError(ModelError):
    """The model did not answer in time."""

    code = "model_timeout"


class ModelBusyError(ModelError):
    """The model answers others first: a rate limit or an overload."""

    code = "model_busy"


class ModelRefusedError(ModelError):
    """The provider will not answer this: the key, the account, the model's name or the request itself."""

    code = "model_refused"


class ModelBadAnswerError(ModelError):
    """The model answered with something that is no answer."""

    code = "model_bad_answer"


@dataclass(frozen=True, slots=True)
class _Meaning:
    """What one of the library's exceptions means. `{status}` and `{reason}` are filled in where they are known."""

    kind: type[ModelError]
    text: str
    next: str
    retry: bool = False


def model_error(cause: AgentRunError | UserError) -> ModelError:
    """Return what `cause`, raised by a provider, means to a person. Its key and its request are never repeated."""
    names = {ancestor.__name__ for ancestor in type(cause).__mro__}
    undecodable = isinstance(cause.__cause__, ValueError)  # an answer came, and it was no JSON
    meaning = UNREADABLE if undecodable else next((MEANINGS[name] for name in MEANINGS if name in names), UNREADABLE)
    status = getattr(cause, "status_code", None)
    text = meaning.text.format(status=f" (HTTP {status})" if status else "", reason=_reason(cause))
    return meaning.kind(text, retry=meaning.retry, next=meaning.next.format(wait=_wait(cause)))


# By the names of pydantic-ai's exceptions, the narrower before the wider, so that its second of imports is not needed here.
MEANINGS = {
    "ModelTimeoutError": _Meaning(
        ModelTimeoutError, "The model did not answer in time.", "Ask again, or raise model.timeout_s.", retry=True
    ),
    "ModelRequestTimeout": _Meaning(
        ModelTimeoutError, "The model did not answer in time.", "Ask again, or raise model.timeout_s.", retry=True
    ),
    "ModelRateLimitError": _Meaning(ModelBusyError, "The model is busy{status}.", "Ask again {wait}.", retry=True),
    "ModelUnavailableError": _Meaning(ModelBusyError, "The model is busy{status}.", "Ask again {wait}.", retry=True),
    "ModelAuthenticationError": _Meaning(
        ModelRefusedError, "The model's provider refused the key{status}.", "Check model.api_key."
    ),
    "ModelQuotaExceededError": _Meaning(
        ModelRefusedError,
        "The account at the model's provider is used up{status}.",
        "Top it up, or choose another model.",
    ),
    "ModelNotFoundError": _Meaning(
        ModelRefusedError, "The provider does not know this model{status}.", "Check model.model and model.base_url."
    ),
    "ModelRequestRejectedError": _Meaning(
        ModelRefusedError, "The provider refused the request{status}{reason}.", "Check the model settings."
    ),
    "ModelConnectionError": _Meaning(
        ModelUnreachableError,
        "Nothing answers at the model's address.",
        "Check model.base_url and that the model's server is running.",
        retry=True,
    ),
    "ModelAPIError": _Meaning(
        ModelUnreachableError,
        "The model's server failed{status}{reason}.",
        "Ask again; if it stays so, read the server's log.",
        retry=True,
    ),
}
UNREADABLE = _Meaning(
    ModelBadAnswerError, "The model's answer could not be read.", "Ask again, or choose another model.", retry=True
)


def _wait(cause: Exception) -> str:
    seconds = getattr(cause, "retry_after", None)
    return f"in {seconds:g} s" if seconds else "in a moment"


def _reason(cause: Exception) -> str:
    """Return the provider's own short message, of the forms they use."""
    body = getattr(cause, "body", None)
    inner = body.get("error", body) if isinstance(body, Mapping) else body
    text = inner.get("message") if isinstance(inner, Mapping) else inner
    return f": {' '.join(text.split())[:LONGEST_REASON]}" if isinstance(text, str) and text else ""
