"""The doctor: what could keep Homesteward from working, checked one by one, each with the next step."""

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from homesteward.actions.rule_keeper import RuleKeeper
from homesteward.app.memory import Memory
from homesteward.core import Clock
from homesteward.core.errors import HomestewardError
from homesteward.core.json import JsonObject, JsonValue
from homesteward.faces.web.rooms import Check
from homesteward.home.errors import NotConnectedError
from homesteward.home.link import HomeLink
from homesteward.home.live import LiveHome
from homesteward.models import build_model
from homesteward.settings import Settings
from homesteward.store.audit import Audit

LOW_DISK = 500 * 1024 * 1024  # bytes; a night of writing must fit
EARLIEST = 2026  # a clock that says an earlier year was never set


async def examine_house(
    settings: Settings,
    home: LiveHome,
    clock: Clock,
    link: HomeLink | None = None,
    rules: RuleKeeper | None = None,
    memory: Memory | None = None,
    audit: Audit | None = None,
) -> Sequence[Check]:
    """Return every check of a running house; `link` tells what is wrong with its connection, and is made to try again now.

    `rules` tells which preset holds and whether the owner's rules can be used.
    """
    if link and not home.connected:
        link.hurry()
    return (
        _settings(settings, rules),
        *([_rules(rules, home)] if rules else []),
        _home_assistant(home, link),
        _exposure(home),
        _model(settings),
        _database(settings.data),
        *([_chronicle(memory)] if memory else []),
        *([await _audit(audit)] if audit else []),
        _disk(settings.data),
        _clock(clock),
    )


def _settings(settings: Settings, rules: RuleKeeper | None) -> Check:
    policy = settings.policy
    preset = rules.policy().preset.value if rules else policy.preset
    said = f"mode {policy.mode}, preset {preset}"
    if policy.dry_run:
        return Check(
            "settings",
            "warn",
            f"{said}, dry run: nothing is really done",
            "Set policy.dry_run to false when you trust it.",
        )
    if preset == "open":
        return Check(
            "settings", "warn", f"{said}: nothing waits for a person", "Use the preset family for a real home."
        )
    return Check("settings", "ok", said)


def _rules(rules: RuleKeeper, home: LiveHome) -> Check:
    told = rules.told(home)
    if told["held"]:
        return Check(
            "rules",
            "fail",
            f"{told['held']} None of them holds: everything but looking waits for an owner.",
            f"Mend {rules.file}, or put a version back: homesteward policy versions, then policy restore.",
        )
    by = "the rule file" if told["preset_from"] == "rules" else "the settings"
    counted = ", ".join(f"{name}: {told[name]}" for name in ("rules", "limits"))
    said = f"{counted}; preset {told['preset']}, by {by}"
    if (warnings := told.get("warnings")) and isinstance(warnings, list):
        return Check(
            "rules", "warn", f"{said}; {'; '.join(map(str, warnings))}", "A rule that names nothing decides nothing."
        )
    return Check("rules", "ok", said)


def _home_assistant(home: LiveHome, link: HomeLink | None) -> Check:
    if not home.connected:
        return _away(home, link)
    said = f"{home.config.version}, {len(home.states)} entities"
    if link and link.overflows:
        return Check(
            "home assistant",
            "warn",
            f"{said}; it dropped us {link.overflows} times because too much changed at once",
            "Nothing is lost for good; see what changes thousands of entities in one go.",
        )
    return Check("home assistant", "ok", said)


def _away(home: LiveHome, link: HomeLink | None) -> Check:
    health = link.health() if link else {}
    trouble = health.get("trouble") or NotConnectedError().message
    known = f" What is known of it is from {home.as_of:%Y-%m-%d %H:%M} UTC." if home.as_of else ""
    state = f" ({health['state']})" if health else ""
    return Check(
        "home assistant",
        "fail",
        f"{trouble}{state}{known}",
        str(health.get("next") or "Check that it runs; Homesteward is connected as soon as it is there."),
    )


def _exposure(home: LiveHome) -> Check:
    if home.as_of is None:
        return Check("exposure", "warn", "not known before Home Assistant is connected")
    if not home.exposed:
        return Check(
            "exposure",
            "warn",
            "no entity is exposed to Assist, so no sentence can reach one",
            "Expose some under Settings, Voice assistants.",
        )
    return Check("exposure", "ok", f"{len(home.exposed)} entities exposed")


def _model(settings: Settings) -> Check:
    try:
        model = build_model(settings.model)
    except HomestewardError as error:
        return Check("model", "fail", error.message, error.next)
    return Check(
        "model",
        "ok",
        f"{settings.model.model} ({settings.model.tool_mode})" if model else "none; the grammar understands alone",
    )


def _database(folder: Path) -> Check:
    files = sorted(folder.glob("*.db*"))  # what was written last stands in a file beside the database
    size = sum(file.stat().st_size for file in files) / 1e6
    return Check(
        "database", "ok" if files else "fail", f"{size:.1f} MB in {folder}", "" if files else "Start the service once."
    )


def _chronicle(memory: Memory) -> Check:
    if memory.problem:
        return Check(
            "chronicle", "fail", f"{memory.problem.message} Nothing that happens is remembered.", memory.problem.next
        )
    if memory.chronicle is None:
        return Check("chronicle", "warn", "switched off: nothing that happens is remembered")
    health = memory.chronicle.health()
    if health["failure"]:
        return Check("chronicle", "fail", str(health["failure"]), str(health["next"]))
    if why := _unread(health):
        return Check(
            "chronicle",
            "warn",
            f"what happened while nobody listened cannot be read from Home Assistant yet: {why}",
            "It is tried again by itself; look at the service's log where it stays so.",
        )
    if health["dropped"]:
        return Check("chronicle", "warn", f"{health['dropped']} records found no room and were read up afterwards")
    return Check("chronicle", "ok", f"{health['stored']} records stored since the start")


def _unread(health: JsonObject) -> JsonValue:
    """Return why an outage could not be read, as far as that is so now."""
    backfill = health["backfill"]
    return backfill.get("trouble") if isinstance(backfill, Mapping) else None


async def _audit(audit: Audit) -> Check:
    try:
        verdict = await audit.verify()
    except HomestewardError as error:
        return Check("audit", "fail", error.message, error.next)
    if not verdict.ok:
        return Check(
            "audit",
            "fail",
            f"entry {verdict.bad}: {verdict.problem} ({audit.key})",
            "Was the database or the store key put back from a copy? Put both back from one time; see docs/store.md.",
        )
    if verdict.warning:
        return Check("audit", "warn", f"{verdict.checked} entries are whole. {verdict.warning}", "See docs/store.md.")
    return Check("audit", "ok", f"{verdict.checked} entries, all as they were written ({audit.key})")


def _disk(folder: Path) -> Check:
    free = shutil.disk_usage(folder).free
    said = f"{free / 1e9:.1f} GB free"
    return (
        Check("disk", "ok", said)
        if free > LOW_DISK
        else Check("disk", "warn", said, "Make room: plans are written to this disk.")
    )


def _clock(clock: Clock) -> Check:
    now = clock.now()
    if now.year < EARLIEST:
        return Check("clock", "fail", f"it says {now:%Y-%m-%d}", "Set the machine's clock: plans expire by it.")
    return Check("clock", "ok", f"{now:%Y-%m-%d %H:%M} UTC")
