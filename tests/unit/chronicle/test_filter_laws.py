"""Laws of the filter that hold whatever a house says."""

from hypothesis import given
from hypothesis import strategies as st

from homesteward.chronicle.filter import Filter
from homesteward.chronicle.filter_rules import OwnerRules, Rule, judge, plan_for
from homesteward.chronicle.filter_tables import Deadband, deadband_of
from homesteward.chronicle.memory import Logged
from homesteward.home.model import State

NUMBERS = st.floats(-1e6, 1e6).map(lambda number: str(round(number, 3)))
WORDS = st.sampled_from(["on", "off", "unavailable", "unknown", "nan", "inf", "", "1e5", "12 "])
STATES = st.lists(NUMBERS | WORDS, max_size=40)
UNITS = st.sampled_from(
    [("power", "W"), ("temperature", "°C"), ("illuminance", "lx"), ("", "steps"), ("voltage", "V"), ("", "dBm")]
)
IDS = st.sampled_from(["sensor.a", "sensor.b_rssi", "sensor.c", "light.d", "input_number.e", "image.f"])
PATTERNS = st.lists(st.sampled_from(["*", "sensor.*", "sensor.a", "*_rssi", "light.*"]), max_size=3).map(tuple)
RULES = st.builds(
    OwnerRules,
    PATTERNS,
    PATTERNS,
    st.dictionaries(st.sampled_from(["*", "sensor.*", "sensor.c"]), st.floats(0, 100), max_size=2),
)


def state(entity_id: str, unit: tuple[str, str], text: str) -> State:
    return State(entity_id, text, {"device_class": unit[0], "unit_of_measurement": unit[1]})


@given(IDS, UNITS, STATES, RULES)
def test_what_costs_next_to_nothing_decides_as_the_rule_does(entity_id, unit, texts, rules):
    fast, logged = Filter(rules), None
    plan = plan_for(entity_id, unit[1], unit[0], rules)
    for text in texts:
        kept = judge(plan, logged, text, unit[1])
        assert bool(fast.take(state(entity_id, unit, text))) is kept, text
        if kept:
            logged = Logged(text, {"unit_of_measurement": unit[1]})


@given(UNITS, STATES)
def test_nothing_that_was_dropped_is_further_away_than_the_deadband(unit, texts):
    judging, last = Filter(), None
    deadband = deadband_of(*unit)
    for text in texts:
        if judging.take(state("sensor.a", unit, text)):
            last = text
        elif last is not None and last != text:
            assert deadband
            assert abs(float(text) - float(last)) <= deadband.width(float(last)) * (1 + 1e-6) + 1e-6


@given(NUMBERS, NUMBERS, st.floats(0, 1e4), st.floats(0, 1e4), st.booleans())
def test_what_a_wide_deadband_keeps_a_narrow_one_keeps_too(last, now, one, other, relative):
    narrow, wide = sorted((one, other))
    plan = plan_for("sensor.a", "", "", OwnerRules())
    plans = [type(plan)(Rule.DEADBAND, "", Deadband(width, relative)) for width in (narrow, wide)]
    kept_narrow, kept_wide = (judge(each, Logged(last), now, "") for each in plans)
    assert kept_narrow or not kept_wide


@given(st.lists(st.tuples(st.sampled_from(["sensor.a", "sensor.b", "sensor.c"]), NUMBERS | WORDS), max_size=60), UNITS)
def test_entities_do_not_know_of_each_other(told, unit):
    together = Filter()
    mixed = [(entity_id, text) for entity_id, text in told if together.take(state(entity_id, unit, text))]
    for entity_id in ("sensor.a", "sensor.b", "sensor.c"):
        alone = Filter()
        own = [text for name, text in told if name == entity_id]
        assert [text for name, text in mixed if name == entity_id] == [
            text for text in own if alone.take(state(entity_id, unit, text))
        ]


@given(IDS, UNITS, RULES)
def test_keep_goes_before_drop_before_deadband_before_the_tables(entity_id, unit, rules):
    order = [Rule.OWNER_KEEP, Rule.OWNER_DROP, Rule.OWNER_DEADBAND]
    fits = [
        any(_fits(pattern, entity_id) for pattern in patterns) for patterns in (rules.keep, rules.drop, rules.deadbands)
    ]
    first = next((rule for rule, fit in zip(order, fits, strict=True) if fit), None)
    found = plan_for(entity_id, unit[1], unit[0], rules).rule
    assert found is first if first else found not in order


def _fits(pattern: str, entity_id: str) -> bool:
    head, star, tail = pattern.partition("*")
    return entity_id.startswith(head) and entity_id.endswith(tail) if star else pattern == entity_id
