from hypothesis import given
from hypothesis import strategies as st

from homesteward.chronicle.bodies import CUT, MAX_BODY, body_of
from homesteward.core import json

values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=2000),
    lambda inner: st.lists(inner, max_size=20) | st.dictionaries(st.text(max_size=600), inner, max_size=20),
    max_leaves=40,
)


def test_equal_sets_are_one_text_whatever_their_order():
    assert body_of({"b": 1, "a": [1, 2]}) == body_of({"a": [1, 2], "b": 1}) == '{"a":[1,2],"b":1}'


def test_an_attribute_of_five_mebibytes_is_cut_and_says_so():
    body = json.loads(body_of({"brightness": 40, "picture": "x" * (5 << 20), "position": 100}))

    assert body["brightness"] == 40
    assert body["position"] == 100
    assert body["picture"].startswith('"xxxx')
    assert body["picture"].endswith("…")
    assert body[CUT]["keys"] == ["picture"]
    assert body[CUT]["bytes"] > 5 << 20


def test_a_set_of_very_many_attributes_is_cut_too():
    body = body_of({f"attribute_{n}": n for n in range(100_000)})

    assert len(body.encode()) <= MAX_BODY
    assert json.loads(body)[CUT]["keys"] == ["…"]


@given(st.dictionaries(st.text(max_size=3000), values, max_size=30))
def test_no_set_is_longer_than_the_bound_and_each_is_json(value):
    body = body_of(value)

    assert len(body.encode()) <= MAX_BODY
    assert CUT in json.loads(body) or json.loads(body) == value
