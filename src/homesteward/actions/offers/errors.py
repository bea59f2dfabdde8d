"""Why an offer cannot be used: each of these is an answer of its own, with its own way on."""

from homesteward.actions.errors import GateError
from homesteward.actions.offers.offer import Offer


class UnknownOfferError(GateError):
    """There is no such offer."""

    code = "unknown_offer"


class OfferChangedError(GateError):
    """The offer is not what it was when it was asked about."""

    code = "offer_changed"


class OfferError(GateError):
    """An offer that cannot be used at present; it is named, so that a face can say why in its own language."""

    def __init__(self, offer: Offer, message: str, *, next: str, retry: bool = False, what: str = "") -> None:  # noqa: A002 - the field's name in the contract
        """Say of `offer` what keeps it; `what` is the part of that which no language changes."""
        super().__init__(message, next=next, retry=retry)
        self.offer, self.what = offer, what


class NotEnabledError(OfferError):
    """Nobody has enabled it, or not as what it is now."""

    code = "not_enabled"


class NoServerError(OfferError):
    """Its source is not set up here any more."""

    code = "no_server"


class SourceAwayError(OfferError):
    """Its source is set up, and cannot be reached at present."""

    code = "not_connected"


class ToolGoneError(OfferError):
    """Its source can be reached, and offers it no more."""

    code = "tool_gone"


class NeedsArgumentsError(OfferError):
    """It takes arguments that nobody gave, and none is guessed."""

    code = "needs_arguments"


def not_enabled(offer: Offer) -> NotEnabledError:
    """Return the error of an offer that is proposed, proposed again, or disabled."""
    way = f"An owner can enable it: homesteward tools offers enable {offer.id}"
    title = offer.tool.title
    if offer.changed:
        return NotEnabledError(
            offer, f"{title} is not what was enabled: {offer.changed}.", next=way, what=offer.changed
        )
    return NotEnabledError(offer, f"{title} is known here, and nobody has enabled it.", next=way)


def no_server(offer: Offer) -> NoServerError:
    """Return the error of an offer whose source is not set up."""
    return NoServerError(
        offer,
        f"{offer.tool.title} belongs to {offer.source}, which is not set up here.",
        next="Set it up again, or forget the offer.",
        what=offer.source,
    )


def away(offer: Offer) -> SourceAwayError:
    """Return the error of an offer whose source does not answer."""
    return SourceAwayError(
        offer,
        f"{offer.tool.title} is enabled, but {offer.source} cannot be reached at present.",
        next="Try again when it is back.",
        retry=True,
        what=offer.source,
    )


def gone(offer: Offer) -> ToolGoneError:
    """Return the error of an offer that its source lists no more."""
    return ToolGoneError(
        offer,
        f"{offer.tool.title} is enabled, but {offer.source} offers it no more.",
        next="Look for it there, or forget the offer.",
        what=offer.source,
    )
