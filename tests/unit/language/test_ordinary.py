"""Ordinary sentences of a household in its language: the weather, how warm it is, timers, lists, and sensors beside what they tell of."""

import pytest

from homesteward.home.inventory import Thing
from homesteward.home.model import Area, Floor
from homesteward.home.simulation import SimulatedHome
from homesteward.language import Acts, Asks, Declines, Recalls, Says


@pytest.fixture(scope="module")
def said(speaking_to):
    """Return the way to talk to a home with a weather service, two thermometers, timers, a list, and a contact at the front door."""
    temperature = {"unit_of_measurement": "°C"}
    return speaking_to(
        SimulatedHome.build(
            [
                Thing("weather.home", "Sky", None, "rainy", {"temperature": 8, "temperature_unit": "°C"}),
                Thing("sensor.a", "Den temperature", "den", "20", temperature, device_class="temperature"),
                Thing("sensor.b", "Loft temperature", "loft", "22", temperature, device_class="temperature"),
                Thing("sensor.c", "Yard temperature", "yard", "2", temperature, device_class="temperature"),
                Thing("timer.tea", "Tea", None, "idle"),
                Thing("todo.shopping", "Shopping list", None, "1"),
                Thing("lock.front", "Front door", "den", "locked"),
                Thing("binary_sensor.front", "Front door contact", "den", "off", device_class="door"),
                Thing("light.kitchen", "Kitchen light", "den"),
                Thing("alarm_control_panel.home", "House alarm", "den", "armed_away"),
            ],
            areas=[Area("den", "Den", "ground"), Area("loft", "Loft", "ground"), Area("yard", "Yard")],
            floors=[Floor("ground", "Ground")],
        )
    )


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "is it raining?"),
        ("de", "regnet es?"),
        ("fr", "est-ce qu'il pleut ?"),
        ("nl", "regent het?"),
        ("es", "¿está lloviendo?"),
        ("it", "sta piovendo?"),
        ("pl", "czy pada deszcz?"),
        ("ru", "идёт дождь?"),
    ],
)
def test_whether_it_rains_is_told_by_the_weather(said, language, text):
    reading = said(text, language)
    assert isinstance(reading, Says)
    assert reading.sources == ("weather.home",)
    assert "8" in reading.text


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "how warm is it inside?"),
        ("en", "how warm is it?"),
        ("de", "wie warm ist es drinnen?"),
        ("fr", "quelle température fait-il à l'intérieur ?"),
        ("nl", "hoe warm is het binnen?"),
        ("es", "¿qué temperatura hace dentro?"),
        ("it", "che temperatura c'è dentro?"),
        ("pl", "jak ciepło jest w środku?"),
        ("ru", "какая температура в доме?"),
    ],
)
def test_how_warm_it_is_inside_is_the_average_of_the_rooms_and_not_of_the_yard(said, language, text):
    reading = said(text, language)
    assert isinstance(reading, Says)
    assert "21 °C" in reading.text
    assert reading.sources == ("sensor.a", "sensor.b")


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "wann wurde die Haustür geöffnet?"),
        ("fr", "quand la porte d'entrée a-t-elle été ouverte ?"),
        ("es", "¿cuándo se abrió la puerta principal?"),
    ],
)
def test_a_sensor_tells_of_what_it_is_called_after_in_another_language(said, language, text):
    reading = said(text, language)
    assert isinstance(reading, Recalls)
    assert (reading.kind, reading.entity_ids) == ("last", ("binary_sensor.front",))


def test_the_lock_of_that_name_is_still_what_is_locked(said, calls):
    assert calls(said("verriegle die Haustür", "de")) == [("lock.lock", ["lock.front"], {})]


@pytest.mark.parametrize(
    ("language", "start", "cancel"),
    [
        ("en", "start the tea timer for 5 minutes", "cancel the tea timer"),
        ("de", "starte den Tea Timer für 5 Minuten", "brich den Tea Timer ab"),
        ("fr", "lance le minuteur Tea pour 5 minutes", "annule le minuteur Tea"),
        ("nl", "start de Tea timer", "annuleer de Tea timer"),
        ("es", "inicia el temporizador Tea", "cancela el temporizador Tea"),
        ("it", "avvia il timer Tea", "annulla il timer Tea"),
        ("pl", "uruchom minutnik Tea", "anuluj minutnik Tea"),
        ("ru", "запусти таймер Tea", "отмени таймер Tea"),
    ],
)
def test_a_timer_is_started_for_as_long_as_was_said_and_cancelled(said, calls, language, start, cancel):
    length = {"duration": "0:05:00"} if "5" in start else {}
    reading = said(start, language)
    assert calls(reading) == [("timer.start", ["timer.tea"], length)]
    assert reading.until is None
    assert calls(said(cancel, language)) == [("timer.cancel", ["timer.tea"], {})]


@pytest.mark.parametrize("text", ["cancel that", "cancel it", "don't start the tea timer", "cancel the kitchen light"])
def test_cancelling_what_is_no_timer_starts_and_stops_nothing(said, text):
    assert not isinstance(said(text), Acts | Asks)


@pytest.mark.parametrize(
    ("language", "text", "item"),
    [
        ("en", "tick oat milk off the shopping list", "oat milk"),
        ("en", "mark eggs as done on the shopping list", "eggs"),
        ("en", "tick call me tomorrow off the shopping list", "call me tomorrow"),
        ("de", "streiche Milch von der Einkaufsliste", "Milch"),
        ("fr", "coche lait sur la liste de courses", "lait"),
        ("nl", "streep melk van de boodschappenlijst", "melk"),
        ("es", "marca leche en la lista de la compra", "leche"),
        ("it", "spunta latte dalla lista della spesa", "latte"),
        ("pl", "skreśl mleko z listy zakupów", "mleko"),
        ("ru", "вычеркни молоко из списка покупок", "молоко"),
    ],
)
def test_an_item_is_ticked_off_in_the_words_it_was_said(said, calls, language, text, item):
    done = [("todo.update_item", ["todo.shopping"], {"item": item, "status": "completed"})]
    assert calls(said(text, language)) == done


def test_the_shopping_list_has_its_name_in_spanish(said, calls):
    assert calls(said("añade leche a la lista de la compra", "es")) == [
        ("todo.add_item", ["todo.shopping"], {"item": "leche"})
    ]
    assert isinstance(said("¿qué hay en la lista de la compra?", "es"), Recalls)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "turn on the kitchen light between five and six"),
        ("de", "schalte das Küchenlicht zwischen fünf und sechs an"),
        ("fr", "allume la lumière de la cuisine entre cinq et six heures"),
        ("nl", "zet het keukenlicht aan tussen vijf en zes"),
        ("es", "enciende la luz de la cocina entre las cinco y las seis"),
        ("it", "accendi la luce della cucina tra le cinque e le sei"),
        ("pl", "włącz światło w kuchni między piątą a szóstą"),
        ("ru", "включи свет на кухне между пятью и шестью"),
    ],
)
def test_a_stretch_of_time_is_no_moment_and_is_said_to_be_one_for_later(said, language, text):
    reading = said(text, language)
    assert isinstance(reading, Declines)
    assert reading.code == "later"


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "turn on the kitchen light again"),
        ("en", "turn the kitchen light back on"),
        ("de", "mach Kitchen light wieder an"),
        ("de", "schalte Kitchen light nochmal ein"),
        ("fr", "allume à nouveau la lumière de la cuisine"),
        ("nl", "doe Kitchen light weer aan"),
        ("es", "vuelve a encender la luz de la cocina"),
        ("es", "enciende otra vez la luz de la cocina"),
        ("it", "accendi di nuovo la luce della cucina"),
        ("pl", "włącz ponownie światło w kuchni"),
        ("ru", "включи снова свет на кухне"),
    ],
)
def test_again_asks_for_the_same_as_without_it(said, calls, language, text):
    assert calls(said(text, language)) == [("light.turn_on", ["light.kitchen"], {})]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "don't turn on the kitchen light again"),
        ("de", "mach Kitchen light nicht wieder an"),
        ("fr", "n'allume pas à nouveau la lumière de la cuisine"),
        ("nl", "doe Kitchen light niet weer aan"),
        ("es", "no vuelvas a encender la luz de la cocina"),
        ("it", "non accendere di nuovo la luce della cucina"),
        ("pl", "nie włączaj ponownie światła w kuchni"),
        ("ru", "не включай снова свет на кухне"),
        ("en", "see if the kitchen light is on and turn it off"),
        ("de", "schau nach, ob Kitchen light an ist, und schalte es aus"),
    ],
)
def test_again_and_look_whether_get_around_no_guard(said, language, text):
    assert not isinstance(said(text, language), Acts)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "can you see if the kitchen light is off?"),
        ("en", "could you check whether the kitchen light is off"),
        ("de", "kannst du nachsehen, ob Kitchen light aus ist?"),
    ],
)
def test_a_request_to_look_is_a_question_and_no_condition(said, language, text):
    reading = said(text, language)
    assert isinstance(reading, Says)
    assert reading.sources == ("light.kitchen",)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "is the alarm armed?"),
        ("de", "ist die Alarmanlage scharf?"),
        ("fr", "est-ce que l'alarme est armée ?"),
        ("nl", "is het alarm op scherp?"),
        ("es", "¿está armada la alarma?"),
        ("it", "l'allarme è inserito?"),
        ("pl", "czy alarm jest uzbrojony?"),
        ("ru", "сигнализация на охране?"),
    ],
)
def test_whether_the_alarm_is_armed_is_told(said, language, text):
    reading = said(text, language)
    assert isinstance(reading, Says)
    assert reading.sources == ("alarm_control_panel.home",)


def test_everywhere_may_stand_before_what_is_meant(said, calls):
    assert calls(said("mach überall das Licht an", "de")) == [("light.turn_on", ["light.kitchen"], {})]
