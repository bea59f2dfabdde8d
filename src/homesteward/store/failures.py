"""What can go wrong with a database, each with what to do about it. None of these texts holds an address or a password."""

from collections.abc import Callable, Mapping

from sqlalchemy.exc import DBAPIError, OperationalError

from homesteward.core import HomestewardError


class DatabaseUnreadableError(HomestewardError):
    """The database is damaged, or is none; nothing was changed in it."""

    code = "database_unreadable"


class DiskFullError(HomestewardError):
    """There is no room left; nothing of this write was kept, and all that was there before still is."""

    code = "disk_full"


class DiskFailingError(HomestewardError):
    """The disk answered with an error, or takes no more writes; nothing of this write was kept."""

    code = "disk_failing"


class DatabaseBusyError(HomestewardError):
    """Somebody else held the database for too long; nothing of this was done."""

    code = "database_busy"


class DatabaseUnreachableError(HomestewardError):
    """The database server does not answer, or ended the connection before anything was kept."""

    code = "database_unreachable"


class CommitUnknownError(HomestewardError):
    """The connection ended while a write was being kept: it is not known whether it was."""

    code = "commit_unknown"


class DatabaseRefusedError(HomestewardError):
    """The database server answered, and refused: who asks is not known to it, or may not do this."""

    code = "database_refused"


class DriverMissingError(HomestewardError):
    """The library that speaks to PostgreSQL is not installed."""

    code = "driver_missing"


class BadAddressError(HomestewardError):
    """The address of the database is none."""

    code = "bad_database_address"


def unreadable(what: str, reason: object) -> DatabaseUnreadableError:
    """Return the error of a database that cannot be read; `what` says which."""
    return DatabaseUnreadableError(
        f"{what} cannot be read: {reason}.",
        next="Put a backup in its place, or move it away to begin anew; what it held stays in what you moved.",
    )


def full(what: str, _reason: object = None) -> DiskFullError:
    """Return the error of a disk without room."""
    return DiskFullError(
        f"There is no room left for {_inside(what)}; nothing of the last write was kept.",
        retry=True,
        next="Free some space on its disk; Homesteward goes on by itself from there.",
    )


def failing(what: str, reason: object) -> DiskFailingError:
    """Return the error of a disk that fails or takes no writes."""
    return DiskFailingError(
        f"The disk of {_inside(what)} fails: {reason}; nothing of the last write was kept.",
        next="Look at the disk (its file system may be mounted read-only), and take a backup before anything else.",
    )


def busy(what: str, _reason: object = None) -> DatabaseBusyError:
    """Return the error of a database that somebody else holds."""
    return DatabaseBusyError(
        f"{what} was held by somebody else for too long; nothing was done.",
        retry=True,
        next="Try again; if it stays so, look for a backup or another program that has it open.",
    )


def unreachable(what: str, _reason: object = None) -> DatabaseUnreachableError:
    """Return the error of a server that does not answer."""
    return DatabaseUnreachableError(
        f"{what} does not answer; nothing was done.",
        retry=True,
        next="Look whether the server runs and can be reached from here (store.url); Homesteward connects again by itself.",
    )


def refused(what: str, _reason: object = None) -> DatabaseRefusedError:
    """Return the error of a server that refuses."""
    return DatabaseRefusedError(
        f"{what} refuses: the user, the password or the database is not known there, or the user may not do this.",
        next="Check store.url, and that its user may create a schema in that database (docs/store.md).",
    )


def unknown(what: str, _reason: object = None) -> CommitUnknownError:
    """Return the error of a commit whose answer never came."""
    return CommitUnknownError(
        f"{what} ended the connection while a write was being kept: it is not known whether it was.",
        next="Look whether it is there before asking again.",
    )


type Make = Callable[[str, object], HomestewardError]

# SQLite's primary result codes, and the beginnings of PostgreSQL's states (the longest that fits wins).
READ_ONLY = 8
SQLITE: Mapping[int, Make] = {
    5: busy,
    6: busy,
    READ_ONLY: failing,
    10: failing,
    11: unreadable,
    13: full,
    14: unreadable,
    26: unreadable,
}
POSTGRES: Mapping[str, Make] = {
    "08": unreachable,
    "57P": unreachable,
    "53100": full,
    "58030": failing,
    "53": busy,
    "55P03": busy,
    "40": busy,
    "57014": busy,
    "XX001": unreadable,
    "XX002": unreadable,
    "28": refused,
    "3D000": refused,
    "42501": refused,
}
# What a server says to somebody it does not let in; at that point it gives no state.
NOT_LET_IN = ("authentication failed", "no password supplied", "pg_hba.conf", "does not exist", "permission denied")


def told(what: str, error: DBAPIError, *, committing: bool = False, reading: bool = False) -> HomestewardError | None:
    """Return the failure in the words of this module; None for a mistake in the statement, which is the asker's."""
    make: Make | None
    if (number := getattr(error.orig, "sqlite_errorcode", None)) is not None:
        make = None if reading and number & 0xFF == READ_ONLY else SQLITE.get(number & 0xFF)
    elif is_lost(error):
        make = unknown if committing else refused if _is_not_let_in(error) else unreachable
    else:
        make = _by_state(state_of(error))
    return make(what, error.orig) if make else None


def is_lost(error: DBAPIError) -> bool:
    """Return whether the connection to a server is gone, or never came about."""
    state = state_of(error)
    nameless = not state and isinstance(error, OperationalError) and not hasattr(error.orig, "sqlite_errorcode")
    return error.connection_invalidated or nameless or state.startswith(("08", "57P"))


def is_collision(error: DBAPIError) -> bool:
    """Return whether two transactions stood in each other's way, and this one was undone for the other's sake."""
    return state_of(error) in {"40001", "40P01"}


def state_of(error: DBAPIError) -> str:
    """Return PostgreSQL's five characters for what happened, empty where there are none."""
    return getattr(error.orig, "sqlstate", None) or ""


def _is_not_let_in(error: DBAPIError) -> bool:
    return any(said in str(error.orig) for said in NOT_LET_IN)


def _by_state(state: str) -> Make | None:
    fitting = [start for start in POSTGRES if state.startswith(start)]
    return POSTGRES[max(fitting, key=len)] if fitting else None


def _inside(what: str) -> str:
    return what[0].lower() + what[1:]
