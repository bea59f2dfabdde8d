"""What the gate answers when it does not do what was asked: one leaf for each reason."""

from homesteward.core import HomestewardError


class GateError(HomestewardError):
    """The gate did not do what was asked of it."""

    code = "gate_error"


class UnknownPlanError(GateError):
    """There is no such plan in this home."""

    code = "unknown_plan"


class UnknownStepError(GateError):
    """The plan has no such step."""

    code = "unknown_step"


class NotAllowedError(GateError):
    """Whoever asks has no right to decide about this plan."""

    code = "not_allowed"


class AlreadyDecidedError(GateError):
    """The plan was decided about before, and otherwise."""

    code = "already_decided"


class CannotUndoError(GateError):
    """There is nothing of this plan that could be taken back; the message says why."""

    code = "cannot_undo"


class TooManyWaitingError(GateError):
    """Whoever asks has as many plans waiting as anybody may."""

    code = "too_many_waiting"


class PlanExpiredError(GateError):
    """Nobody decided about the plan in time."""

    code = "plan_expired"


class PlanChangedError(GateError):
    """The plan is not what a yes was asked for: its steps, what they reach, or what may happen to them; nothing runs."""

    code = "plan_changed"
