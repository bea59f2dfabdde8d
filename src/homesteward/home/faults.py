"""How a simulated thing can misbehave: the faults that real ones have, to be set per entity."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Dead:
    """Accept every call and do nothing."""


@dataclass(frozen=True, slots=True)
class Jam:
    """Accept every call and end in `state` instead."""

    state: str = "jammed"


@dataclass(frozen=True, slots=True)
class Vanish:
    """Leave the home when called."""


@dataclass(frozen=True, slots=True)
class DropOut:
    """Become unavailable when called."""


@dataclass(frozen=True, slots=True)
class Hold:
    """Do as told only when released, after passing through the state `meanwhile` where one is given."""

    meanwhile: str = ""


@dataclass(frozen=True, slots=True)
class Refuse:
    """Answer every call with Home Assistant's error `code` and `message`."""

    message: str = "The device said no."
    code: str = "home_assistant_error"


@dataclass(frozen=True, slots=True)
class LoseAnswer:
    """Lose the connection between the call and its answer; `obeys` says whether the call ran all the same."""

    obeys: bool = True


type Fault = Dead | Jam | Vanish | DropOut | Hold | Refuse | LoseAnswer
