"""What is said in the benches: every kind of sentence, also those that nobody can understand. The names are those of `homes`."""

MUMBLE = (
    "well I was wondering whether perhaps at some point somebody might want to think about the thing in the other place "
    * 3
)

# language, sentence
SENTENCES: tuple[tuple[str, str], ...] = (
    # asks for something
    ("en", "turn on the kitchen ceiling light"),
    ("en", "switch off the bedroom floor lamp"),
    ("en", "set the study ceiling light to 40 percent"),
    ("en", "make the living room ceiling light blue"),
    ("en", "open the bedroom blinds"),
    ("en", "turn off the lights in the kitchen"),
    ("en", "turn off all the lights"),
    ("en", "turn on the lights upstairs"),
    ("en", "set the bedroom thermostat to 21 degrees"),
    ("en", "turn on the kitchen fan and close the study blinds"),
    ("en", "please unlock the hallway door"),
    ("en", "pause the living room speaker"),
    ("en", "could you dim the dining room floor lamp to a quarter"),
    ("en", "run movie time"),
    ("de", "Schalte das Kitchen ceiling light ein"),
    ("de", "Öffne die Bedroom blinds"),
    ("de", "Stelle das Study ceiling light auf 40 Prozent"),
    # asks about something
    ("en", "is the kitchen ceiling light on?"),
    ("en", "which lights are on?"),
    ("en", "what is the temperature in the bedroom?"),
    ("en", "is the hallway door locked?"),
    ("en", "are any windows open?"),
    ("en", "how many lights are on in the kitchen?"),
    ("en", "what time is it?"),
    ("de", "Ist das Kitchen ceiling light an?"),
    ("de", "Welche Lampen sind an?"),
    # fits two things
    ("en", "turn on the reading lamp"),
    # must not act
    ("en", "don't open the garage door"),
    ("en", "if it rains close the kitchen blinds"),
    ("en", "turn off the kitchen fan at ten"),
    # nothing to understand
    ("en", "turn on the flux capacitor"),
    ("en", "tell me a joke about penguins"),
    ("en", "order a pizza for tonight"),
    ("en", "is there life on the moon?"),
    ("en", MUMBLE[:390]),
    ("de", "Erzähl mir einen Witz über Pinguine"),
)
