"""What Homesteward may do of its own accord: tell the owner something by the one notify target that is set up, and nothing else."""

from homesteward.home.calls import ResolvedCall

SEND_MESSAGE = "notify.send_message"
TEXTS = frozenset({"message", "title"})
RULE = "own notices"


def is_own_notice(call: ResolvedCall, target: str) -> bool:
    """Return whether the call sends a text, and nothing else, to the notify target: a service, or an entity of Home Assistant's."""
    texts = call.data.keys() <= TEXTS and all(isinstance(text, str) for text in call.data.values())
    at_service = call.id == target and call.domain == "notify" and not call.entity_ids
    return bool(target) and texts and (at_service or (call.id == SEND_MESSAGE and call.entity_ids == (target,)))
