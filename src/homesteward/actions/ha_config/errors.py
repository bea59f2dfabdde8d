"""Why a change of Home Assistant's configuration is not made: one leaf for each reason. Each says that nothing was changed."""

from homesteward.actions.errors import GateError


class ConfigError(GateError):
    """The change of configuration cannot be made."""

    code = "config_error"


class UnknownKindError(ConfigError):
    """There is no such kind of object, or none that can be changed from here."""

    code = "unknown_kind"


class BadConfigError(ConfigError):
    """The configuration is not of the form that such an object has."""

    code = "bad_config"


class UnknownObjectError(ConfigError):
    """There is no such object."""

    code = "unknown_object"


class AlreadyThereError(ConfigError):
    """There is such an object already, and no edit was asked for."""

    code = "already_there"


class OtherIdError(ConfigError):
    """The configuration carries another id than the one it is addressed to."""

    code = "other_id"


class NotEditableError(ConfigError):
    """The object is written by hand in Home Assistant's files, and only there can it be changed."""

    code = "not_editable"


class UnknownReferenceError(ConfigError):
    """The configuration names something that the home does not have."""

    code = "unknown_reference"


class NothingToChangeError(ConfigError):
    """What is asked for is what is there."""

    code = "nothing_to_change"


class CodeNotKeptError(ConfigError):
    """A code is referred to that is nowhere to be had: versions and differences never hold one."""

    code = "code_not_kept"


class NotTakenError(ConfigError):
    """Home Assistant did not take it; what was there before is there again."""

    code = "not_taken"


class UnknownVersionError(ConfigError):
    """There is no such version."""

    code = "unknown_version"
