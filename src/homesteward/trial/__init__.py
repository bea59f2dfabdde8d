"""Trials: eval cases run on a fresh home, every declared assertion scored, and every call that should not have been made counted."""

from homesteward.trial.assist import run_assist
from homesteward.trial.assist_case import AssistCase, load_assist_cases
from homesteward.trial.case import Case, CaseError, load_cases
from homesteward.trial.home_file import HomeFileError
from homesteward.trial.report import Report, Scored
from homesteward.trial.run import run_cases

__all__ = [
    "AssistCase",
    "Case",
    "CaseError",
    "HomeFileError",
    "Report",
    "Scored",
    "load_assist_cases",
    "load_cases",
    "run_assist",
    "run_cases",
]
