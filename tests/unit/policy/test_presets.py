from itertools import pairwise

import pytest

from homesteward.people import Role
from homesteward.policy import Action, Kind, Preset
from homesteward.policy.presets import ALLOW, APPROVE, BY_OWNER, CONFIRM, DENY, Verdict, row_of


def cell(preset: Preset, kind: Kind, role: Role, *, in_guest_area: bool = False) -> Verdict:
    return row_of(preset, kind).verdict(role, in_guest_area=in_guest_area)


def weight(verdict: Verdict) -> tuple[int, bool]:
    return verdict.action.strictness, verdict.by_owner


@pytest.mark.parametrize(
    ("preset", "routine", "sensitive", "configuration"),
    [
        (Preset.FAMILY, ALLOW, APPROVE, BY_OWNER),
        (Preset.CAUTIOUS, CONFIRM, BY_OWNER, BY_OWNER),
        (Preset.READ_ONLY, DENY, DENY, DENY),
        (Preset.GUEST_WEEKEND, ALLOW, BY_OWNER, BY_OWNER),
        (Preset.OPEN, ALLOW, ALLOW, ALLOW),
    ],
)
@pytest.mark.parametrize("role", [role for role in Role if role is not Role.GUEST])
def test_the_household_gets_what_the_preset_says(preset, routine, sensitive, configuration, role):
    kinds = (Kind.ROUTINE, Kind.SENSITIVE, Kind.CONFIGURATION)
    assert [cell(preset, kind, role) for kind in kinds] == [routine, sensitive, configuration]


def test_a_guest_of_the_family_confirms_and_touches_no_lock():
    assert cell(Preset.FAMILY, Kind.ROUTINE, Role.GUEST) == CONFIRM
    assert cell(Preset.FAMILY, Kind.SENSITIVE, Role.GUEST) == DENY


def test_on_a_guest_weekend_a_guest_is_free_where_an_area_is_labelled_for_guests():
    assert cell(Preset.GUEST_WEEKEND, Kind.ROUTINE, Role.GUEST, in_guest_area=True) == ALLOW
    assert cell(Preset.GUEST_WEEKEND, Kind.ROUTINE, Role.GUEST) == CONFIRM


@pytest.mark.parametrize("preset", Preset)
@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("in_guest_area", [False, True])
def test_what_weighs_more_is_never_judged_more_mildly(preset, role, in_guest_area):
    cells = [cell(preset, kind, role, in_guest_area=in_guest_area) for kind in Kind]
    assert all(weight(lighter) <= weight(heavier) for lighter, heavier in pairwise(cells))


@pytest.mark.parametrize("preset", Preset)
@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize("in_guest_area", [False, True])
def test_a_lower_role_never_gets_more(preset, kind, in_guest_area):
    cells = [cell(preset, kind, role, in_guest_area=in_guest_area) for role in (Role.OWNER, Role.MEMBER, Role.GUEST)]
    assert all(weight(higher) <= weight(lower) for higher, lower in pairwise(cells))


@pytest.mark.parametrize("preset", Preset)
@pytest.mark.parametrize("role", Role)
def test_reads_are_free_and_the_unknown_and_forbidden_never_run(preset, role):
    assert cell(preset, Kind.READ, role) == ALLOW
    assert cell(preset, Kind.UNKNOWN, role).action is Action.DENY
    assert cell(preset, Kind.FORBIDDEN, role).action is Action.DENY
