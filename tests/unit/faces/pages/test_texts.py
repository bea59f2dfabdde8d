"""Every word of the pages is there in every language, and nothing hostile can pass for one of ours."""

import re
import runpy
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from homesteward.faces.web.pages.texts import ENGLISH, LANGUAGES, LOCALE, Words, language_of

ROOT = Path(__file__).parents[4]
TEMPLATES = LOCALE.parent / "templates"
PLACES = re.compile(r"%\((\w+)\)s")


def catalogue(language):
    with (LOCALE / f"{language}.po").open("rb") as file:
        return read_po(file, locale=language)


def parts(text) -> tuple[str, ...]:
    return tuple(text) if isinstance(text, list | tuple) else (text,)


@pytest.fixture(scope="module")
def said() -> set[str]:
    """What templates and code say."""
    words = runpy.run_path(str(ROOT / "scripts" / "texts"))["extracted"]()
    return {parts(message.id)[0] for message in words if message.id}


@pytest.mark.parametrize("language", [each for each in LANGUAGES if each != ENGLISH])
def test_nothing_is_untranslated_and_nothing_is_left_over(language, said):
    kept = {parts(message.id)[0]: message for message in catalogue(language) if message.id}
    assert set(kept) == said, "run scripts/texts"
    assert [name for name, message in kept.items() if not all(parts(message.string))] == []
    assert [name for name, message in kept.items() if message.fuzzy] == []


@pytest.mark.parametrize("language", [each for each in LANGUAGES if each != ENGLISH])
def test_a_translation_has_the_places_of_the_text(language):
    for message in catalogue(language):
        if message.id:
            wanted = set(PLACES.findall(parts(message.id)[-1]))
            assert all(set(PLACES.findall(text)) == wanted for text in parts(message.string)), message.id


def test_a_template_translates_only_what_it_says_itself():
    """What a variable holds would come out of a translation unescaped."""
    for path in TEMPLATES.rglob("*.html"):
        for call in re.findall(r"\b(?:_|gettext|ngettext)\((.)", path.read_text()):
            assert call == '"', path.name


def test_no_template_calls_anything_safe():
    for path in TEMPLATES.rglob("*.html"):
        text = path.read_text()
        assert not re.search(r"\|\s*safe\b|autoescape|Markup", text), path.name


@pytest.mark.parametrize(
    ("accepted", "home", "language"),
    [
        ("de-AT,de;q=0.9,en;q=0.8", "en", "de"),
        ("fr-FR,de;q=0.5", "en", "de"),
        ("fr", "de-CH", "de"),
        ("", "nl", "en"),
        ("*;q=0.1", "de", "de"),
        ("en-GB", "de", "en"),
    ],
)
def test_a_page_is_in_the_first_language_of_ours_that_the_browser_asks_for_else_the_homes(accepted, home, language):
    assert language_of(accepted, home) == language


def test_a_text_says_its_values_and_counts():
    german = Words("de")
    assert german("Version %(number)s", number="1.2") == "Version 1.2"
    assert german.many("%(num)s entity", "%(num)s entities", 1) == "1 Entität"
    assert german.many("%(num)s entity", "%(num)s entities", 5) == "5 Entitäten"
