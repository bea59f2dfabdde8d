"""Rules and limits as sentences that a person can read, in English and German: what stands in the file, and nothing more."""

from collections.abc import Iterable, Iterator
from datetime import timedelta

from homesteward.home.effects.effect import shown
from homesteward.policy.decide import Policy
from homesteward.policy.rule import Bound, Limit, Range, Rule, TemperatureRange, Wanted, When
from homesteward.policy.wording_tables import LANGUAGES, Words

UNITS = (("days", 86400), ("hours", 3600), ("minutes", 60), ("seconds", 1))
MEASURED = {
    "temperature": " °C",
    "brightness": " %",
    "volume": " %",
    "position": " %",
    "speed": " %",
    "humidity": " %",
    "value": "",
}
# condition -> what goes before a value of it to find its own word
TRANSLATED = {"role": "role.", "kind": "kind.", "weekday": "day."}


def words_of(language: str) -> Words:
    """Return the table of a language, English where there is none."""
    return LANGUAGES.get(language.partition("-")[0].casefold(), LANGUAGES["en"])


def rule_sentence(rule: Rule, words: Words) -> str:
    """Return what a rule says."""
    return _sentence(rule.when, _effect(rule, words), words, enabled=rule.enabled)


def limit_sentence(limit: Limit, words: Words) -> str:
    """Return what a limit says."""
    said = words["limit"].format(measures=", ".join(_measures(limit, words)), then=words[limit.then])
    return _sentence(limit.when, said, words, enabled=limit.enabled)


def closing_sentence(policy: Policy, words: Words) -> str:
    """Return what decides where no rule does, or that nothing is decided and why."""
    return words["held"].format(why=policy.held) if policy.held else words["preset"].format(preset=policy.preset)


def _sentence(when: When, then: str, words: Words, *, enabled: bool) -> str:
    conditions = words["and"].join(_conditions(when, words))
    said = words["if"].format(conditions=conditions, then=then) if conditions else words["always"].format(then=then)
    return said if enabled else words["off"].format(sentence=said)


def _conditions(when: When, words: Words) -> Iterator[str]:
    """Yield the conditions in the order of the file's own vocabulary."""
    for name in When.model_fields:
        wanted = getattr(when, name)
        if wanted is not None:
            yield from _condition(name, wanted, words)


def _condition(name: str, wanted: object, words: Words) -> Iterator[str]:
    match wanted:
        case When():
            yield words["not"].format(words["and"].join(_conditions(wanted, words)))
        case dict():
            yield from (words[name].format(_wanted(value, words), name=of) for of, value in wanted.items())
        case bool():
            yield words[f"{name}.{'yes' if wanted else 'no'}"]
        case str():
            yield words[f"{name}.{wanted}"]
        case tuple() if name == "time":
            spans = (words["span"].format(start=f"{one.start:%H:%M}", end=f"{one.end:%H:%M}") for one in wanted)
            yield words[name].format(words["or"].join(spans))
        case tuple():
            yield words[name].format(words["or"].join(_named(name, wanted, words)))
        case _:
            yield words[name].format(times=getattr(wanted, "times", ""), within=_lasting(_within(wanted), words))


def _named(name: str, values: Iterable[object], words: Words) -> Iterator[str]:
    prefix = TRANSLATED.get(name)
    return (words[f"{prefix}{value}"] if prefix else str(value) for value in values)


def _within(wanted: object) -> timedelta:
    found = getattr(wanted, "within", None)
    return found if isinstance(found, timedelta) else timedelta(0)


def _wanted(value: Wanted, words: Words) -> str:
    if isinstance(value, Bound):
        ends = (("above", value.above), ("below", value.below))
        return words["and"].join(words[name].format(shown(end)) for name, end in ends if end is not None)
    several = value if isinstance(value, tuple) else (value,)
    return words["or"].join({True: "on", False: "off"}[one] if isinstance(one, bool) else shown(one) for one in several)


def _effect(rule: Rule, words: Words) -> str:
    said = words[rule.then]
    if rule.by == "owner":
        said += words["by_owner"]
    if rule.pin:
        said += words["pin"]
    if rule.expires is not None:
        said += words["expires"].format(_lasting(rule.expires, words))
    if rule.notify:
        said += words["notify"]
    if rule.window is not None:
        said += words["window"].format(_lasting(rule.window, words))
    return said


def _measures(limit: Limit, words: Words) -> Iterator[str]:
    for name, unit in MEASURED.items():
        bounds: Range | TemperatureRange | None = getattr(limit, name)
        if bounds is not None:
            yield from _bounds(words[name], unit, bounds, words)
    if limit.options:
        yield words["options"].format(words["or"].join(limit.options))
    if limit.every:
        yield words["every"].format(times=limit.every.times, within=_lasting(limit.every.within, words))


def _bounds(what: str, unit: str, bounds: Range | TemperatureRange, words: Words) -> Iterator[str]:
    low, high = (None if end is None else shown(round(end, 2)) for end in (bounds.min, bounds.max))
    form = {(True, True): "from_to", (True, False): "at_least", (False, True): "at_most"}.get(
        (low is not None, high is not None)
    )
    if form:
        yield words[form].format(what=what, min=low, max=high, unit=unit)
    if isinstance(bounds, TemperatureRange) and bounds.step is not None:
        yield words["step"].format(what=what, step=shown(bounds.step))


def _lasting(period: timedelta, words: Words) -> str:
    seconds = period.total_seconds()
    name, size = next((unit for unit in UNITS if seconds >= unit[1] and seconds % unit[1] == 0), UNITS[-1])
    return words[name].format(shown(seconds / size))
