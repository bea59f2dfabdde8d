"""The words of the pages: English stands in the templates themselves, every other language in a catalogue beside them."""

from functools import cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

LOCALE = Path(__file__).parent / "locale"
ENGLISH = "en"
LANGUAGES = (ENGLISH, "de")
MOST_WANTED = 20  # languages of one browser that are looked at


def N_(text: str) -> str:  # noqa: N802 - gettext's own name for a text that is translated where it is shown
    """Return `text`, which is thereby known to need a translation."""
    return text


@cache
def catalogue(language: str) -> NullTranslations:
    """Return the words of one of `LANGUAGES`."""
    if language == ENGLISH:
        return NullTranslations()
    compiled = BytesIO()
    with (LOCALE / f"{language}.po").open("rb") as file:
        write_mo(compiled, read_po(file, locale=language))
    compiled.seek(0)
    return GNUTranslations(compiled)


def language_of(accepted: str, home: str) -> str:
    """Return the first of `LANGUAGES` that the browser asks for, else the home's, else English."""
    wanted = (part.split(";", 1)[0].strip() for part in accepted.split(",")[:MOST_WANTED])
    for tag in (*wanted, home):
        base = tag.split("-", 1)[0].lower()
        if base in LANGUAGES:
            return base
    return ENGLISH


class Words:
    """The words of one language."""

    def __init__(self, language: str) -> None:
        """Speak one of `LANGUAGES`."""
        self.language = language
        self._catalogue = catalogue(language)

    def __call__(self, text: str, **values: object) -> str:
        """Return `text` in this language with its places (`%(name)s`) filled; whoever shows it escapes it."""
        return self._catalogue.gettext(text) % values if values else self._catalogue.gettext(text)

    def many(self, one: str, more: str, count: int) -> str:
        """Return the text for `count` things, which stands in it as `%(num)s`."""
        return self._catalogue.ngettext(one, more, count) % {"num": count}
