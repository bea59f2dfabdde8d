"""Logging: one clean stream. No record leaves with a secret in it, whoever wrote it."""

import logging

from homesteward.core.redaction import RedactingFilter, Redactor

FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


def clean_logs(redactor: Redactor, level: str = "info") -> None:
    """Send every logger's records through one handler on stderr that keeps the redactor's secrets back.

    `level` is ours; the libraries are heard from `warning` on, or from `debug` where that is asked for. The filter sits
    on the handler, since a filter on a logger does not see what its children log.
    """
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter(FORMAT))
    handler.addFilter(RedactingFilter(redactor))
    root = logging.getLogger()
    for old in list(root.handlers):
        if isinstance(old, logging.StreamHandler) and any(isinstance(f, RedactingFilter) for f in old.filters):
            root.removeHandler(old)
    root.addHandler(handler)
    own = logging.getLevelNamesMapping()[level.upper()]
    root.setLevel(own if own == logging.DEBUG else max(own, logging.WARNING))
    logging.getLogger("homesteward").setLevel(own)
