"""The page of what can be said, written from the sentences that are tested: `docs/speaking.md`, by `scripts/speaking-page`."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from spoken_cases import eval_cases

TESTS = Path(__file__).parent
PAGE = TESTS.parent / "docs" / "speaking.md"
NAMES = {
    "en": "English",
    "de": "German",
    "fr": "French",
    "nl": "Dutch",
    "ru": "Russian",
    "es": "Spanish",
    "it": "Italian",
    "pl": "Polish",
}
EACH = 8  # sentences shown of one kind
# The kinds of tested sentences in the order of the page: what the heading says, and which categories of cases they are.
KINDS = (
    ("Done", ("act",)),
    ("Answered from what the home is like now", ("answer", "question")),
    ("Answered from the past, calendars, lists and forecasts", ("recall",)),
    ("Hanging on the sentence before", ("dialogue",)),
    ("Planned for later", ("timed",)),
    ("Left as it is, and told why", ("negation", "condition", "statement", "reminder", "later", "absent", "range")),
)
HEAD = """# What can be said

Homesteward understands sentences without a model, in the languages of Home Assistant's own grammar; these eight it knows in depth. Every
sentence on this page is tested, on the demo home or on a home named in its language; none of them is special, and the names of your home
take the place of those here. The page is written from the tests by `scripts/speaking-page`.

```console
$ .venv/bin/homesteward ask "turn on the kitchen light"
$ .venv/bin/homesteward ask "is the kitchen light on?"
```

- **Which language** a sentence is in is told by its words, unless the request names one; names of things may be in any language. A word or two
  are taken to be in the language of the sentence before, else in the home's.
- **Times** are local. "At five" is the next five o'clock, in the morning or in the afternoon; a time that the clock skips is as much later as it was put
  forward. What is no single moment ("tonight", "in a few minutes", "every day") or lies more than 30 days ahead is not planned, and nothing is
  done instead.
- **"If", "when", "unless"** make a request an automation: nothing is done, and the answer says so.
- **What has no known shape** ("kitchen lamp switch off", "turn the darn kitchen lamp off") is done where nothing else can be meant, else offered: "Did you
  mean ...?", and a yes does it. See [how sure is sure](evals.md#how-sure-is-sure).
- **A question never acts**, whatever its words, and nothing similar is taken for something that is not there.
- **"It", "brighter", "and the bedroom"** are about what was spoken of last in the conversation, by the same person, within five minutes.
  "No, the other one" takes the last act back, as "undo that" does, and does the other.
- **The past** is told from the chronicle; what it does not know is said. Why something happened is told in English or German.
"""


def page() -> str:
    """Return the page as the tests have it now."""
    return "\n".join([HEAD, *(line for language in NAMES for line in _language(language)), ""])


def _language(language: str) -> Iterator[str]:
    cases = [case for case in eval_cases() if case["language"] == language]
    yield f"## {NAMES[language]}"
    yield ""
    for heading, categories in KINDS:
        said = [_said(case) for case in cases if case["category"] in categories]
        yield f"**{heading}**"
        yield ""
        yield from (f"- {text}" for text in _spread(said))
        yield ""
    yield f"**Times**: {', '.join(words for words, *_ in _times()[language]['times'])}."
    yield ""


def _said(case: dict[str, Any]) -> str:
    return " → ".join(case.get("turns") or [case["utterance"]])


def _spread(said: list[str]) -> list[str]:
    """Return up to EACH of the sentences, from all over the list, so that every sort is shown."""
    step = max(1, len(said) // EACH)
    return said[::step][:EACH]


def _times() -> dict[str, Any]:
    written: dict[str, Any] = yaml.safe_load((TESTS / "unit" / "language" / "times.yaml").read_text(encoding="utf-8"))
    return written
