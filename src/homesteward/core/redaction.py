"""Keeping secrets out of every text that leaves: logs, errors, traces, answers."""

import logging
import re

PLACEHOLDER = "[redacted]"
MIN_PREFIX = 8  # a secret cut short by a log line still gives itself away from this many characters on
# A JSON web token or a machine token of ours, whole or cut short, known to us or not.
TOKEN_SHAPE = re.compile(r"\beyJ[\w-]{4,}(?:\.[\w-]+){0,2}|\bhs_[0-9a-f]{16}_[\w-]+")

GOES_ON = re.compile(r"[\w.~+/=-]+")  # what tokens and keys are made of


class Redactor:
    """Replace every registered secret, whole or as a prefix of eight or more characters, by one placeholder."""

    def __init__(self) -> None:
        """Start with no secret but the shape of a web token."""
        self._secrets: set[str] = set()

    def add(self, secret: str) -> None:
        """Register `secret`. An empty one is ignored; one shorter than eight characters is only matched whole, as a word."""
        if secret:
            self._secrets.add(secret)

    def clean(self, text: str) -> str:
        """Return `text` without any registered secret."""
        text = TOKEN_SHAPE.sub(
            PLACEHOLDER, text
        )  # first: web tokens begin alike, and half of one must not be left standing
        for secret in sorted(self._secrets, key=len, reverse=True):
            text = _without(text, secret)
        return text


class RedactingFilter(logging.Filter):
    """Clean each log record, its arguments and its traceback before any handler formats it."""

    def __init__(self, redactor: Redactor) -> None:
        """Clean with `redactor`."""
        super().__init__()
        self._redactor = redactor

    def filter(self, record: logging.LogRecord) -> bool:
        """Rewrite the record in place and let it pass."""
        record.msg = self._redactor.clean(record.getMessage())
        record.args = None
        if record.exc_info and not record.exc_text:
            record.exc_text = logging.Formatter().formatException(record.exc_info)
        if record.exc_text:
            record.exc_text = self._redactor.clean(record.exc_text)
        return True


def _without(text: str, secret: str) -> str:
    """Return `text` with `secret`, or any prefix of it that is long enough to give it away, replaced.

    What goes on behind a prefix without a break goes with it: it may be the rest of another secret that begins alike.
    """
    if len(secret) < MIN_PREFIX:
        return re.sub(rf"(?<!\w){re.escape(secret)}(?!\w)", PLACEHOLDER, text)
    head = secret[:MIN_PREFIX]
    parts, start = [], 0
    while (found := text.find(head, start)) >= 0:
        end = found + MIN_PREFIX
        while end - found < len(secret) and end < len(text) and text[end] == secret[end - found]:
            end += 1
        if end - found < len(secret) and (rest := GOES_ON.match(text, end)):
            end = rest.end()
        parts += [text[start:found], PLACEHOLDER]
        start = end
    return "".join([*parts, text[start:]])
