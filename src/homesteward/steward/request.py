"""A request: one sentence, who said it, and how it should be treated."""

from dataclasses import dataclass
from enum import StrEnum

from homesteward.people import Caller
from homesteward.settings.settings import Mode, ProfileName

MAX_TEXT = 4000  # characters of one request; more is refused, not cut


class Route(StrEnum):
    """Who may understand the request: the grammar and then a model, or a model alone (a scripted case)."""

    ANY = "any"
    KERNEL = "kernel"


@dataclass(frozen=True, slots=True)
class Request:
    """One request. `mode` and `profile` can only narrow what the settings allow; `language` empty takes the home's."""

    text: str
    caller: Caller
    conversation_id: str = ""
    mode: Mode | None = None
    profile: ProfileName | None = None
    language: str = ""
    area: str = ""
    route: Route = Route.ANY
