"""The log: one stream, as loud as it is set, without a secret whoever wrote the line."""

import io
import logging
from contextlib import redirect_stderr

import pytest

from homesteward.app.logs import clean_logs
from homesteward.core.redaction import Redactor

SECRET = "sk-0123456789abcdef"


@pytest.fixture
def log():
    """Return what is logged at a level, from the lines that `say` writes."""
    root = logging.getLogger()
    before, level, own = list(root.handlers), root.level, logging.getLogger("homesteward").level

    def run(setting, say):
        redactor = Redactor()
        redactor.add(SECRET)
        with redirect_stderr(io.StringIO()) as written:
            clean_logs(redactor, setting)
            say()
        return written.getvalue()

    yield run
    root.handlers[:] = before
    root.setLevel(level)
    logging.getLogger("homesteward").setLevel(own)


def _everything():
    for name in ("homesteward.home", "aiohttp.client"):
        for level in ("debug", "info", "warning"):
            getattr(logging.getLogger(name), level)("%s of %s", level, name)


@pytest.mark.parametrize(
    ("setting", "lines"),
    [
        ("debug", 6),
        ("info", 3),  # ours from info on, the libraries' from warning on
        ("warning", 2),
        ("error", 0),
    ],
)
def test_each_level_lets_its_lines_through(log, setting, lines):
    assert len(log(setting, _everything).splitlines()) == lines


def test_a_secret_stays_out_of_a_frame_an_argument_and_a_traceback(log):
    """E49: an HA token was written to the log inside an "invalid command" line."""

    def say():
        library = logging.getLogger("some.library")
        library.debug('> TEXT \'{"type":"auth","access_token":"%s"}\'', SECRET)
        library.warning("cut short: %.12s", SECRET)
        try:
            int(f"Bearer {SECRET}")
        except ValueError:
            library.exception("failed")

    said = log("debug", say)
    assert said.count("[redacted]") == 3
    assert SECRET[:8] not in said


def test_setting_it_twice_writes_each_line_once(log):
    def say():
        clean_logs(Redactor(), "info")
        logging.getLogger("homesteward").warning("once")

    assert log("info", say).count("once") == 1
