"""What happened in the house and why: an intake filter, one batch writer, backfill, retention, queries and causal chains.

`Chronicle` is all of it, opened over a home; its `history` answers questions. Below it lie the records (`record`), the tables they are
kept in (`tables`), and one file for each idea between the two.
"""

from homesteward.chronicle.chronicle import Chronicle
from homesteward.chronicle.history import History
from homesteward.chronicle.query import Query
from homesteward.chronicle.record import Act, Kind

__all__ = ["Act", "Chronicle", "History", "Kind", "Query"]
