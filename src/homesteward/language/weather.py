"""The weather as it is now, in words."""

from homesteward.home.model import State
from homesteward.home.view import HomeView
from homesteward.language.names import state_word
from homesteward.language.reading import Says
from homesteward.language.texts import Texts


def weather_text(state: State, view: HomeView, said: Texts) -> Says:
    """Return what a weather service tells: the condition and the temperature outside."""
    unit = str(state.attributes.get("temperature_unit") or "")
    temperature = f"{state.attributes.get('temperature')} {unit}".strip()
    text = said("answer.weather", name=state.name, condition=state_word(state, view, said), temperature=temperature)
    return Says(text, (state.entity_id,))
