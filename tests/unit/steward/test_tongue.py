"""In which language somebody is answered: the one asked for, else the one they speak, else the home's."""

import pytest

from homesteward.people import Caller, Channel, Role
from homesteward.steward import Request

OWNER = Caller(Role.OWNER, Channel.CLI, "Robin")


async def ask(house, text, language=""):
    return await house.steward.ask(Request(text, OWNER, "c", language=language))


@pytest.mark.parametrize(
    ("text", "language", "reply"),
    [
        ("schalte bitte das Kitchen light ein", "de", "Kitchen light"),
        ("allume s'il te plaît la Kitchen light", "fr", "Kitchen light"),
        ("zet alsjeblieft Kitchen light aan", "nl", "Kitchen light"),
        ("включи пожалуйста Kitchen light", "ru", "Kitchen light"),
        ("enciende por favor la Kitchen light", "es", "Kitchen light"),
        ("accendi per favore la Kitchen light", "it", "Kitchen light"),
        ("włącz proszę Kitchen light", "pl", "Kitchen light"),
        ("turn on the kitchen light", "en", "Turned on Kitchen light."),
    ],
)
async def test_a_sentence_is_understood_in_the_language_it_is_in(house, home, text, language, reply):
    answer = await ask(house, text)
    assert answer.language == language
    assert reply in answer.reply
    assert home.states["light.kitchen"].state == "on"


async def test_the_language_asked_for_wins(house, home):
    answer = await ask(house, "schalte bitte das Kitchen light ein", language="en")
    assert (answer.language, home.states["light.kitchen"].state) == ("en", "off")


async def test_short_words_are_in_the_language_of_the_sentence_before(house, home):
    await ask(house, "schalte bitte das Kitchen light ein")
    answer = await ask(house, "mach es aus")
    assert (answer.language, home.states["light.kitchen"].state) == ("de", "off")


async def test_a_guard_of_another_language_holds(house, home):
    answer = await ask(house, "schalte bitte das Kitchen light nicht ein")
    assert (answer.language, home.states["light.kitchen"].state) == ("de", "off")
