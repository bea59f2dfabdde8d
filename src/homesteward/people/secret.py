"""Random secrets: made, kept as a hash, and compared without telling by the time it takes how much was right.

SHA-256 is right here and wrong for a PIN: these are 256 random bits, which nobody can try through at any speed, while a slow
hash at every request would only cost the house. What a person chose is in `pins`, under argon2id.
"""

import hmac
from hashlib import sha256
from secrets import token_hex, token_urlsafe

BYTES = 32
NONE = sha256(b"").hexdigest()
"""Compared with where there is no such secret, so that an unknown id takes as long as a wrong secret."""


def new_secret() -> str:
    """Return 256 new random bits, as they may stand in a header or a cookie."""
    return token_urlsafe(BYTES)


def new_short_id() -> str:
    """Return 64 random bits in hex: an id that is no secret and says nothing about when it was made."""
    return token_hex(8)


def digest(secret: str) -> str:
    """Return what is kept of `secret`."""
    return sha256(secret.encode(errors="surrogatepass")).hexdigest()


def fits(secret: str, kept: str) -> bool:
    """Return whether `secret` is the one of which `kept` was kept; an empty `kept` fits nothing."""
    return hmac.compare_digest(digest(secret), kept or NONE) and bool(kept)
