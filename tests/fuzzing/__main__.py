"""Say sentences and print what they came to; `scripts/fuzz-sentences` tells how."""

import sys
from time import perf_counter

from fuzzing.verdicts import Tally, fuzzed


def main(count: int = 1000, seed: int = 0, language: str = "") -> int:
    """Say `count` sentences; return 1 if a wrong action was among them."""
    tally, begun = Tally(), perf_counter()
    for verdict in fuzzed(count, seed, language):
        tally.add(verdict)
    for verdict in (*tally.wrong, *tally.missed):
        print(verdict)
    for (kind, came_to), many in sorted(tally.counted.items()):
        print(f"{kind:24} {came_to:8} {many:6}")
    print(f"{count} sentences, {len(tally.wrong)} wrong, {perf_counter() - begun:.0f} s")
    return 1 if tally.wrong else 0


if __name__ == "__main__":
    arguments = sys.argv[1:]
    sys.exit(main(*(int(text) for text in arguments[:2]), *arguments[2:]))
