"""The offers of a house, wired: Home Assistant's scripts are found by themselves, and the gate carries out what is decided about them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from homesteward.actions.notice import NoticeKind
from homesteward.actions.notice_words import text_of
from homesteward.actions.offers import Offer, Offers
from homesteward.actions.offers.enabling import OfferCalls
from homesteward.actions.offers.following import follow
from homesteward.actions.offers.scripts import HomeScripts
from homesteward.actions.reserved_calls import ReservedCalls
from homesteward.app.entry import Entry
from homesteward.core import Clock
from homesteward.home.live import LiveHome
from homesteward.store import Database


@contextmanager
def open_offers(
    home: LiveHome, database: Database, clock: Clock, entry: Entry, reserved: ReservedCalls, language: Callable[[], str]
) -> Iterator[Offers]:
    """Keep the offers of `home`, follow its scripts, and have `reserved` carry out what is decided; undo it all at the end."""

    def tell(offer: Offer) -> None:
        kind, name = NoticeKind.OFFER_CHANGED, offer.tool.title
        entry.notices.tell(kind, offer.id, text_of(kind, language(), name=name, changed=offer.changed))

    sources = (HomeScripts(home),)
    offers = Offers(database, home, clock, sources=sources, witness=entry.witness, tell=tell)
    put_out, unfollow = reserved.add(OfferCalls(offers, home)), follow(offers)
    try:
        yield offers
    finally:
        unfollow()
        put_out()
