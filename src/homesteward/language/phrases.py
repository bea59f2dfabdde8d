"""The words for things, taken apart."""

from collections.abc import Collection


def without_leading(words: list[str], idle: Collection[str]) -> list[str]:
    """Return the words without those at their beginning that say nothing, such as articles."""
    start = next((n for n, word in enumerate(words) if word not in idle), len(words))
    return words[start:]


def parts_of(text: str, conjunctions: tuple[str, ...]) -> list[str]:
    """Return what is named one after the other."""
    for word in conjunctions:
        text = text.replace(f" {word} ", ", ")
    return [part.strip() for part in text.split(",") if part.strip()]
