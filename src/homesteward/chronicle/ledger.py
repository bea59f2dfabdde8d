"""The chronicle's tables as a ledger of their own, so that what the house does never stands before what was decided."""

from pathlib import Path

from homesteward.store.ledger import Durability, Ledger

CHRONICLE = Ledger("chronicle", ("c0001",), Path(__file__).parent / "migrations", Durability.NORMAL)
