"""The same word in another case: names are said as the sentence bends them, and written as they are."""

from dataclasses import dataclass

from homesteward.core.text import fold
from homesteward.language.spelling import bare

SHORTEST = 3  # letters of a stem


@dataclass(frozen=True, slots=True)
class Inflection:
    """How the words of one language end: an ending, and what stands in its place in the stem (mostly nothing)."""

    endings: tuple[tuple[str, str], ...]  # the longest first

    @classmethod
    def of(cls, rules: list[str]) -> Inflection | None:
        """Read rules such as `ami` (cut off) and `ce>k` (replaced); None where there are none."""
        pairs = [(ending, instead) for ending, _, instead in (fold(rule).partition(">") for rule in rules)]
        return cls(tuple(sorted(pairs, key=lambda pair: -len(pair[0])))) if pairs else None

    def stem(self, word: str) -> str:
        """Return what the forms of one folded word have in common, without accents."""
        for ending, instead in self.endings:
            stem = word.removesuffix(ending)
            if stem != word and len(stem) + len(instead) >= SHORTEST:
                return bare(stem + instead)
        return bare(word)

    def stems(self, phrase: str) -> str:
        """Return the stems of a folded phrase, in its order."""
        return " ".join(self.stem(word) for word in phrase.split())
