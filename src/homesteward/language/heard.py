"""What was heard before in one home, at one revision of its names: the same words again need not be understood again.

Kept is what was understood, never a call and never an answer: the home may stand otherwise by now, and is looked at each time.
"""

from collections import OrderedDict

from homesteward.language.reading import Acts, Asked, Reading

MOST = 1024  # sentences
type Key = tuple[str | None, ...]


class Heard:
    """Remember the sentences that asked for something, the latest of them."""

    def __init__(self) -> None:
        """Begin with none."""
        self._asked: OrderedDict[Key, tuple[Asked, ...]] = OrderedDict()

    def keep(self, key: Key, reading: Reading) -> None:
        """Remember what the sentence asked for, if it did, at once, and whatever state the home was in."""
        if not isinstance(reading, Acts) or not reading.asked or reading.at or reading.until:
            return
        self._asked[key] = reading.asked
        self._asked.move_to_end(key)
        while len(self._asked) > MOST:
            self._asked.popitem(last=False)

    def of(self, key: Key) -> tuple[Asked, ...]:
        """Return what these words asked for, nothing where they are new."""
        return self._asked.get(key, ())


def key_of(text: str, *where: str | None) -> Key:
    """Return what tells this sentence from others: its words, whatever their case and spaces, and where it was said."""
    return (" ".join(text.casefold().split()), *where)
