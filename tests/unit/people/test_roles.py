"""Authority only ever narrows, whichever way it goes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homesteward.core.redaction import Redactor
from homesteward.people import SYSTEM, Caller, Channel, Role, Scope, actor_of
from homesteward.people.caller import LOWER, CannotRaiseError
from homesteward.people.errors import NotAllowedError
from homesteward.people.rights import require_own, require_owner
from homesteward.people.roles import ORDER, SCOPES, least

ROLES = st.sampled_from(ORDER)


@given(ROLES, ROLES)
def test_the_lesser_of_two_roles_is_no_more_than_either(one, other):
    assert least(one, other) is least(other, one)
    assert ORDER.index(least(one, other)) >= max(ORDER.index(one), ORDER.index(other))


@given(ROLES, ROLES, ROLES)
def test_of_three_roles_the_least_is_the_same_in_whatever_order_they_are_compared(one, two, three):
    assert least(least(one, two), three) is least(one, least(two, three))


@given(st.sampled_from(list(Role)), st.sampled_from(list(Role)))
def test_nobody_is_lowered_to_more_than_they_are(role, to):
    caller = Caller(role, Channel.API)
    try:
        lowered = caller.lowered(to)
    except CannotRaiseError:
        return
    assert lowered.role is to
    assert to is role or ORDER.index(to) > ORDER.index(role)


def test_a_lesser_role_hands_on_no_more_than_a_greater_one():
    assert SCOPES[Role.GUEST] <= SCOPES[Role.MEMBER] <= SCOPES[Role.OWNER]
    assert all(LOWER[role] <= set(ORDER) for role in LOWER)


@pytest.mark.parametrize("role", [Role.MEMBER, Role.GUEST, Role.TOKEN, Role.TRIGGER])
def test_nobody_but_an_owner_and_the_system_passes_for_an_owner(role):
    with pytest.raises(NotAllowedError):
        require_owner(Caller(role, Channel.API, person_id="p"))
    require_owner(Caller(Role.OWNER, Channel.API))
    require_owner(SYSTEM)


def test_what_is_ones_own_is_not_a_tokens():
    ben = Caller(Role.MEMBER, Channel.PAGE, "Ben", person_id="ben")
    require_own(ben, "ben")
    for by, person_id in (
        (ben, "olga"),
        (ben, ""),
        (Caller(Role.TOKEN, Channel.API, person_id="ben", token_id="t", scopes=frozenset(Scope)), "ben"),
        (Caller(Role.MEMBER, Channel.API), ""),
    ):
        with pytest.raises(NotAllowedError):
            require_own(by, person_id)


@pytest.mark.parametrize(
    ("caller", "actor"),
    [
        (Caller(Role.TOKEN, Channel.API, "Panel", person_id="ben", token_id="t1"), "token:t1"),
        (Caller(Role.MEMBER, Channel.PAGE, "Ben", person_id="ben", device_id="d1"), "person:ben"),
        (Caller(Role.GUEST, Channel.API, "Kiosk", device_id="d1"), "device:d1"),
        (Caller(Role.OWNER, Channel.CLI, "owner"), "owner"),
        (SYSTEM, "system"),
    ],
)
def test_the_audit_names_whoever_acted_by_what_they_came_in_with(caller, actor):
    assert actor_of(caller) == actor


def test_a_token_that_is_pasted_somewhere_is_not_repeated():
    said = Redactor().clean("with hs_0123456789abcdef_AbC-d_EfGhIjKlMnOpQrStUv, please")
    assert said == "with [redacted], please"
