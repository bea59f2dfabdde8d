"""Chance that repeats itself."""

import random


def chance(seed: int, *topic: object) -> random.Random:
    """Return random numbers that no other topic draws from, so that one more thing in the house changes no other's."""
    return random.Random(":".join(map(str, (seed, *topic))))  # noqa: S311 - a story, not a secret
