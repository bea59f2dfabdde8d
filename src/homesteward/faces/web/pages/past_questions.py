"""What somebody asks of the chronicle in the fields above it, read as they send it: an empty field asks for nothing."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from fastapi import Request
from pydantic import ValidationError

from homesteward.chronicle.record import Kind
from homesteward.core.errors import HomestewardError
from homesteward.faces.web.pages.texts import N_
from homesteward.faces.web.pages.visit import Visit
from homesteward.faces.web.remembering import HistoryForm

PER_PAGE = 50
MANY = frozenset({"entity", "area", "user", "kind"})
PLAIN = frozenset({"text", "since", "until", "cursor"})
KINDS: Mapping[Kind, str] = {
    Kind.STATE: N_("Changes of things"),
    Kind.ACT: N_("Asked of Homesteward"),
    Kind.AUTOMATION: N_("Automations"),
    Kind.SCRIPT: N_("Scripts"),
    Kind.SCENE: N_("Scenes"),
    Kind.CALL: N_("Commands"),
}


class BadQuestionError(HomestewardError):
    """The fields do not make a question."""

    code = "invalid"


@dataclass(frozen=True, slots=True)
class Field:
    """The fields as they were sent, to stand in the form again."""

    text: str
    area: str
    user: str
    kind: str
    since: str
    until: str
    entity: str

    @property
    def any(self) -> bool:
        """Return whether anything is asked for."""
        return any((self.text, self.area, self.user, self.kind, self.since, self.until, self.entity))

    @property
    def narrowed(self) -> bool:
        """Return whether anything is asked for beside words."""
        return any((self.area, self.user, self.kind, self.since, self.until))

    def query(self, **more: str) -> str:
        """Return the question as the end of an address."""
        own = {name: getattr(self, name) for name in (*sorted(MANY), "text", "since", "until")}
        return urlencode({name: value for name, value in {**own, **more}.items() if value})


def fields_in(request: Request) -> Field:
    """Return the fields of an address."""
    asked = request.query_params
    return Field(**{name: asked.get(name, "")[:255].strip() for name in Field.__dataclass_fields__})


def form_of(request: Request, visit: Visit) -> HistoryForm:
    """Return the fields as the chronicle's own form; raise BadQuestionError for what is none."""
    given: dict[str, object] = {"limit": PER_PAGE}
    for name, value in request.query_params.multi_items():
        if not value.strip():
            continue
        if name in PLAIN:
            given[name] = value
        elif name in MANY:
            given[name] = [*(known if isinstance(known := given.get(name), list) else ()), value]
    try:
        return HistoryForm.model_validate(given)
    except ValidationError:
        raise BadQuestionError(visit.say(CANNOT), next="") from None


CANNOT = N_("The chronicle cannot be asked like this. Look at what stands in the fields.")
