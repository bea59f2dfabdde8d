"""Offers: external tools and controls that were found, and what an owner made of each: proposed, enabled or disabled.

Finding something only ever proposes it. What an enabled one does, and to what, comes from its row and never from what was said.
"""

from homesteward.actions.offers.errors import OfferError
from homesteward.actions.offers.keeper import Offers
from homesteward.actions.offers.offer import Offer, OfferState
from homesteward.actions.offers.tool import Tool, ToolSource

__all__ = ["Offer", "OfferError", "OfferState", "Offers", "Tool", "ToolSource"]
