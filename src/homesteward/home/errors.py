"""Everything that can go wrong between us and a home, each with its own code and the next step."""

from homesteward.core.errors import HomestewardError


class HomeError(HomestewardError):
    """Anything that went wrong between us and a home."""

    code = "home_error"


class NotConnectedError(HomeError):
    """There is no connection to Home Assistant; nothing was sent."""

    code = "not_connected"

    def __init__(
        self,
        why: str = "",
        *,
        next: str = "Check that Home Assistant runs and that its address is right.",  # noqa: A002 - the field's name
    ) -> None:
        """Say `why` where it is known."""
        super().__init__(f"Home Assistant is not connected{f': {why}' if why else ''}.", retry=True, next=next)


class ConnectionLostError(NotConnectedError):
    """The connection ended between a command and its answer; whether it ran is not known."""

    code = "connection_lost"


class NeedsAdminError(HomeError):
    """The token belongs to a user who is not an administrator of Home Assistant."""

    code = "needs_admin"


class AuthFailedError(HomeError):
    """Home Assistant does not accept the token."""

    code = "auth_failed"

    def __init__(
        self,
        said: str = "",
        *,
        next: str = "Make a long-lived access token in Home Assistant (profile, security) as an administrator, and set it.",  # noqa: A002 - the field's name
    ) -> None:
        """Repeat what Home Assistant `said`."""
        super().__init__(
            f"Home Assistant does not accept the access token{f' ({said})' if said else ''}.",
            next=next,
        )


class HaTimeoutError(HomeError):
    """Home Assistant did not answer a command in time; whether it ran is not known."""

    code = "ha_timeout"


class HaError(HomeError):
    """Home Assistant answered with an error; `code` and `message` are its own."""

    def __init__(self, code: str, message: str) -> None:
        """Keep Home Assistant's own `code` and `message`."""
        super().__init__(message, code=code, next="Read Home Assistant's message; its log says more.")


class TooLargeError(HomeError):
    """Home Assistant answered with more than is taken at once."""

    code = "too_large"


class UnexpectedAnswerError(HomeError):
    """Home Assistant answered in a form that this version does not know."""

    code = "unexpected_answer"


class CallFailedError(HomeError):
    """Home Assistant refused or failed a call; `code` and `message` are its own. Not safe to repeat blindly."""

    code = "call_failed"


class CallUncertainError(HomeError):
    """A call was sent and no answer came: it may or may not have run."""

    code = "call_uncertain"


class CallError(HomeError):
    """A call that does not fit this home; nothing was sent."""

    code = "bad_call"


class UnknownServiceError(CallError):
    """The home has no such domain or service."""

    code = "unknown_service"


class UnknownEntityError(CallError):
    """The home has no such entity."""

    code = "unknown_entity"


class UnknownAreaError(CallError):
    """The home has no such area."""

    code = "unknown_area"


class UnknownFloorError(CallError):
    """The home has no such floor."""

    code = "unknown_floor"


class UnknownLabelError(CallError):
    """The home has no such label."""

    code = "unknown_label"


class UnknownDeviceError(CallError):
    """The home has no such device."""

    code = "unknown_device"


class NoTargetError(CallError):
    """A service that acts on entities was called without naming any."""

    code = "no_target"


class TakesNoTargetError(CallError):
    """A target was given to a service that takes none."""

    code = "takes_no_target"


class NothingThereError(CallError):
    """A named place or label holds nothing that the service acts on."""

    code = "nothing_there"


class WrongDomainError(CallError):
    """The service does not act on entities of this kind."""

    code = "wrong_domain"


class WrongServiceError(CallError):
    """The generic service does nothing for entities of this kind; another one does."""

    code = "wrong_service"


class TooManyTargetsError(CallError):
    """The call reaches more entities than one call may."""

    code = "too_many_targets"


class NotSupportedError(CallError):
    """The entity cannot do what is asked of it."""

    code = "not_supported"


class InvalidDataError(CallError):
    """The data of a call does not fit the service."""

    code = "invalid_data"


class RecorderError(HomeError):
    """The past of a home cannot be read as it was asked for."""

    code = "recorder_error"


class NotRecordingError(RecorderError):
    """Home Assistant runs without the integration that would know."""

    code = "recorder_not_loaded"


class BadWindowError(RecorderError):
    """A stretch of time that is none, or that has not begun."""

    code = "bad_window"


class TooMuchAskedError(RecorderError):
    """More of the past is asked for than one request may read."""

    code = "too_much_asked"


class NothingRecordedError(RecorderError):
    """Home Assistant kept nothing about it in that time. `more` is what is known instead, as a sentence."""

    code = "nothing_recorded"

    def __init__(self, entity_id: str, since: str, until: str, more: str = "") -> None:
        """Say so, with the ends of the window as they are to be shown."""
        super().__init__(
            f"Home Assistant has recorded nothing of {entity_id} between {since} and {until}.{f' {more}' if more else ''}",
            next="Ask for another time. Without data no number can be given; do not estimate one.",
        )
        self.more = more


class NotCountedError(RecorderError):
    """The entity measures or shows something; it does not count, so there is no total of it."""

    code = "not_counted"


class UnknownRunError(RecorderError):
    """Home Assistant has no trace of this run, or none any more: it keeps the latest few of each automation and script."""

    code = "unknown_run"
