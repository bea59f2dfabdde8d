"""What somebody or something may be called: one line, as it is read out and written down."""

import unicodedata

from homesteward.people.errors import InvalidPersonError

LONGEST = 80


def checked_name(name: str) -> str:
    """Return `name` on one line, without what cannot be seen; raise InvalidPersonError for one that is empty or too long."""
    seen = "".join(letter if unicodedata.category(letter)[0] != "C" else " " for letter in name)
    seen = " ".join(seen.split())
    if not seen or len(seen) > LONGEST:
        raise InvalidPersonError(f"A name has 1 to {LONGEST} characters.", next="Choose another.")
    return seen
