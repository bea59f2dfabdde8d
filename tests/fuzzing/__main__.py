"""Say sentences and print what they came to; `scripts/fuzz-sentences` tells how."""

import sys
from time import perf_counter

from fuzzing.verdicts import Tally, fuzzed


def main(count: int, seed: int, language: str) -> int:
    """Say `count` sentences; return 1 if a wrong action was among them."""
    tally, begun = Tally(), perf_counter()
    for verdict in fuzzed(count, seed, language):
        tally.add(verdict)
    for verdict in (*tally.wrong, *tally.offered, *tally.missed):
        print(verdict)
    for (kind, came_to), many in sorted(tally.counted.items()):
        print(f"{kind:24} {came_to:8} {many:6}")
    print(f"{count} sentences, {len(tally.wrong)} wrong, {len(tally.offered)} offered, {perf_counter() - begun:.0f} s")
    return 1 if tally.wrong else 0


if __name__ == "__main__":
    count, seed, language = [*sys.argv[1:], *("1000", "0", "")[len(sys.argv) - 1 :]]
    sys.exit(main(int(count), int(seed), language))
