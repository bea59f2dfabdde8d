"""An entry added to a list is seen: the list has one open item more."""

import pytest

from homesteward.home.calls import ResolvedCall
from homesteward.home.effects import effect_on
from homesteward.home.model import State

ADD = ResolvedCall("todo", "add_item", ("todo.list",), {"item": "milk"})


@pytest.mark.parametrize(("after", "holds"), [("3", True), ("2", False), ("unavailable", False)])
def test_one_item_more_is_what_adding_one_leads_to(after, holds):
    effect = effect_on(ADD, "todo.list", State("todo.list", "2"))
    assert effect.holds(State("todo.list", after)) is holds


def test_the_same_again_is_another_item():
    assert not effect_on(ADD, "todo.list", State("todo.list", "2")).already(State("todo.list", "3"))


def test_of_a_list_that_cannot_be_counted_nothing_is_claimed():
    assert not effect_on(ADD, "todo.list", State("todo.list", "unknown")).observable
