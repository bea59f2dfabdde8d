"""Effects on what opens and closes: covers, valves and locks. Being on the way is not being there."""

from homesteward.home.effects.effect import Asked, Effect, Rule, Wanted, number, shown

POSITION_BAND = 3  # percent; motors stop a little early or late
ENDS = {"open": 100, "closed": 0}
STUCK = frozenset({"jammed"})
RESTING = ("open", "closed")
STOPPED = "stopped"  # what a stop is expected to come to


def opened(asked: Asked) -> Effect:
    """Expect that the cover or valve is open, all the way where it knows its position."""
    return _at_end(asked, "open")


def closed(asked: Asked) -> Effect:
    """Expect that the cover or valve is closed."""
    return _at_end(asked, "closed")


def positioned(asked: Asked) -> Effect:
    """Expect that the cover or valve stands at the position asked for; 0 is closed."""
    to = number(asked.data.get("position")) or 0.0
    if to == 0:
        return closed(asked)
    return asked.effect(f"position {shown(to)}", "open", wanted=(Wanted("current_position", to, POSITION_BAND),))


def stopped(asked: Asked) -> Effect:
    """Expect that the cover or valve does not move; always asked again, for one that only thinks that it stands."""
    at_rest = asked.before.state if asked.before.state in RESTING else "open"
    other = RESTING[1 - RESTING.index(at_rest)]
    return asked.effect(STOPPED, at_rest, other, repeatable=False)


def toggled(asked: Asked) -> Effect:
    """Expect that the cover or valve is the other of open and closed; one on the way stops or turns round."""
    effect = {"open": closed, "closed": opened}.get(asked.before.state)
    if effect is None:
        return asked.effect("toggled", moved=("state",), repeatable=False)
    found = effect(asked)
    return asked.effect(found.expected, *found.accepts, wanted=found.wanted, repeatable=False, also=found.also)


def tilted(asked: Asked) -> Effect:
    """Expect that the slats stand at the tilt asked for."""
    to = number(asked.data.get("tilt_position")) or 0.0
    return asked.effect(f"tilt {shown(to)}", wanted=(Wanted("current_tilt_position", to, POSITION_BAND),))


def tilt_opened(asked: Asked) -> Effect:
    """Expect that the slats are open."""
    return asked.effect("tilt open", wanted=(Wanted("current_tilt_position", 100, POSITION_BAND),))


def tilt_closed(asked: Asked) -> Effect:
    """Expect that the slats are closed."""
    return asked.effect("tilt closed", wanted=(Wanted("current_tilt_position", 0, POSITION_BAND),))


def locked(asked: Asked) -> Effect:
    """Expect that the lock is locked; jammed is the opposite of done."""
    return asked.effect("locked", "locked", wrong=STUCK)


def unlocked(asked: Asked) -> Effect:
    """Expect that the lock is unlocked, or open."""
    return asked.effect("unlocked", "unlocked", "open", wrong=STUCK)


def unlatched(asked: Asked) -> Effect:
    """Expect that the lock has opened: a latch falls back, so that only having changed to it counts."""
    return asked.effect("open", "open", "unlocked", moved=("state",), wrong=STUCK, repeatable=False)


def _at_end(asked: Asked, end: str) -> Effect:
    knows = "current_position" in asked.before.attributes
    if end == "open" and knows:
        return asked.effect(end, end, wanted=(Wanted("current_position", ENDS[end], POSITION_BAND),))
    return asked.effect(end, end, also={"current_position": ENDS[end]} if knows else {})


RULES: dict[str, Rule] = {
    "cover.open_cover": opened,
    "cover.close_cover": closed,
    "cover.set_cover_position": positioned,
    "cover.stop_cover": stopped,
    "cover.toggle": toggled,
    "cover.open_cover_tilt": tilt_opened,
    "cover.close_cover_tilt": tilt_closed,
    "cover.set_cover_tilt_position": tilted,
    "valve.open_valve": opened,
    "valve.close_valve": closed,
    "valve.set_valve_position": positioned,
    "valve.stop_valve": stopped,
    "valve.toggle": toggled,
    "lock.lock": locked,
    "lock.unlock": unlocked,
    "lock.open": unlatched,
}
