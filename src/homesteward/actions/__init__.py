"""The gate and what stands behind it: plans, approvals, execution step by step, and looking again. Every change goes through here."""

from homesteward.actions.errors import GateError
from homesteward.actions.gate import Gate
from homesteward.actions.modes import Mode
from homesteward.actions.plan import Evidence, Needs, Plan, PlanState, Status, Step, StepState, decision_json, plan_json
from homesteward.actions.resolve import resolve
from homesteward.actions.ties import Ties

__all__ = [
    "Evidence",
    "Gate",
    "GateError",
    "Mode",
    "Needs",
    "Plan",
    "PlanState",
    "Status",
    "Step",
    "StepState",
    "Ties",
    "decision_json",
    "plan_json",
    "resolve",
]
