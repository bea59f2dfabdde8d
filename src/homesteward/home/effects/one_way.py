"""What is over when it has happened: the domains and services that no call takes back, each with the reason."""

from collections.abc import Mapping

PRESSED = "a button that was pressed stays pressed"
COMMANDED = "a command that was sent stays sent"
PLAYED = "what it played before is not put on again"
LISTED = "entries of a list are not brought back"

# domain -> why nothing done to it is taken back
ONE_WAY: Mapping[str, str] = {
    "button": PRESSED,
    "input_button": PRESSED,
    "notify": "a message that was sent stays sent",
    "persistent_notification": "a message that was shown was shown",
    "tts": "what was said was said",
    "assist_satellite": "what was said was said",
    "scene": "a scene has no state of its own, and what it sets is not known",
    "script": "a script that ran has run, and what it changed is not known",
    "camera": "a picture that was taken stays taken",
    "event": "an event has happened",
    "timer": "a timer's time has gone on",
    "todo": LISTED,
    "shopping_list": LISTED,
    "calendar": "entries of a calendar are not brought back",
    "update": "an update is not taken back",
}
# domain.service -> the same, where the domain's other services can be taken back
ONE_WAY_SERVICES: Mapping[str, str] = {
    "remote.send_command": COMMANDED,
    "vacuum.send_command": COMMANDED,
    "vacuum.locate": "a sound that was made was made",
    "media_player.play_media": PLAYED,
    "media_player.media_next_track": PLAYED,
    "media_player.media_previous_track": PLAYED,
    "media_player.media_seek": "the place in what it plays has gone on",
    "media_player.clear_playlist": "a list of titles that was emptied stays empty",
    "lock.open": "a latch that opened has opened",
}


def why_one_way(domain: str, service: str) -> str:
    """Return why nothing done to things of `domain`, or by the service (`domain.service`), is taken back; nothing where it can be."""
    return ONE_WAY_SERVICES.get(service) or ONE_WAY.get(domain, "")
