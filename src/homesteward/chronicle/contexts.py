"""Context ids as bytes: sixteen for a ULID, which Home Assistant's are, and for any other text a form that is never taken for one.

Home Assistant makes the context of a change that came by itself from the moment of the change (`ulid_at_time` of the state's
`last_updated`). Such a context needs no row of its own: its milliseconds are those of the change, and ten bytes are left.
"""

from datetime import datetime, timedelta

from homesteward.chronicle.stamps import micros, moment

ULID_LENGTH = 26
OWN_BYTES = 10
ULID_BYTES = 16
MAX_ID = 255  # characters kept of an id that is no ULID

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's: without I, L, O and U
BASE_32 = "0123456789abcdefghijklmnopqrstuv"  # the digits int() reads
_AS_DIGIT = bytes(ord(BASE_32[ALPHABET.index(chr(n))]) if chr(n) in ALPHABET else ord("!") for n in range(256))
_PAIRS = tuple(
    one + other for one in ALPHABET for other in ALPHABET
)  # two letters at once: an hour's page makes thousands
_PAIR_SHIFTS = tuple(range(5 * (ULID_LENGTH - 2), -1, -10))
_RANDOM = (1 << (8 * OWN_BYTES)) - 1
_TEXT, _TEXT_OF_FIFTEEN = b"\x01", b"\x02\x02"  # with one byte before them, fifteen would be as long as a ULID


def pack(context_id: str) -> bytes:
    """Return the id as bytes; of one that is no ULID no more than 255 characters count."""
    value = _ulid(context_id)
    if value is not None:
        return value.to_bytes(ULID_BYTES)
    text = context_id[:MAX_ID].encode("utf-8", "surrogatepass")
    return (_TEXT_OF_FIFTEEN if len(text) == ULID_BYTES - 1 else _TEXT) + text


def unpack(packed: bytes) -> str:
    """Return the id that `pack` made these bytes of."""
    if len(packed) == ULID_BYTES:
        return _letters(int.from_bytes(packed))
    text = packed[2:] if packed.startswith(_TEXT_OF_FIFTEEN) else packed[1:]
    return text.decode("utf-8", "surrogatepass")


def own_of(context_id: str, stamp: int) -> bytes | None:
    """Return what is left of a context made at `stamp` (microseconds) when its millisecond is taken away; None for any other id."""
    if len(context_id) != ULID_LENGTH or not context_id.isascii():
        return None
    try:
        value = int(context_id.encode().translate(_AS_DIGIT), 32)
    except ValueError:
        return None
    return (value & _RANDOM).to_bytes(OWN_BYTES) if value >> 80 == stamp // 1000 else None


def own_id(own: bytes, at: datetime) -> str:
    """Return the id of the context that a change at `at` had to itself."""
    return _letters((micros(at) // 1000) << (8 * OWN_BYTES) | int.from_bytes(own))


def own_span(context_id: str) -> tuple[datetime, datetime, bytes] | None:
    """Return where a row that has this context to itself would be: from, before, and its `own`; None for no ULID."""
    value = _ulid(context_id)
    if value is None:
        return None
    try:
        start = moment((value >> (8 * OWN_BYTES)) * 1000)
        return start, start + timedelta(milliseconds=1), (value & _RANDOM).to_bytes(OWN_BYTES)
    except OverflowError:  # a moment after the year 9999: nothing is there
        return None


def _ulid(text: str) -> int | None:
    """Return the number a canonical ULID stands for, None for any other text."""
    if len(text) != ULID_LENGTH or text[0] > "7" or not text.isascii():
        return None
    try:
        return int(text.encode().translate(_AS_DIGIT), 32)
    except ValueError:
        return None


def _letters(value: int) -> str:
    return "".join([_PAIRS[value >> shift & 1023] for shift in _PAIR_SHIFTS])
