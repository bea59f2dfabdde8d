"""One request from start to answer.

Every face comes in here. A PIN is taken out first, before anything is kept or asked. Then the grammar reads the sentence, else a model
proposes through the kernel, every change goes to the gate, and the reply is told from evidence, never from a model's own word
for what it did.
"""

from homesteward.steward.answer import Answer, Outcome, Question, Usage, Via, answer_json
from homesteward.steward.reasoner import Reasoner
from homesteward.steward.request import Request, Route
from homesteward.steward.run_store import RunStore
from homesteward.steward.runs import Run, RunEvent, Runs, UnknownRunError
from homesteward.steward.steward import Steward, StewardSettings

__all__ = [
    "Answer",
    "Outcome",
    "Question",
    "Reasoner",
    "Request",
    "Route",
    "Run",
    "RunEvent",
    "RunStore",
    "Runs",
    "Steward",
    "StewardSettings",
    "UnknownRunError",
    "Usage",
    "Via",
    "answer_json",
]
