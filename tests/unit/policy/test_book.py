"""Rules made ready decide as rules read one by one: whatever is worked out beforehand, or once for many things, changes no verdict."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from homes import small_home
from homesteward.home.calls import ResolvedCall
from homesteward.home.model import Area, Label
from homesteward.policy import Policy, RuleBook, decide, verdicts
from homesteward.policy.rule import RuleFile, When
from homesteward.policy.wording import LANGUAGES, limit_sentence, rule_sentence, words_of
from judging import GUEST, MEMBER, NOON, OWNER, at, ruled

CONDITIONS = {
    "domain": ["light", ["light", "switch", "lock"]],
    "service": ["light.turn_on", "turn_*", "*.turn_off"],
    "entity": ["light.k*", ["light.study", "switch.coffee"], "lock.*"],
    "area": ["Kitchen", ["Office", "hall"], "nowhere"],
    "floor": ["Upstairs", "ground"],
    "label": ["Security", "entrance", "unheard of"],
    "device_class": ["blind", "garage"],
    "kind": ["routine", ["sensitive", "unknown"]],
    "data": [{"brightness_pct": {"above": 50}}, {"brightness_pct": 40}],
    "through": ["script.*", "light.upstairs"],
    "role": ["guest", ["owner", "member"]],
    "person": ["owner"],
    "channel": ["cli", "page"],
    "token": ["token_1"],
    "time": ["11:00-13:00", "22:00-06:00"],
    "weekday": ["mon", ["sat", "sun"]],
    "sun": ["up", "down"],
    "presence": ["somebody", "nobody"],
    "state": [{"lock.front_door": "locked"}, {"light.hall": "on"}],
    "mode": ["auto", "plan"],
    "outside": [True, False],
    "more_than": ["1 per hour"],
}
WHENS = st.dictionaries(st.sampled_from(sorted(CONDITIONS)), st.integers(0, 2), max_size=3).map(
    lambda chosen: {name: CONDITIONS[name][n % len(CONDITIONS[name])] for name, n in chosen.items()}
)
NEGATED = st.tuples(WHENS, WHENS).map(lambda both: {**both[0], **({"not": both[1]} if both[1] else {})})
RULES = st.lists(st.tuples(NEGATED, st.sampled_from(["allow", "confirm", "approve", "deny"])), max_size=8)
LIMITS = st.lists(st.tuples(WHENS, st.sampled_from([{"brightness": {"max": 60}}, {"every": "1 per hour"}])), max_size=3)
ENTITIES = st.lists(
    st.sampled_from(
        sorted(e for e in small_home().states if e.partition(".")[0] in {"light", "switch", "lock", "cover"})
    ),
    min_size=1,
    max_size=8,
    unique=True,
)
DATA = st.sampled_from([{}, {"brightness_pct": 40}, {"brightness_pct": 80}])


def counts(_service, entity_id, _within):
    return 3 if "kitchen" in entity_id else 0


def file_of(rules, limits):
    return RuleFile.model_validate(
        {
            "version": 1,
            "rules": [{"name": f"r{n}", "when": when, "then": then} for n, (when, then) in enumerate(rules)],
            "limits": [
                {"name": f"l{n}", "when": when, "then": "approve", **what} for n, (when, what) in enumerate(limits)
            ],
        }
    )


@settings(max_examples=150)
@given(RULES, LIMITS, ENTITIES, DATA, st.sampled_from(["turn_on", "turn_off"]), st.sampled_from([OWNER, MEMBER, GUEST]))
def test_what_is_decided_once_for_many_is_what_each_would_get_alone(rules, limits, entities, data, service, caller):
    home, policy, moment = small_home(), Policy(book=RuleBook(file_of(rules, limits))), at(counts=counts)
    call = ResolvedCall("homeassistant", service, tuple(entities), data)
    for part, decision in verdicts(call, caller, home, policy, moment):
        for entity_id in part.entity_ids:
            alone = decide(
                replace(call, entity_ids=(entity_id,)),
                caller,
                home,
                Policy(book=RuleBook(file_of(rules, limits))),
                moment,
            )
            assert alone.verdict == decision.verdict


def test_every_condition_there_is_takes_part_in_that():
    assert {*CONDITIONS, "none_of"} == set(When.model_fields)


def test_a_rule_may_be_called_as_a_limit_that_holds_in_every_home():
    policy = ruled("rules: [{name: room temperature, when: {role: owner}, then: deny}]")
    warm = ResolvedCall("climate", "set_temperature", ("climate.thermostat",), {"temperature": 21})
    hot = replace(warm, data={"temperature": 40})
    home = small_home()
    assert decide(warm, OWNER, home, policy, NOON).rule == "rule room temperature"
    assert decide(warm, MEMBER, home, policy, NOON).action == "allow"
    assert decide(hot, MEMBER, home, policy, NOON).rule == "limit room temperature"


def test_a_thing_that_moves_to_another_area_is_judged_there_from_the_next_decision():
    home, policy = small_home(), ruled("rules: [{name: Den, when: {area: Den}, then: deny}]")
    lamp = ResolvedCall("light", "turn_on", ("light.kitchen",))
    assert decide(lamp, OWNER, home, policy, NOON).action == "allow"
    home.areas["kitchen"] = Area("kitchen", "Den", "ground")
    home.revision += 1
    assert decide(lamp, OWNER, home, policy, NOON).action == "deny"


def test_a_label_that_is_renamed_is_found_by_its_new_name():
    home, policy = small_home(), ruled("rules: [{name: Keep out, when: {label: Keep out}, then: deny}]")
    lock = ResolvedCall("lock", "lock", ("lock.front_door",))
    assert decide(lock, OWNER, home, policy, NOON).action == "approve"
    home.labels["security"] = Label("security", "Keep Out")
    home.revision += 1
    assert decide(lock, OWNER, home, policy, NOON).action == "deny"


def test_who_is_home_is_asked_of_the_home_as_it_is_now():
    home, policy = small_home(), ruled("rules: [{name: Empty, when: {presence: nobody}, then: deny}]")
    lamp = ResolvedCall("light", "turn_on", ("light.kitchen",))
    for state, action in (("home", "allow"), ("not_home", "deny"), ("home", "allow")):
        home.set_state("person.ada", state)
        assert decide(lamp, OWNER, home, policy, NOON).action == action


@settings(max_examples=60)
@given(RULES, LIMITS, st.sampled_from(["en", "de", "xx", "de-AT"]))
def test_every_rule_and_limit_can_be_told_in_every_language(rules, limits, language):
    file, words = file_of(rules, limits), words_of(language)
    said = [
        *(rule_sentence(rule, words) for rule in file.rules),
        *(limit_sentence(limit, words) for limit in file.limits),
    ]
    assert all(text.endswith(".") and "{" not in text for text in said)


def test_the_languages_say_the_same_things():
    assert len({frozenset(table) for table in LANGUAGES.values()}) == 1
    fields = {name: {part[1] for part in _fields(text)} for name, text in LANGUAGES["en"].items()}
    for table in LANGUAGES.values():
        assert {name: {part[1] for part in _fields(text)} for name, text in table.items()} == fields


def _fields(text):
    from string import Formatter  # noqa: PLC0415 - this check alone

    return [part for part in Formatter().parse(text) if part[1] is not None]


@pytest.mark.parametrize(
    ("rule", "english", "german"),
    [
        (
            "{name: a, when: {device_class: garage, time: '22:00-06:00'}, then: approve, by: owner, expires: 2h}",
            "If it is of the class garage and it is between 22:00 and 06:00: it waits for an approval by an owner, for 2 h at most.",
            "Wenn es von der Klasse garage ist und es zwischen 22:00 und 06:00 ist: es wartet auf eine Freigabe durch einen Eigentümer, höchstens 2 h lang.",
        ),
        ("{name: a, then: deny}", "Always: it is refused.", "Immer: es wird abgelehnt."),
        (
            "{name: a, when: {role: [guest, token], not: {area: Kitchen}}, then: confirm, pin: true, notify: true}",
            "If a guest or a program asks and not (it is in Kitchen): it is asked back first, with a PIN, and the owner is told.",
            "Wenn ein Gast oder ein Programm fragt und nicht (es in Kitchen ist): es wird erst nachgefragt, mit PIN, und der Eigentümer erfährt davon.",
        ),
        (
            "{name: a, when: {data: {brightness_pct: {above: 80}}, more_than: 5 per hour}, then: deny}",
            "If brightness_pct is above 80 and it was done 5 times within 1 h already: it is refused.",
            "Wenn brightness_pct über 80 ist und es innerhalb von 1 h schon 5-mal geschah: es wird abgelehnt.",
        ),
    ],
)
def test_a_rule_is_a_sentence(rule, english, german):
    (told,) = ruled(f"rules: [{rule}]").book.rules
    assert (rule_sentence(told, words_of("en")), rule_sentence(told, words_of("de"))) == (english, german)


def test_a_limit_is_a_sentence():
    book = ruled(
        "limits: [{name: a, when: {area: Nursery}, temperature: {min: 17, max: '72 °F', step: 2}, then: approve}]"
    ).book
    assert limit_sentence(book.limits[0], words_of("en")) == (
        "If it is in Nursery: temperature from 17 to 22.22 °C, temperature changed by 2 K at once at most; beyond that it waits for an approval."
    )
