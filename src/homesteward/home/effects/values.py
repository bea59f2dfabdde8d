"""Effects on things that hold a value: numbers, choices, texts, dates, counters and timers."""

from collections.abc import Sequence

from homesteward.home.effects.effect import Asked, Effect, Rule, number, shown, unobservable


def value(asked: Asked) -> Effect:
    """Expect that the entity holds the value asked for; numbers are compared as numbers."""
    wanted = asked.data.get("value")
    amount = number(wanted)
    if amount is None or asked.domain in {"text", "input_text"}:
        return asked.effect(f"{wanted}", str(wanted))
    return _holds(asked, amount)


def option(asked: Asked) -> Effect:
    """Expect that the option asked for is chosen."""
    chosen = str(asked.data.get("option"))
    return asked.effect(chosen, chosen)


def moment(asked: Asked) -> Effect:
    """Expect that the entity holds the date, the time or both; a moment in another form cannot be compared with its state."""
    parts = [str(asked.data[key]) for key in ("date", "time", "datetime") if key in asked.data]
    if not parts or "timestamp" in asked.data or asked.domain == "datetime":
        return unobservable("set", asked.before)
    written = " ".join(parts)
    return asked.effect(written, written)


def increased(asked: Asked) -> Effect:
    """Expect that the value is one step higher."""
    return _stepped(asked, 1)


def decreased(asked: Asked) -> Effect:
    """Expect that the value is one step lower."""
    return _stepped(asked, -1)


def _chosen(pick: int | None, step: int = 0) -> Rule:
    """Return the rule that chooses the option at `pick`, or `step` options on from the one before."""

    def rule(asked: Asked) -> Effect:
        raw = asked.before.attributes.get("options")
        options = [str(each) for each in raw] if isinstance(raw, Sequence) and not isinstance(raw, str) else []
        if not options or (pick is None and asked.before.state not in options):
            return asked.effect("another option", moved=("state",), repeatable=False)
        at = pick if pick is not None else options.index(asked.before.state) + step
        if asked.data.get("cycle", True) is False:
            at = min(max(at, 0 if pick is None else at), len(options) - 1)
        chosen = options[at if pick is not None else at % len(options)]
        return asked.effect(chosen, chosen, repeatable=pick is not None)

    return rule


def _stepped(asked: Asked, sign: int) -> Effect:
    before, step = number(asked.before.state), asked.attribute("step") or 1.0
    if before is None:
        return unobservable("changed", asked.before)
    low, high = asked.attribute("min"), asked.attribute("max")
    to = before + sign * step
    to = to if low is None else max(low, to)
    found = _holds(asked, to if high is None else min(high, to))
    return asked.effect(found.expected, *found.accepts, repeatable=False)


def _holds(asked: Asked, amount: float) -> Effect:
    """Accept every way in which Home Assistant writes the number, the shape of the state before first."""
    whole = int(amount) if amount == int(amount) else amount
    written = (str(float(amount)), str(whole)) if "." in asked.before.state else (str(whole), str(float(amount)))
    return asked.effect(shown(amount), *dict.fromkeys(written))


def _becomes(state: str) -> Rule:
    def rule(asked: Asked) -> Effect:
        return asked.effect(state, state)

    return rule


RULES: dict[str, Rule] = {
    **{f"{domain}.set_value": value for domain in ("number", "input_number", "text", "input_text", "counter")},
    "input_number.increment": increased,
    "input_number.decrement": decreased,
    "counter.increment": increased,
    "counter.decrement": decreased,
    **{
        f"{domain}.{service}": rule
        for domain in ("select", "input_select")
        for service, rule in (
            ("select_option", option),
            ("select_first", _chosen(0)),
            ("select_last", _chosen(-1)),
            ("select_next", _chosen(None, 1)),
            ("select_previous", _chosen(None, -1)),
        )
    },
    "input_datetime.set_datetime": moment,
    "date.set_value": moment,
    "datetime.set_value": moment,
    "time.set_value": moment,
    "timer.start": _becomes("active"),
    "timer.pause": _becomes("paused"),
    "timer.cancel": _becomes("idle"),
    "timer.finish": _becomes("idle"),
}
