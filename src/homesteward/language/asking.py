"""The words of "which one?"."""

from collections.abc import Sequence

from homesteward.language.reading import Option
from homesteward.language.texts import Texts, texts

MAX_OPTIONS = 8  # more than a person can choose from by ear


def which_text(options: Sequence[Option], language: str) -> tuple[str, int]:
    """Return the question which of the options is meant, and how many of them it names."""
    said, labels = texts(language), [option.label for option in options[:MAX_OPTIONS]]
    key = "which" if len(options) <= MAX_OPTIONS else "which_many"
    return said(key, options=either(labels, said), count=len(options)), len(labels)


def either(labels: Sequence[str], said: Texts) -> str:
    """Return the labels as a choice: a, b or c."""
    return f" {said('or')} ".join([*([", ".join(labels[:-1])] if len(labels) > 1 else []), *labels[-1:]])
