"""Every way in which one name may be spelled in a sentence."""

from functools import lru_cache

from homesteward.core.text import forms, signed

REMEMBERED = 20_000  # names whose spellings are kept from one revision to the next


@lru_cache(REMEMBERED)
def spellings(name: str) -> frozenset[str]:
    """Return the folded spellings of a name: as written, without accents, as a voice would say it, with its numbers' signs."""
    return forms(name) | spoken(name) | (forms(signed(name)) if signed(name) != name else frozenset())


def spoken(name: str) -> frozenset[str]:
    """Return the spellings of a name without its punctuation, as a voice would say it."""
    bare = "".join(letter if letter.isalnum() or letter == "'" else " " for letter in name)
    return forms(bare) if bare.strip() else frozenset()
