"""What the steward itself cannot answer, as errors."""

from homesteward.core import ErrorInfo, HomestewardError
from homesteward.people import Caller, Scope
from homesteward.people.errors import NotAllowedError

NO_PIN_ASKED = ErrorInfo(
    "no_pin_asked",
    "No PIN is asked for here, so that one was not looked at.",
    retry=False,
    next="Say what should be done; where it takes a PIN, you are asked for it.",
)


class NoModelError(HomestewardError):
    """A request that only a model can answer, and none is set up."""

    code = "no_model"


def require_reader(caller: Caller) -> None:
    """Raise NotAllowedError for a token that was not made for looking at the home."""
    if not caller.may(Scope.READ):
        raise NotAllowedError("This token was not made for looking at the home.", next="Make one with the scope read.")
