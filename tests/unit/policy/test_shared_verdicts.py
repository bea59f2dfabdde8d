"""What a script does to hundreds of things is asked of the rules once for all that are alike to them, and decided as if each had been asked."""

import pytest

from homesteward.home.bodies import body_of
from homesteward.home.calls import ResolvedCall
from homesteward.home.inventory import Thing
from homesteward.home.simulation import SimulatedHome
from homesteward.policy import Action, book, decide
from judging import NOON, OWNER, ruled

THINGS = 200
RULES = "\n".join(
    f"  - {{name: r{n}, when: {{through: 'script.no_{n}', kind: routine}}, then: deny}}" for n in range(20)
)
CALL = ResolvedCall("script", "turn_on", ("script.all",))


def home() -> SimulatedHome:
    lamps = [f"light.l{n}" for n in range(THINGS)]
    steps = [{"action": "light.turn_on", "target": {"entity_id": lamp}} for lamp in lamps]
    return SimulatedHome.build([*map(Thing, lamps), Thing("script.all", body=body_of({"sequence": steps}))])


@pytest.fixture
def asked(monkeypatch) -> list[object]:
    """Every question of a rule about a thing."""
    found: list[object] = []
    fits = book.fits_own
    monkeypatch.setattr(book, "fits_own", lambda *args: found.append(args[1]) or fits(*args))
    return found


def test_rules_that_ask_nothing_of_the_thing_itself_are_asked_once_for_all_things(asked):
    assert decide(CALL, OWNER, home(), ruled(f"rules:\n{RULES}"), NOON).action is Action.ALLOW
    assert 0 < len(asked) <= 20 * 4


def test_a_rule_that_names_one_of_them_is_asked_about_that_one():
    named = "  - {name: one, when: {entity: light.l150}, then: deny}"
    assert decide(CALL, OWNER, home(), ruled(f"rules:\n{RULES}\n{named}"), NOON).rule == "rule one"


def test_a_rule_about_the_class_of_a_thing_is_asked_about_each():
    house = home()
    house.set_state("light.l150", "off", device_class="outdoor")
    by_class = "  - {name: one, when: {device_class: outdoor}, then: deny}"
    assert decide(CALL, OWNER, house, ruled(f"rules:\n{RULES}\n{by_class}"), NOON).rule == "rule one"
