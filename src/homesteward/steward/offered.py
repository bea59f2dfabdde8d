"""Whole sentences that are the name of an offer: an enabled one is used before anything is guessed, any other is told for what it is."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache

from homesteward.actions.offers import Offer, OfferError, Offers, OfferState
from homesteward.actions.offers.arguments import READ, arguments_in, from_tail, takes_tail
from homesteward.core.json import JsonObject
from homesteward.home.calls import Call
from homesteward.home.model import EMPTY
from homesteward.language import Acts, Asks, Declines, NotUnderstood, Option, Reading, is_question
from homesteward.language.guards import without_politeness
from homesteward.language.offered import offer_text, which_offer
from homesteward.language.tidy import ENDS, tidy
from homesteward.people import Caller

# What the language may have made of a sentence that it does not know: then the name of an offer that is not enabled counts.
OFFER = "offer_"  # how an option begins that is one
LOST = frozenset({"unknown_entity", "unknown_area", "not_exposed"})


class Offered:
    """Read the names of offers. What one does, and to what, is its row's; the words around it decide nothing."""

    def __init__(self, offers: Offers | None) -> None:
        """Read those of `offers`; without any, every sentence is the language's."""
        self._offers = offers

    async def read(
        self, text: str, caller: Caller, language: str, area_id: str | None, otherwise: Callable[[], Reading]
    ) -> Reading:
        """Return what `text` asks for as the name of an offer, else what `otherwise` makes of it."""
        if self._offers is None:
            return otherwise()
        offers, said, asks = self._offers, _said(text, language), is_question(text, language)
        if any(_meant(await offers.enabled(), said, text)):
            enabled = await offers.sayable(caller, area_id, OfferState.ENABLED)
            if meant := list(_meant([offer for offer in enabled if not asks or offer.effect == READ], said, text)):
                return _used(offers, meant, language)
        reading = otherwise()
        if asks or not _lost(reading):
            return reading
        others = await offers.sayable(caller, area_id, OfferState.PROPOSED, OfferState.DISABLED)
        held = next((offer for offer in others if _names(offer) & said), None)
        return _used(offers, [(held, EMPTY)], language) if held else reading

    async def again(self, option: Option, call: Call, caller: Caller, language: str) -> Acts | Declines:
        """Return what an answer to "which one?" comes to now: an offer may have been disabled, or become another, since it was asked."""
        if self._offers is None or not option.entity_id.startswith(OFFER):
            return Acts((call,))
        try:
            offer = await self._offers.get(option.entity_id, caller)
            return Acts((self._offers.call_of(offer, arguments_in(offer, call)),))
        except OfferError as error:
            return _declines(error, language)


def _used(offers: Offers, meant: Sequence[tuple[Offer, JsonObject | OfferError]], language: str) -> Reading:
    """Return the one call that was meant, the question which one, or what keeps it."""
    calls: list[tuple[Offer, Call]] = []
    kept: list[OfferError] = []
    for offer, arguments in meant:
        try:
            calls.append((offer, offers.call_of(offer, _given(arguments))))
        except OfferError as error:
            kept.append(error)
    if not calls:
        return _declines(kept[0], language)
    return Acts((calls[0][1],)) if len(calls) == 1 else _asks(calls, language)


def _given(arguments: JsonObject | OfferError) -> JsonObject:
    if isinstance(arguments, OfferError):
        raise arguments
    return arguments


def _said(text: str, language: str) -> frozenset[str]:
    """Return the sentence as it is compared, with and without politeness."""
    return frozenset({tidy(text), without_politeness(tidy(text), language)}) - {""}


def _meant(offers: Iterable[Offer], said: frozenset[str], text: str) -> Iterator[tuple[Offer, JsonObject | OfferError]]:
    """Yield the offers that the sentence is the whole name of; else those whose name begins it and that take the rest, the longest name alone."""
    offers = list(offers)
    whole = [offer for offer in offers if _names(offer) & said]
    if whole:
        yield from ((offer, EMPTY) for offer in whole)
        return
    begun = [
        (len(name), offer, sentence[len(name) + 1 :])
        for offer in offers
        if takes_tail(offer)
        for name in _names(offer)
        for sentence in said
        if sentence.startswith(f"{name} ")
    ]
    longest = max((size for size, *_ in begun), default=0)
    for offer, tail in {offer.id: (offer, tail) for size, offer, tail in begun if size == longest}.values():
        yield offer, _bound(offer, _as_given(text, tail))


def _as_given(text: str, tail: str) -> str:
    """Return the tail as it was written: a name keeps its capitals."""
    words = text.split()
    ends = (" ".join(words[n:]).rstrip(ENDS) for n in range(len(words)))
    return next((end for end in ends if tidy(end) == tail), tail)


def _bound(offer: Offer, tail: str) -> JsonObject | OfferError:
    try:
        return from_tail(offer, tail)
    except OfferError as error:
        return error


def _names(offer: Offer) -> frozenset[str]:
    return frozenset(map(_name, offer.usage.phrases)) - {""}


@lru_cache(4096)
def _name(phrase: str) -> str:
    return tidy(phrase)


def _lost(reading: Reading) -> bool:
    return isinstance(reading, NotUnderstood) or (isinstance(reading, Declines) and reading.code in LOST)


def _declines(error: OfferError, language: str) -> Declines:
    offer = error.offer
    code = "changed" if error.code == "not_enabled" and offer.changed else error.code
    text, onward = offer_text(code, language, name=offer.tool.title, offer_id=offer.id, what=error.what)
    return Declines(error.code, text, onward)


def _asks(calls: Sequence[tuple[Offer, Call]], language: str) -> Asks:
    titles = Counter(offer.tool.title for offer, _ in calls)
    labels = [
        offer.tool.title
        if titles[offer.tool.title] == 1
        else f"{offer.tool.title} ({offer.tool.entity_id or offer.source})"
        for offer, _ in calls
    ]
    options = tuple(Option(offer.id, label) for (offer, _), label in zip(calls, labels, strict=True))
    return Asks(which_offer(labels, language), options, tuple(call for _, call in calls))
