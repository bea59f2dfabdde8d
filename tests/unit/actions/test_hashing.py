from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homesteward.actions.codes import without_codes, without_codes_said
from homesteward.actions.hashing import hash_of
from homesteward.home.calls import ResolvedCall

names = st.from_regex(r"[a-z_]{1,8}", fullmatch=True)
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=6,
)
data = st.dictionaries(names, values, max_size=4)
calls = st.builds(ResolvedCall, names, names, st.lists(names.map("light.{}".format), max_size=3).map(tuple), data)


@given(st.lists(calls, max_size=3), calls)
def test_one_step_more_is_another_hash(steps, more):
    assert len({hash_of(steps), hash_of([*steps, more]), hash_of([*steps, more, more])}) == 3


@given(calls, names)
def test_another_entity_service_or_datum_is_another_hash(step, name):
    changed = [
        replace(step, service=f"{step.service}_{name}"),
        replace(step, entity_ids=(*step.entity_ids, f"lock.{name}")),
        replace(step, data={**step.data, f"new_{name}": 1}),
        replace(step, data={**step.data, f"new_{name}": True}),
    ]
    assert len({hash_of([each]) for each in [step, *changed]}) == 5


def test_the_order_of_the_data_does_not_matter_and_that_of_the_steps_does():
    one = ResolvedCall("light", "turn_on", ("light.a",), {"brightness": 1, "transition": 2})
    turned = ResolvedCall("light", "turn_on", ("light.a",), {"transition": 2, "brightness": 1})
    other = ResolvedCall("light", "turn_off", ("light.a",))

    assert hash_of([one]) == hash_of([turned])
    assert hash_of([one, other]) != hash_of([other, one])


@given(data, st.text(alphabet="0123456789", min_size=8, max_size=12), st.sampled_from(["code", "pin", "password"]))
def test_a_code_is_taken_out_at_any_depth(around, code, field):
    given_data = {**around, "variables": {"deep": [{field: code}]}, field: code}
    stored = without_codes(ResolvedCall("lock", "unlock", ("lock.a",), given_data))
    assert stored.data[field] == "secret:lock.a"
    assert stored.data["variables"] == {"deep": [{field: "secret:lock.a"}]}


@given(st.dictionaries(st.sampled_from(["brightness", "effect", "position"]), values, max_size=3))
def test_data_without_a_code_stays_as_it_is(plain):
    asked = ResolvedCall("light", "turn_on", ("light.a",), plain)
    assert without_codes(asked).data == plain


@pytest.mark.parametrize(
    "name", ["alarm_code", "code", "userCode", "usercode", "new_pin", "PIN", "wifi-password", "passcode"]
)
def test_whatever_its_field_is_called_a_code_is_not_stored(name):
    given_data = {"variables": {"to": [{name: "7773"}]}}
    assert "7773" not in str(without_codes(ResolvedCall("script", "turn_on", ("script.a",), given_data)).data)


@pytest.mark.parametrize("name", ["brightness", "codec", "opinion", "spin", "decoder", "shopping_list"])
def test_a_field_whose_name_only_looks_so_is_stored(name):
    asked = ResolvedCall("light", "turn_on", ("light.a",), {name: 77})
    assert without_codes(asked).data == {name: 77}


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("disarm the alarm with 7773", "disarm the alarm with [redacted]"),
        ("disarm it, 7 7 7 3", "disarm it, [redacted]"),
        ("arm at 22:30", "arm at 22:30"),
        ("undo plan_01a22ef43eea762fb2e453aa15f59123", "undo plan_01a22ef43eea762fb2e453aa15f59123"),
    ],
)
def test_digits_said_to_an_alarm_are_not_kept_in_the_request(said, kept):
    call = ResolvedCall("alarm_control_panel", "alarm_disarm", ("alarm_control_panel.home",))
    assert without_codes_said(said, [call], ()) == kept


def test_digits_said_to_a_lamp_are_kept_and_to_a_script_that_ends_at_a_lock_are_not():
    lamp, script = ResolvedCall("light", "turn_on", ("light.a",)), ResolvedCall("script", "turn_on", ("script.a",))
    assert without_codes_said("4000 kelvin", [lamp], ()) == "4000 kelvin"
    assert without_codes_said("let me in 4000", [script], ["lock.a"]) == "let me in [redacted]"
    coded = ResolvedCall("script", "turn_on", ("script.a",), {"variables": {"alarm_code": "hello"}})
    assert without_codes_said("say hello", [coded], ()) == "say [redacted]"
