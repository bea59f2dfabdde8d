"""What else uses a thing: scripts, scenes and automations that would miss it, where it is deleted or gets another id."""

from collections.abc import Iterator

from homesteward.home.calls import BodyStep
from homesteward.home.view import HomeView

MOST_NAMED = 5


def missed_by(entity_id: str, home: HomeView) -> str:
    """Return in words which bodies and triggers name the entity, nothing where none is known to; templates are not looked into."""
    users = dict.fromkeys(user for user in _users(entity_id, home) if user != entity_id)
    if not users:
        return ""
    named = list(users)
    more = f" and {len(named) - MOST_NAMED} more" if len(named) > MOST_NAMED else ""
    return f"{', '.join(named[:MOST_NAMED])}{more} would miss it"


def _users(entity_id: str, home: HomeView) -> Iterator[str]:
    for user, steps in home.bodies.items():
        if any(_names(step, entity_id) for step in steps):
            yield user
    for user, starts in home.starts.items():
        if any(start.entity_id == entity_id for start in starts):
            yield user


def _names(step: BodyStep, entity_id: str) -> bool:
    call = step.call
    return step.member == entity_id or (
        call is not None and (entity_id in call.target.entity_id or call.id == entity_id)
    )
