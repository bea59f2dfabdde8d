"""A visit: who looks at a page, in which language and place, and how it is made for them."""

from dataclasses import dataclass
from datetime import datetime

from homesteward.faces.web.address import Seen
from homesteward.faces.web.callers import Asker
from homesteward.faces.web.pages.local import Local, Moment
from homesteward.faces.web.pages.texts import Words
from homesteward.home.live import LiveHome
from homesteward.people import Caller


@dataclass(frozen=True, slots=True)
class Visit:
    """Somebody looks at a page. `home` is what exists for them; `partial`: only a part of the page is wanted.

    `root` leads from the page to the front page, `csrf` goes with every form.
    """

    asker: Asker
    seen: Seen
    home: LiveHome
    root: str
    path: str
    csrf: str
    theme: str
    say: Words
    local: Local
    now: datetime
    partial: bool = False

    @property
    def caller(self) -> Caller:
        """Return who looks."""
        return self.asker.caller

    @property
    def language(self) -> str:
        """Return the language of the page."""
        return self.say.language

    def when(self, at: datetime) -> Moment:
        """Return the moment as this page tells it."""
        return self.local.moment(at, self.now)
