"""The one root of all errors: a failure is an answer, so each says what happened, whether to retry, and what to do next."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ErrorInfo:
    """An error as data, in the form that every face shows."""

    code: str
    message: str
    retry: bool
    next: str


class HomestewardError(Exception):
    """A failure with a stable code, a message for a person and the next step.

    `retry` is true only where repeating the same request is safe and may succeed.
    """

    code: str = "error"

    def __init__(self, message: str, *, code: str | None = None, retry: bool = False, next: str = "") -> None:  # noqa: A002 - the field's name in the contract
        """Describe the failure in `message`, and in `next` what a person can do about it."""
        super().__init__(message)
        self.message = message
        self.code = code or type(self).code
        self.retry = retry
        self.next = next

    @property
    def info(self) -> ErrorInfo:
        """Return the error as data."""
        return ErrorInfo(self.code, self.message, self.retry, self.next)
