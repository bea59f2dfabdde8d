"""Effects on media players. What plays next cannot be known, only that something else does."""

from homesteward.home.effects.effect import Asked, Effect, Rule, Wanted, number

VOLUME_BAND = 0.02
VOLUME_STEP = 0.1
ON_STATES = ("idle", "on", "playing", "paused", "buffering")
OFF_STATES = ("off", "standby")
SILENT_STATES = ("idle", "off", "standby", "on")
TRACK = ("media_track", "media_title", "media_content_id")
WHAT_PLAYS = ("media_content_id", "media_title", "media_position_updated_at")


def player_on(asked: Asked) -> Effect:
    """Expect that the player is anything but off."""
    return asked.effect("on", *ON_STATES)


def player_off(asked: Asked) -> Effect:
    """Expect that the player is off or in standby."""
    return asked.effect("off", *OFF_STATES)


def player_toggled(asked: Asked) -> Effect:
    """Expect that the player is on if it was off, else off."""
    found = player_on(asked) if asked.before.state in OFF_STATES else player_off(asked)
    return asked.effect(found.expected, *found.accepts, repeatable=False)


def playing(asked: Asked) -> Effect:
    """Expect that the player plays."""
    return asked.effect("playing", "playing")


def paused(asked: Asked) -> Effect:
    """Expect that the player is paused."""
    return asked.effect("paused", "paused")


def play_paused(asked: Asked) -> Effect:
    """Expect that the player is paused if it played, else it plays."""
    found = paused(asked) if asked.before.state == "playing" else playing(asked)
    return asked.effect(found.expected, *found.accepts, repeatable=False)


def stopped(asked: Asked) -> Effect:
    """Expect that the player neither plays nor is paused."""
    return asked.effect("stopped", *SILENT_STATES)


def volume(asked: Asked) -> Effect:
    """Expect that the volume is the one asked for."""
    level = number(asked.data.get("volume_level")) or 0.0
    return asked.effect(f"volume {round(level * 100)}%", wanted=(Wanted("volume_level", level, VOLUME_BAND),))


def muted(asked: Asked) -> Effect:
    """Expect that the player is muted, or not."""
    mute = bool(asked.data.get("is_volume_muted"))
    return asked.effect("muted" if mute else "not muted", wanted=(Wanted("is_volume_muted", mute),))


def louder(asked: Asked) -> Effect:
    """Expect that the volume has changed; by how much is the player's choice."""
    return _volume_moved(asked, VOLUME_STEP, "louder")


def quieter(asked: Asked) -> Effect:
    """Expect that the volume has changed; by how much is the player's choice."""
    return _volume_moved(asked, -VOLUME_STEP, "quieter")


def other_track(asked: Asked) -> Effect:
    """Expect that something else is on."""
    track = asked.attribute("media_track")
    also = {} if track is None else {"media_track": track + 1}
    return asked.effect("another track", moved=TRACK, repeatable=False, also=also)


def started_media(asked: Asked) -> Effect:
    """Expect that the player plays, and it was not what it played before."""
    moved = WHAT_PLAYS if asked.before.state == "playing" else ()
    return asked.effect("playing", "playing", "buffering", moved=moved, repeatable=False)


def source(asked: Asked) -> Effect:
    """Expect that the player takes its sound or picture from the source asked for."""
    return asked.effect(f"source {asked.data.get('source')}", wanted=(Wanted("source", asked.data.get("source")),))


def sound_mode(asked: Asked) -> Effect:
    """Expect that the player is in the sound mode asked for."""
    mode = asked.data.get("sound_mode")
    return asked.effect(f"sound mode {mode}", wanted=(Wanted("sound_mode", mode),))


def shuffle(asked: Asked) -> Effect:
    """Expect that the player shuffles, or not."""
    on = bool(asked.data.get("shuffle"))
    return asked.effect("shuffled" if on else "not shuffled", wanted=(Wanted("shuffle", on),))


def repeat(asked: Asked) -> Effect:
    """Expect that the player repeats as asked for."""
    mode = asked.data.get("repeat")
    return asked.effect(f"repeat {mode}", wanted=(Wanted("repeat", mode),))


def _volume_moved(asked: Asked, by: float, word: str) -> Effect:
    before = asked.attribute("volume_level")
    also = {} if before is None else {"volume_level": round(min(1.0, max(0.0, before + by)), 2)}
    if before is not None and also["volume_level"] == before:  # already as loud or as quiet as it gets
        return asked.effect(word, wanted=(Wanted("volume_level", before, VOLUME_BAND),), repeatable=False)
    return asked.effect(word, moved=("volume_level",), repeatable=False, also=also)


RULES: dict[str, Rule] = {
    f"media_player.{service}": rule
    for service, rule in (
        ("turn_on", player_on),
        ("turn_off", player_off),
        ("toggle", player_toggled),
        ("media_play", playing),
        ("media_pause", paused),
        ("media_play_pause", play_paused),
        ("media_stop", stopped),
        ("media_next_track", other_track),
        ("media_previous_track", other_track),
        ("play_media", started_media),
        ("volume_set", volume),
        ("volume_mute", muted),
        ("volume_up", louder),
        ("volume_down", quieter),
        ("select_source", source),
        ("select_sound_mode", sound_mode),
        ("shuffle_set", shuffle),
        ("repeat_set", repeat),
    )
}
