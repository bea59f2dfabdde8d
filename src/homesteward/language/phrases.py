"""The words for things, taken apart."""

from collections.abc import Collection

from homesteward.language.lexicon import Lexicon


def without_leading(words: list[str], idle: Collection[str]) -> list[str]:
    """Return the words without those at their beginning that say nothing, such as articles."""
    start = next((n for n, word in enumerate(words) if word not in idle), len(words))
    return words[start:]


def parts_of(text: str, conjunctions: tuple[str, ...]) -> list[str]:
    """Return what is named one after the other."""
    for word in conjunctions:
        text = text.replace(f" {word} ", ", ")
    return [part.strip() for part in text.split(",") if part.strip()]


def quantity(text: str, words: Lexicon) -> tuple[bool, str]:
    """Return whether all are meant, and the words without "all", "everywhere" and articles."""
    everything = False
    for word in words.everywhere:
        if text == word or text.endswith(" " + word) or text.startswith(word + " "):
            inside = text.removeprefix(word) if text.startswith(word + " ") else text.removesuffix(word)
            everything, text = True, inside.strip()
            break
    kept = []
    for word in text.split():
        if word in words.all:
            everything = True
        elif word not in words.articles:
            kept.append(word)
    return everything, " ".join(kept)
