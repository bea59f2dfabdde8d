"""The presets: per kind of call and per caller, what may happen. A table to read, and nothing else."""

from dataclasses import dataclass
from enum import StrEnum

from homesteward.people import Role
from homesteward.policy.decision import Action, Kind

GUEST_LABEL = "guests"  # the label an owner gives to the areas that guests may use as if they lived there


class Preset(StrEnum):
    """The ready-made policies an owner chooses from."""

    FAMILY = "family"
    CAUTIOUS = "cautious"
    READ_ONLY = "read_only"
    GUEST_WEEKEND = "guest_weekend"
    OPEN = "open"  # for simulated and test homes only


@dataclass(frozen=True, slots=True)
class Verdict:
    """One cell of the table."""

    action: Action
    by_owner: bool = False


ALLOW = Verdict(Action.ALLOW)
CONFIRM = Verdict(Action.CONFIRM)
APPROVE = Verdict(Action.APPROVE)
BY_OWNER = Verdict(Action.APPROVE, by_owner=True)
DENY = Verdict(Action.DENY)


@dataclass(frozen=True, slots=True)
class Row:
    """What a kind of call gets: from the household, from a guest, and from a guest within an area labelled for guests.

    The household is owner and member, and also token, trigger and system: these ask like a member (a routine call runs,
    a sensitive one waits), and can never say the yes that a plan waits for.
    """

    household: Verdict
    guest: Verdict
    guest_area: Verdict

    def verdict(self, role: Role, *, in_guest_area: bool) -> Verdict:
        """Return the cell for `role`."""
        if role is not Role.GUEST:
            return self.household
        return self.guest_area if in_guest_area else self.guest


def _row(household: Verdict, guest: Verdict | None = None, guest_area: Verdict | None = None) -> Row:
    guest = guest or household
    return Row(household, guest, guest_area or guest)


# A guest who may not have a thing done may not rewrite the house either: no cell of a guest gets milder to the right.
PRESETS: dict[Preset, dict[Kind, Row]] = {
    Preset.FAMILY: {
        Kind.ROUTINE: _row(ALLOW, guest=CONFIRM),
        Kind.SENSITIVE: _row(APPROVE, guest=DENY),
        Kind.CONFIGURATION: _row(BY_OWNER, guest=DENY),
    },
    Preset.CAUTIOUS: {
        Kind.ROUTINE: _row(CONFIRM),
        Kind.SENSITIVE: _row(BY_OWNER, guest=DENY),
        Kind.CONFIGURATION: _row(BY_OWNER, guest=DENY),
    },
    Preset.READ_ONLY: {
        Kind.ROUTINE: _row(DENY),
        Kind.SENSITIVE: _row(DENY),
        Kind.CONFIGURATION: _row(DENY),
    },
    Preset.GUEST_WEEKEND: {
        Kind.ROUTINE: _row(ALLOW, guest=CONFIRM, guest_area=ALLOW),
        Kind.SENSITIVE: _row(BY_OWNER),
        Kind.CONFIGURATION: _row(BY_OWNER),
    },
    Preset.OPEN: {
        Kind.ROUTINE: _row(ALLOW),
        Kind.SENSITIVE: _row(ALLOW),
        Kind.CONFIGURATION: _row(ALLOW),
    },
}

# The same in every preset: looking is free, and what nobody can judge or is on the deny list never runs.
EVERYWHERE: dict[Kind, Row] = {
    Kind.READ: _row(ALLOW),
    Kind.UNKNOWN: _row(DENY),
    Kind.FORBIDDEN: _row(DENY),
}


def row_of(preset: Preset, kind: Kind) -> Row:
    """Return the row that judges a call of `kind`."""
    return EVERYWHERE.get(kind) or PRESETS[preset][kind]
