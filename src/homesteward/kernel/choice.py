"""For models too small to write tool calls: a short list of calls that fit the words, made from the home, to pick one of.

The list is made by code and so is the call; all a model adds is which of them was meant, or that none was.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from heapq import nlargest
from operator import attrgetter

from homesteward.core.errors import ErrorInfo
from homesteward.core.json import JsonObject, JsonValue
from homesteward.core.text import fold
from homesteward.home.model import Service
from homesteward.home.targets import acts_on, supports
from homesteward.home.view import HomeView, area_of, names_of
from homesteward.language.guards import guard, is_question
from homesteward.tools.words import alike, words_of

MOST_CHOICES = 12
NEAR_ENOUGH = 0.5  # of the best score; what is farther off only misleads
NONE = "none of these"

NOT_A_WISH = ErrorInfo(
    "not_understood",
    "This model can only carry out plain wishes, and that is none; nothing was done.",
    retry=False,
    next="Say what should be done now, or choose a model with tools.",
)
NOTHING_FITS = ErrorInfo(
    "nothing_matched",
    "Nothing in this home that I may use fits those words; nothing was done.",
    retry=False,
    next="Name the thing or the room as the home does.",
)
NONE_CHOSEN = ErrorInfo(
    "nothing_matched",
    "The model found none of the possible actions fitting; nothing was done.",
    retry=False,
    next="Say it in other words, naming the thing and what it should do.",
)

STANDING = """\
You pick the one action that a person asked for. Pick "none of these" if no action in the list is what they asked for.
Answer with JSON only."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One call that may be meant: how it is shown, and the arguments of `call_service` for it."""

    label: str
    arguments: JsonObject
    score: float = 0.0


def plain_wish(home: HomeView, text: str, language: str) -> bool:
    """Return whether `text` is no question, negation, condition or wish for later: a small model does not see the difference."""
    folded = fold(text)
    names = {fold(name) for entity_id in home.exposed for name in names_of(home, entity_id)}
    return not is_question(text, language) and guard(text, language, (name for name in names if name in folded)) is None


def choices(home: HomeView, text: str) -> tuple[Choice, ...]:
    """Return up to 12 calls on exposed entities whose name or area `text` mentions, the likeliest first."""
    said = words_of([text])
    things = nlargest(MOST_CHOICES, _mentioned(home, said), key=attrgetter("near"))
    found = [choice for thing in things for choice in _of(home, thing, said)]
    found.sort(key=attrgetter("score"), reverse=True)
    near = [choice for choice in found if choice.score >= found[0].score * NEAR_ENOUGH]
    return _distinct(near[:MOST_CHOICES])


def question(text: str, offered: tuple[Choice, ...]) -> str:
    """Return the list and the request, the request last: a small model leans on what it read last."""
    listed = "\n".join(f"- {choice.label}" for choice in offered)
    return f"Actions:\n{listed}\n- {NONE}\n\nThe person said: {text}"


def schema(offered: tuple[Choice, ...]) -> dict[str, object]:
    """Return the JSON Schema of an answer: one of the labels, or none of them."""
    return {
        "type": "object",
        "properties": {"action": {"type": "string", "enum": [*(choice.label for choice in offered), NONE]}},
        "required": ["action"],
        "additionalProperties": False,
    }


def picked(answer: JsonValue, offered: tuple[Choice, ...]) -> Choice | None:
    """Return the choice that `answer` names; None for none of them. Raises ValueError for anything else."""
    label = answer.get("action") if isinstance(answer, dict) else None
    chosen = next((choice for choice in offered if choice.label == label), None)
    if chosen is None and label != NONE:
        msg = f"{label!r} was not offered"
        raise ValueError(msg)
    return chosen


@dataclass(frozen=True, slots=True)
class _Thing:
    """An entity that was mentioned: by which of its names, and how much of that and of its area was said."""

    entity_id: str
    name: str
    near: float


def _mentioned(home: HomeView, said: frozenset[str]) -> Iterator[_Thing]:
    """Yield the exposed entities that `said` mentions. Words that services are made of ("on", "open") mention nothing."""
    idle = frozenset(word for service in home.services.values() for word in service.service.split("_"))
    heard = said - idle
    for entity_id in sorted(home.exposed & home.states.keys()):
        name = max(names_of(home, entity_id) or (entity_id,), key=lambda known: _share(known, heard))
        area = area_of(home, entity_id)
        placed = max((_share(place, heard) for place in (area.name, *area.aliases)), default=0.0) if area else 0.0
        if near := _share(name, heard) + placed / 2:
            yield _Thing(entity_id, name, near)


def _share(name: str, heard: frozenset[str]) -> float:
    words = name.split()
    return sum(any(alike(form, heard) for form in words_of([word])) for word in words) / (len(words) or 1)


def _of(home: HomeView, thing: _Thing, said: frozenset[str]) -> Iterator[Choice]:
    """Yield a choice per service that the entity has and that needs nothing but its target."""
    domain = thing.entity_id.partition(".")[0]
    for service in home.services.values():
        if service.domain == domain and _plain(service) and _can(home, service, thing.entity_id):
            words = service.service.split("_")
            heard = sum(word in said for word in words) / len(words)
            if service.service == "toggle" and not heard:
                continue  # the one service whose effect a misunderstanding reverses
            arguments: JsonObject = {"service": service.id, "target": {"entity_id": [thing.entity_id]}}
            yield Choice(f"{' '.join(words)}: {thing.name}", arguments, thing.near + heard / 2)


def _plain(service: Service) -> bool:
    """Return whether naming a target says everything: a service that sets something needs to be told what."""
    required = any(field.required for field in service.fields.values())
    return service.target is not None and not required and not service.service.startswith("set_")


def _can(home: HomeView, service: Service, entity_id: str) -> bool:
    return acts_on(home, service, entity_id) and supports(home, service, entity_id)


def _distinct(found: list[Choice]) -> tuple[Choice, ...]:
    """Return the choices with different labels: two things of one name are told apart by their entity ids."""
    labels = [choice.label for choice in found]
    return tuple(
        choice if labels.count(choice.label) == 1 else Choice(f"{choice.label} ({_target(choice)})", choice.arguments)
        for choice in found
    )


def _target(choice: Choice) -> str:
    target = choice.arguments["target"]
    ids = target["entity_id"] if isinstance(target, dict) else []
    return ", ".join(str(entity_id) for entity_id in ids) if isinstance(ids, list) else ""
