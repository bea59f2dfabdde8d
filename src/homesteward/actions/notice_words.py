"""What notices say, in English and German; every other language is told in English."""

from collections.abc import Mapping

from homesteward.actions.notice import NoticeKind

FALLBACK = "en"

K = NoticeKind
type Words = Mapping[NoticeKind, tuple[str, str]]
"""Kind -> title, and the text with its places; a kind whose text is one place says what it is given."""

ENGLISH: Words = {
    K.PLAN_WAITS: ("Waits for approval", "{who} asks: “{request}”. It would do: {steps}. Why it waits: {why}."),
    K.PLAN_EXPIRED: ("Nobody decided", "Nobody decided about “{request}” in time; nothing was done."),
    K.PLAN_INTERRUPTED: (
        "Cut off",
        "“{request}” was cut off by a stop. Nobody knows whether this happened: {steps}. Look, then go on with it or give it up.",
    ),
    K.RULE_DECIDED: ("A rule decided", "The rule {rule} decided about “{request}” of {who}: {action}."),
    K.SWITCHED_BACK: ("Switched back", "{text}"),
    K.LATE_SUCCESS: ("Done after all", "{text}"),
    K.PIN_MISSING: (
        "A PIN is missing",
        (
            "“{request}” of {who} was refused: a PIN is asked for there, and none is set up. It is chosen under "
            "Settings, People, or set with 'homesteward people pin'."
        ),
    ),
    K.LOCKED_OUT: ("Locked out", "Too many wrong tries of {who}: refused until {until} UTC, after {failures}."),
    K.RULES_HELD: ("Everything waits for you", "The rules of the house cannot be used: {text}"),
    K.AUDIT_BROKEN: ("The audit was changed", "The audit is not as it was written: {text}"),
    K.CHRONICLE_FAILING: ("The chronicle fails", "What happens in the house is not being kept: {text}"),
    K.HOME_AWAY: ("Home Assistant is away", "{text}"),
    K.SCHEDULE_MISSED: ("Too late", "“{request}”, scheduled for {when}, was not done: {why}. It was: {what}."),
    K.SCHEDULE_DROPPED: ("Not done", "“{request}”, scheduled for {when}, was not done: {why}. It was: {what}."),
    K.SCHEDULE_FAILED: (
        "Did not work",
        "“{request}”, scheduled for {when}, was tried and did not work: {why}. It was: {what}.",
    ),
    K.OFFER_CHANGED: (
        "Not what was enabled",
        "“{name}” waits for you again, because it is another thing now: {changed}.",
    ),
}
GERMAN: Words = {
    K.PLAN_WAITS: ("Wartet auf Zustimmung", "{who} möchte: „{request}“. Es würde tun: {steps}. Warum es wartet: {why}."),
    K.PLAN_EXPIRED: ("Niemand hat entschieden", "Über „{request}“ hat niemand rechtzeitig entschieden; es ist nichts geschehen."),
    K.PLAN_INTERRUPTED: ("Abgebrochen", "„{request}“ wurde durch einen Stopp abgebrochen. Niemand weiß, ob dies geschehen ist: {steps}. Sieh nach, dann setze es fort oder gib es auf."),
    K.RULE_DECIDED: ("Eine Regel hat entschieden", "Die Regel {rule} hat über „{request}“ von {who} entschieden: {action}."),
    K.SWITCHED_BACK: ("Wieder zurückgestellt", "{text}"),
    K.LATE_SUCCESS: ("Doch noch geschehen", "{text}"),
    K.PIN_MISSING: (
        "Eine PIN fehlt",
        (
            "„{request}“ von {who} wurde abgelehnt: dort wird eine PIN verlangt, und es gibt keine. Sie wird unter "
            "Einstellungen, Personen gewählt oder mit 'homesteward people pin' gesetzt."
        ),
    ),
    K.LOCKED_OUT: ("Gesperrt", "Zu viele falsche Versuche von {who}: abgewiesen bis {until} UTC, nach {failures}."),
    K.RULES_HELD: ("Alles wartet auf dich", "Die Regeln des Hauses sind nicht zu gebrauchen: {text}"),
    K.AUDIT_BROKEN: ("Das Protokoll wurde verändert", "Das Protokoll ist nicht, wie es geschrieben wurde: {text}"),
    K.CHRONICLE_FAILING: ("Die Chronik versagt", "Was im Haus geschieht, wird nicht festgehalten: {text}"),
    K.HOME_AWAY: ("Home Assistant ist weg", "{text}"),
    K.SCHEDULE_MISSED: ("Zu spät", "„{request}“, vorgesehen für {when}, wurde nicht getan: {why}. Es war: {what}."),
    K.SCHEDULE_DROPPED: ("Nicht getan", "„{request}“, vorgesehen für {when}, wurde nicht getan: {why}. Es war: {what}."),
    K.SCHEDULE_FAILED: ("Ging nicht", "„{request}“, vorgesehen für {when}, wurde versucht und ging nicht: {why}. Es war: {what}."),
    K.OFFER_CHANGED: ("Nicht mehr, was freigeschaltet war", "„{name}“ wartet wieder auf dich, weil es jetzt etwas anderes ist: {changed}."),
}  # fmt: skip
WORDS: Mapping[str, Words] = {"en": ENGLISH, "de": GERMAN}
ACTIONS: Mapping[str, Mapping[str, str]] = {
    "en": {"allow": "it was allowed", "confirm": "asked back", "approve": "it waits", "deny": "it was refused"},
    "de": {"allow": "erlaubt", "confirm": "rückgefragt", "approve": "es wartet", "deny": "abgelehnt"},
}
SOMEBODY: Mapping[str, str] = {"en": "somebody", "de": "jemand"}
MORE: Mapping[str, str] = {"en": "and {count} more", "de": "und {count} mehr"}
NONE: Mapping[str, str] = {"en": "nothing was under way", "de": "nichts war im Gange"}
ADDRESS: Mapping[str, str] = {"en": "the address {address}", "de": "der Adresse {address}"}


def spoken(language: str) -> str:
    """Return the language of ours that notices for `language` are told in (`de-AT` counts as `de`)."""
    base = language.split("-", maxsplit=1)[0].lower()
    return base if base in WORDS else FALLBACK


def title_of(kind: NoticeKind, language: str) -> str:
    """Return the few words that head notices of this kind."""
    return WORDS[spoken(language)][kind][0]


def text_of(kind: NoticeKind, language: str, **facts: str) -> str:
    """Return what a notice of this kind says, with its facts in their places."""
    return WORDS[spoken(language)][kind][1].format(**facts)
