"""What can go wrong with who is asking. None of these names a PIN, a token or a secret, not even a part of one."""

from datetime import timedelta

from homesteward.core.errors import HomestewardError


class NobodyError(HomestewardError):
    """There is no such caller: not signed in, ended, disabled or revoked."""

    code = "not_signed_in"


class NotAllowedError(HomestewardError):
    """The caller is known, and may not do this."""

    code = "not_allowed"


class UnknownPersonError(HomestewardError):
    """There is no such person on record."""

    code = "unknown_person"

    def __init__(self) -> None:
        super().__init__("There is no such person here.", next="See 'homesteward people list'.")


class UnknownDeviceError(HomestewardError):
    """There is no such device, here or in Home Assistant."""

    code = "unknown_device"

    def __init__(self) -> None:
        super().__init__("There is no such device here.", next="See 'homesteward people devices'.")


class UnknownTokenError(HomestewardError):
    """There is no such token on record."""

    code = "unknown_token"

    def __init__(self) -> None:
        super().__init__("There is no such token here.", next="See 'homesteward tokens list'.")


class UnknownSessionError(HomestewardError):
    """There is no such session any more."""

    code = "unknown_session"

    def __init__(self) -> None:
        super().__init__("There is no such session any more.", next="See the list of sessions.")


class InvalidPersonError(HomestewardError):
    """A person, device or token cannot be like this."""

    code = "invalid_request"


class LastOwnerError(HomestewardError):
    """It would leave the home without an owner."""

    code = "last_owner"

    def __init__(self) -> None:
        super().__init__("This is the only owner of the home.", next="Make somebody else an owner first.")


class PinRefusedError(HomestewardError):
    """This cannot be anybody's PIN: too short, too long or too easy to guess."""

    code = "pin_refused"


class PinNotSetError(HomestewardError):
    """The person has no PIN that could prove anything."""

    code = "pin_not_set"


class PinMustChangeError(HomestewardError):
    """Somebody else chose this PIN: it is good for choosing another, and for nothing else."""

    code = "pin_must_change"


class WrongPinError(HomestewardError):
    """It was not the PIN; the try counted."""

    code = "wrong_pin"


class ProofNeededError(HomestewardError):
    """This needs a PIN or a fresh sign-in first, for this very purpose."""

    code = "proof_needed"


class WaitError(HomestewardError):
    """Refused for a while, whatever is sent; `wait` says for how long."""

    def __init__(self, message: str, wait: timedelta, *, next: str = "") -> None:  # noqa: A002 - the field's name in the contract
        """Refuse with `message` for `wait`."""
        super().__init__(message, retry=True, next=next or f"Try again in {spoken(wait)}.")
        self.wait = wait


class LockedOutError(WaitError):
    """Too many failures: also what is right is refused until the time is over."""

    code = "locked_out"


class RateLimitedError(WaitError):
    """Asked too often."""

    code = "rate_limited"


class SetupClosedError(HomestewardError):
    """The first-run set-up is not open: there is an owner, or no valid code."""

    code = "setup_closed"


class WrongCodeError(HomestewardError):
    """It was not the one-time code; the try counted."""

    code = "wrong_code"


def spoken(wait: timedelta) -> str:
    """Return a time to wait in words, rounded up."""
    seconds = max(1, -(-wait // timedelta(seconds=1)))
    for unit, name in ((3600, "hour"), (60, "minute")):
        if seconds >= unit * 2:
            return f"{-(-seconds // unit)} {name}s"
    return f"{seconds} second{'s' if seconds > 1 else ''}"
