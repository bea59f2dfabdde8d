"""How what happened is said, per language: tables only. A phrase is what a thing did, and what it is doing where it set something off.

Of `said` the first part stands before the time and the second behind it, as German has it; English puts both before.
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Phrase:
    """What a thing did: in two parts around the time, and as something that sets off something else."""

    said: str
    rest: str = ""
    doing: str = ""


ANY = "*"  # as a state: whatever it is, such as the moment at which a button was pressed

type Phrases = Mapping[str, Mapping[str, Phrase]]
"""Kind of thing (a domain, or a domain and a device class) -> state -> phrase."""


@dataclass(frozen=True, slots=True)
class Wording:
    """All that one language needs."""

    phrases: Phrases
    texts: Mapping[str, str]
    attributes: Mapping[str, str]
    months: tuple[str, ...]
    states: Mapping[str, str]
    triggers: Mapping[str, str]
    """The beginning of Home Assistant's own words for a trigger -> how it is said; `{}` is what follows."""


def _openings(opened: Phrase, closed: Phrase, opening: Phrase, closing: Phrase) -> dict[str, Phrase]:
    return {"open": opened, "closed": closed, "opening": opening, "closing": closing}


_EN_OPENING = _openings(
    Phrase("opened", doing="opening"),
    Phrase("closed", doing="closing"),
    Phrase("began to open", doing="beginning to open"),
    Phrase("began to close", doing="beginning to close"),
)
_EN_CONTACT = {"on": Phrase("opened", doing="opening"), "off": Phrase("closed", doing="closing")}
_EN_LOCK = {
    "locked": Phrase("was locked", doing="being locked"),
    "unlocked": Phrase("was unlocked", doing="being unlocked"),
    "locking": Phrase("began to lock", doing="beginning to lock"),
    "unlocking": Phrase("began to unlock", doing="beginning to unlock"),
    "jammed": Phrase("jammed", doing="jamming"),
    "open": Phrase("was opened", doing="being opened"),
}


def _en_detected(what: str) -> dict[str, Phrase]:
    return {
        "on": Phrase(f"detected {what}", doing=f"detecting {what}"),
        "off": Phrase(f"no longer detected {what}", doing=f"no longer detecting {what}"),
    }


_EN_BUTTON = {ANY: Phrase("was pressed", doing="being pressed")}
_EN_PRESENCE = {
    "home": Phrase("came home", doing="coming home"),
    "not_home": Phrase("left home", doing="leaving home"),
}
_EN_ALARM = {
    "disarmed": Phrase("was disarmed", doing="being disarmed"),
    "arming": Phrase("began to arm", doing="beginning to arm"),
    "armed_home": Phrase("was armed (home)", doing="being armed (home)"),
    "armed_away": Phrase("was armed (away)", doing="being armed (away)"),
    "armed_night": Phrase("was armed (night)", doing="being armed (night)"),
    "pending": Phrase("began to count down", doing="counting down"),
    "triggered": Phrase("went off", doing="going off"),
}

EN = Wording(
    phrases={
        "": {
            "on": Phrase("turned on", doing="turning on"),
            "off": Phrase("turned off", doing="turning off"),
            "unavailable": Phrase("became unavailable", doing="becoming unavailable"),
            "unknown": Phrase("became unknown", doing="becoming unknown"),
        },
        "cover": _EN_OPENING,
        "valve": _EN_OPENING,
        "lock": _EN_LOCK,
        "button": _EN_BUTTON,
        "input_button": _EN_BUTTON,
        "scene": {ANY: Phrase("was applied", doing="being applied")},
        "event": {ANY: Phrase("reported an event", doing="reporting an event")},
        "tag": {ANY: Phrase("was scanned", doing="being scanned")},
        "person": _EN_PRESENCE,
        "device_tracker": _EN_PRESENCE,
        "alarm_control_panel": _EN_ALARM,
        "sun": {"above_horizon": Phrase("rose", doing="rising"), "below_horizon": Phrase("set", doing="setting")},
        "media_player": {
            "playing": Phrase("began to play", doing="beginning to play"),
            "paused": Phrase("paused", doing="pausing"),
            "idle": Phrase("stopped", doing="stopping"),
        },
        "vacuum": {
            "cleaning": Phrase("began to clean", doing="beginning to clean"),
            "docked": Phrase("docked", doing="docking"),
            "returning": Phrase("went back to its dock", doing="going back to its dock"),
        },
        **{f"binary_sensor.{kind}": _EN_CONTACT for kind in ("door", "window", "opening", "garage_door")},
        **{
            f"binary_sensor.{kind}": _en_detected(what)
            for kind, what in (
                ("motion", "motion"), ("occupancy", "occupancy"), ("presence", "presence"), ("moisture", "water"),
                ("smoke", "smoke"), ("gas", "gas"), ("carbon_monoxide", "carbon monoxide"), ("vibration", "vibration"),
                ("sound", "sound"), ("light", "light"), ("tamper", "tampering"), ("problem", "a problem"),
                ("moving", "movement"), ("heat", "heat"), ("cold", "cold"), ("safety", "danger"),
            )
        },
        "binary_sensor.lock": {
            "on": Phrase("was unlocked", doing="being unlocked"),
            "off": Phrase("was locked", doing="being locked"),
        },
        "binary_sensor.connectivity": {
            "on": Phrase("connected", doing="connecting"),
            "off": Phrase("lost its connection", doing="losing its connection"),
        },
        "binary_sensor.battery": {
            "on": Phrase("ran low", doing="running low"),
            "off": Phrase("was no longer low", doing="no longer being low"),
        },
    },
    texts={
        "at": "at {time}",
        "yesterday": "yesterday at {time}",
        "on_day": "on {day} {month} at {time}",
        "on_date": "on {day} {month} {year} at {time}",
        "did": "{name} {said}{rest} {when}",
        "doing": "{name} {doing}",
        "became": "changed to {new}",
        "from_to": "changed from {old} to {new}",
        "becoming": "changing to {new}",
        "gone": "was removed",
        "set": "was set to {values}",
        "setting": "being set to {values}",
        "runs": "ran",
        "applied": "was applied",
        "because": " because {cause}",
        "probably": ", probably because {cause}",
        "automation": "the automation {name} ran",
        "script": "the script {name} ran",
        "scene": "the scene {name} was applied",
        "started_by": ", started by {what}",
        "by_automation": "the automation {name}",
        "by_script": "the script {name}",
        "by_scene": "the scene {name}",
        "triggered_by": ", triggered by {what}",
        "unknown_origin": ", of unknown origin",
        "for_user": " for {user}",
        "act": "{person} asked for it{request}{plan}",
        "by_act": "{person}{request}{plan}",
        "plan": " (plan {plan}, rule {rule})",
        "ahead": " ahead of time ({when})",
        "request": ' with the words "{request}"',
        "user": "{user} asked Home Assistant for it ({what})",
        "user_alone": "{user} did so in Home Assistant",
        "call": "{what} was called, by what is not known",
        "by_call": "a call of {what}",
        "went_on": "it had begun at {time}",
        "device": ". Home Assistant did not do it: it came from the device or from outside, and the cause is not known",
        "sensor": ", as it reported by itself",
        "not_known": "; the cause is not known",
        "contradicted": ". Home Assistant names {what} as the cause, but that does not do this; the cause is not known",
        "backfill": ", while nobody was listening; it was read afterwards, and the cause is not known",
        "found_so": "{name} was found {state}",
        "found": "{name} was found {state} when listening began {when}; when and why it came to that is not known",
        "nothing": "Nothing was remembered of {name} yet {when}",
        "loop": " The automations set each other off: {names} ran {runs} times in {span}",
        "burst": " One trigger set off {runs} runs in {span}: {names}",
        "ran": "{name} ran {when}",
        "was_applied": "{name} was applied {when}",
        "following": ", probably following {what}",
        "somebody": "Somebody",
        "further": ", and more before that",
        "began": " It all began {when}",
        "at_least": "at least {count}",
        "deeper": "; what came before that was not followed any further",
        "more": "There is more.",
        "absent": "not there",
        "unheard": " Listening stopped {when}: it may have changed since.",
    },
    attributes={
        "brightness": "brightness", "color_temp_kelvin": "colour temperature", "current_position": "position",
        "current_tilt_position": "tilt", "percentage": "speed", "volume_level": "volume", "temperature": "",
        "target_temp_low": "from", "target_temp_high": "to", "humidity": "humidity", "hvac_action": "action",
        "preset_mode": "preset", "fan_mode": "fan", "swing_mode": "swing", "source": "source", "media_title": "title",
        "current_temperature": "measured", "is_volume_muted": "muted", "effect": "effect", "hs_color": "colour",
    },
    months=(
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ),
    states={},
    triggers={
        "state of": "{}", "numeric state of": "the value of {}", "time pattern": "a time pattern", "time": "the time",
        "sunset": "sunset", "sunrise": "sunrise", "event": "the event{}", "template": "a template",
        "Home Assistant starting": "the start of Home Assistant", "Home Assistant stopping": "the end of Home Assistant",
        "device": "a device", "webhook": "a webhook", "mqtt topic": "the MQTT topic{}",
    },
)  # fmt: skip

_DE_OPENING = _openings(
    Phrase("öffnete sich", doing="geöffnet"),
    Phrase("schloss sich", doing="geschlossen"),
    Phrase("begann", "sich zu öffnen", "öffnet sich"),
    Phrase("begann", "sich zu schließen", "schließt sich"),
)
_DE_CONTACT = {
    "on": Phrase("wurde", "geöffnet", "geöffnet"),
    "off": Phrase("wurde", "geschlossen", "geschlossen"),
}
_DE_LOCK = {
    "locked": Phrase("wurde", "verriegelt", "verriegelt"),
    "unlocked": Phrase("wurde", "entriegelt", "entriegelt"),
    "locking": Phrase("begann", "zu verriegeln", "verriegelt"),
    "unlocking": Phrase("begann", "zu entriegeln", "entriegelt"),
    "jammed": Phrase("klemmte", "", "klemmt"),
    "open": Phrase("wurde", "geöffnet", "geöffnet"),
}


def _de_detected(what: str) -> dict[str, Phrase]:
    return {
        "on": Phrase("erkannte", what, f"{what} erkannt"),
        "off": Phrase("erkannte", f"nicht mehr {what}", f"nicht mehr {what} erkannt"),
    }


_DE_BUTTON = {ANY: Phrase("wurde", "gedrückt", "gedrückt")}
_DE_PRESENCE = {
    "home": Phrase("kam", "nach Hause", "kommt nach Hause"),
    "not_home": Phrase("ging", "aus dem Haus", "geht aus dem Haus"),
}
_DE_ALARM = {
    "disarmed": Phrase("wurde", "unscharf geschaltet", "unscharf geschaltet"),
    "arming": Phrase("begann", "scharf zu werden", "wird scharf"),
    "armed_home": Phrase("wurde", "scharf geschaltet (zu Hause)", "scharf geschaltet (zu Hause)"),
    "armed_away": Phrase("wurde", "scharf geschaltet (abwesend)", "scharf geschaltet (abwesend)"),
    "armed_night": Phrase("wurde", "scharf geschaltet (Nacht)", "scharf geschaltet (Nacht)"),
    "pending": Phrase("begann", "zu zählen", "zählt"),
    "triggered": Phrase("schlug", "Alarm", "schlägt Alarm"),
}

DE = Wording(
    phrases={
        "": {
            "on": Phrase("ging", "an", "eingeschaltet"),
            "off": Phrase("ging", "aus", "ausgeschaltet"),
            "unavailable": Phrase("war", "nicht mehr erreichbar", "nicht mehr erreichbar"),
            "unknown": Phrase("war", "unbekannt", "unbekannt"),
        },
        "cover": _DE_OPENING,
        "valve": _DE_OPENING,
        "lock": _DE_LOCK,
        "button": _DE_BUTTON,
        "input_button": _DE_BUTTON,
        "scene": {ANY: Phrase("wurde", "aktiviert", "aktiviert")},
        "event": {ANY: Phrase("meldete", "ein Ereignis", "meldet ein Ereignis")},
        "tag": {ANY: Phrase("wurde", "gescannt", "gescannt")},
        "person": _DE_PRESENCE,
        "device_tracker": _DE_PRESENCE,
        "alarm_control_panel": _DE_ALARM,
        "sun": {
            "above_horizon": Phrase("ging", "auf", "geht auf"),
            "below_horizon": Phrase("ging", "unter", "geht unter"),
        },
        "media_player": {
            "playing": Phrase("begann", "zu spielen", "spielt"),
            "paused": Phrase("hielt", "an", "angehalten"),
            "idle": Phrase("hörte", "auf zu spielen", "spielt nicht mehr"),
        },
        "vacuum": {
            "cleaning": Phrase("begann", "zu saugen", "saugt"),
            "docked": Phrase("kam", "in der Station an", "in der Station"),
            "returning": Phrase("fuhr", "zurück zur Station", "fährt zur Station"),
        },
        **{f"binary_sensor.{kind}": _DE_CONTACT for kind in ("door", "window", "opening", "garage_door")},
        **{
            f"binary_sensor.{kind}": _de_detected(what)
            for kind, what in (
                ("motion", "Bewegung"), ("occupancy", "Belegung"), ("presence", "Anwesenheit"), ("moisture", "Wasser"),
                ("smoke", "Rauch"), ("gas", "Gas"), ("carbon_monoxide", "Kohlenmonoxid"), ("vibration", "Erschütterung"),
                ("sound", "Geräusch"), ("light", "Licht"), ("tamper", "Manipulation"), ("problem", "ein Problem"),
                ("moving", "Bewegung"), ("heat", "Hitze"), ("cold", "Kälte"), ("safety", "Gefahr"),
            )
        },
        "binary_sensor.lock": {
            "on": Phrase("wurde", "entriegelt", "entriegelt"),
            "off": Phrase("wurde", "verriegelt", "verriegelt"),
        },
        "binary_sensor.connectivity": {
            "on": Phrase("war", "wieder verbunden", "verbunden"),
            "off": Phrase("verlor", "die Verbindung", "Verbindung verloren"),
        },
        "binary_sensor.battery": {
            "on": Phrase("war", "fast leer", "fast leer"),
            "off": Phrase("war", "nicht mehr fast leer", "nicht mehr fast leer"),
        },
    },
    texts={
        "at": "um {time}",
        "yesterday": "gestern um {time}",
        "on_day": "am {day}. {month} um {time}",
        "on_date": "am {day}. {month} {year} um {time}",
        "did": "{name} {said} {when}{rest}",
        "doing": "{name} ({doing})",
        "became": "änderte sich|auf {new}",
        "from_to": "änderte sich|von {old} auf {new}",
        "becoming": "jetzt {new}",
        "gone": "wurde|entfernt",
        "set": "wurde|auf {values} gestellt",
        "setting": "auf {values} gestellt",
        "runs": "lief",
        "applied": "wurde|aktiviert",
        "because": ", weil {cause}",
        "probably": ", wahrscheinlich weil {cause}",
        "automation": "die Automation {name} lief",
        "script": "das Skript {name} lief",
        "scene": "die Szene {name} aktiviert wurde",
        "started_by": ", gestartet von {what}",
        "by_automation": "der Automation {name}",
        "by_script": "dem Skript {name}",
        "by_scene": "der Szene {name}",
        "triggered_by": ", ausgelöst durch {what}",
        "unknown_origin": ", Herkunft unbekannt",
        "for_user": " für {user}",
        "act": "{person} darum gebeten hat{request}{plan}",
        "by_act": "{person}{request}{plan}",
        "plan": " (Plan {plan}, Regel {rule})",
        "ahead": " im Voraus ({when})",
        "request": " mit den Worten „{request}“",
        "user": "{user} es in Home Assistant so wollte ({what})",
        "user_alone": "{user} es in Home Assistant so wollte",
        "call": "{what} aufgerufen wurde, wovon ist nicht bekannt",
        "by_call": "einem Aufruf von {what}",
        "went_on": "es um {time} begonnen hatte",
        "device": ". Home Assistant hat es nicht getan: Es kam vom Gerät oder von außen, die Ursache ist nicht bekannt",
        "sensor": ", wie er von selbst gemeldet hat",
        "not_known": "; die Ursache ist nicht bekannt",
        "contradicted": ". Home Assistant nennt {what} als Ursache, aber das bewirkt so etwas nicht; die Ursache ist nicht bekannt",
        "backfill": ", als niemand zugehört hat; es wurde nachgelesen, die Ursache ist nicht bekannt",
        "found_so": "{name} war zu Beginn {state}",
        "found": "{name} war {state}, als das Zuhören {when} begann; wann und warum, ist nicht bekannt",
        "nothing": "Von {name} ist {when} noch nichts bekannt",
        "loop": " Die Automationen lösen einander aus: {names} liefen {runs} Mal in {span}",
        "burst": " Ein Auslöser führte zu {runs} Läufen in {span}: {names}",
        "ran": "{name} lief {when}",
        "was_applied": "{name} wurde {when} aktiviert",
        "following": ", wahrscheinlich im Gefolge von {what}",
        "somebody": "Jemand",
        "further": ", und noch mehr davor",
        "began": " Alles begann {when}",
        "at_least": "mindestens {count}",
        "deeper": "; was davor war, wurde nicht weiter verfolgt",
        "more": "Es gibt noch mehr.",
        "absent": "nicht da",
        "unheard": " Das Zuhören endete {when}: Seitdem kann es sich geändert haben.",
    },
    attributes={
        "brightness": "Helligkeit", "color_temp_kelvin": "Farbtemperatur", "current_position": "Position",
        "current_tilt_position": "Neigung", "percentage": "Stufe", "volume_level": "Lautstärke", "temperature": "",
        "target_temp_low": "von", "target_temp_high": "bis", "humidity": "Feuchte", "hvac_action": "Tätigkeit",
        "preset_mode": "Voreinstellung", "fan_mode": "Lüfter", "swing_mode": "Schwenken", "source": "Quelle",
        "media_title": "Titel", "current_temperature": "gemessen", "is_volume_muted": "stumm", "effect": "Effekt",
        "hs_color": "Farbe",
    },
    months=(
        "Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November",
        "Dezember",
    ),
    states={
        "on": "an", "off": "aus", "open": "offen", "closed": "geschlossen", "locked": "verriegelt", "unlocked": "entriegelt",
        "home": "zu Hause", "not_home": "abwesend", "heat": "Heizen", "cool": "Kühlen", "auto": "Automatik",
        "unavailable": "nicht erreichbar", "unknown": "unbekannt", "heating": "heizt", "cooling": "kühlt", "idle": "Ruhe",
    },
    triggers={
        "state of": "{}", "numeric state of": "den Wert von {}", "time pattern": "ein Zeitmuster", "time": "die Uhrzeit",
        "sunset": "Sonnenuntergang", "sunrise": "Sonnenaufgang", "event": "das Ereignis{}", "template": "eine Vorlage",
        "Home Assistant starting": "den Start von Home Assistant", "Home Assistant stopping": "das Ende von Home Assistant",
        "device": "ein Gerät", "webhook": "einen Webhook", "mqtt topic": "das MQTT-Thema{}",
    },
)  # fmt: skip

LANGUAGES: Mapping[str, Wording] = {"en": EN, "de": DE}


def wording_of(language: str) -> Wording:
    """Return the wording of a language such as `de` or `de-AT`, English where there is none."""
    return LANGUAGES.get(language.casefold().partition("-")[0].partition("_")[0], EN)
