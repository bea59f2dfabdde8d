"""A long list, page by page."""

from collections.abc import Sequence


def portion[Item](items: Sequence[Item], number: int, size: int) -> tuple[Sequence[Item], int, int]:
    """Return one page of `items`, its number (the last one's where there are no more), and how many pages there are."""
    pages = max(1, -(-len(items) // size))
    number = max(1, min(number, pages))
    return items[(number - 1) * size :][:size], number, pages
