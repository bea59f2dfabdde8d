"""What is said of an offer that was meant by its name, from `data/offers.<language>.yaml`; English where a language has no such file."""

from collections.abc import Iterable, Mapping
from typing import cast

from homesteward.language.tables import table
from homesteward.language.texts import FALLBACK, texts

# What a person calls a source that is no server of theirs.
SOURCES = {"ha_script": "Home Assistant"}


def offer_text(code: str, language: str, *, name: str, offer_id: str, what: str = "") -> tuple[str, str]:
    """Return what keeps an offer, by its code, and the way on."""
    said = _said(language)
    values = {"name": name, "id": offer_id, "what": SOURCES.get(what, what)}
    return said[code].format(**values), said[f"{code}.next"].format(**values)


def which_offer(labels: Iterable[str], language: str) -> str:
    """Return the question which of several offers was meant."""
    say = texts(language)
    *first, last = labels
    return _said(language)["which"].format(
        options=f" {say.table['or']} ".join([*([", ".join(first)] if first else []), last])
    )


def _said(language: str) -> Mapping[str, str]:
    return cast("Mapping[str, str]", table("offers", language) or table("offers", FALLBACK))
