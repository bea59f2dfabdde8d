"""How the things of the assist data obey, where that is not how Home Assistant's own do."""

from collections.abc import Callable, Mapping
from colorsys import hsv_to_rgb
from typing import Any

from homesteward.core.json import JsonObject
from homesteward.core.text import fold
from homesteward.home.calls import ResolvedCall
from homesteward.home.effects.colour import hue_saturation
from homesteward.home.effects.effect import number
from homesteward.home.effects.light import colourful, level_of
from homesteward.home.live import Dispatched
from homesteward.home.model import State
from homesteward.home.simulation import SimulatedHome
from homesteward.home.view import leaves_of

STATE = "state"  # the key of the state among what a rule returns

type Rule = Callable[[JsonObject, State], Mapping[str, Any]]


class AssistDevices:
    """Pass calls on to a simulated home, then correct what the data's own things would show instead."""

    def __init__(self, home: SimulatedHome) -> None:
        """Stand before `home`."""
        self._home = home

    async def call(self, call: ResolvedCall) -> Dispatched:
        """Send `call` to the home, and set right what it did."""
        before = [self._home.states[one] for one in leaves_of(self._home, call.entity_ids) if one in self._home.states]
        done = await self._home.call(call)
        for state in before:
            if rule := DIFFERENT.get(f"{state.domain}.{call.service}"):
                shown = {STATE: self._home.states[state.entity_id].state, **rule(call.data, state)}
                self._home.set_state(state.entity_id, str(shown.pop(STATE)), **shown)
        return done


def _lit(data: JsonObject, before: State) -> Mapping[str, Any]:
    """Keep the brightness that was there, where none is asked for; show a colour as red, green and blue."""
    kept = {} if level_of(data, 0) is not None else {"brightness": before.attributes.get("brightness")}
    colour = hue_saturation(data) if colourful(before) else None
    return kept if colour is None else {**kept, "rgb_color": _rgb(*colour[0])}


def _muted(data: JsonObject, _before: State) -> Mapping[str, Any]:
    return {"volume_level": 0.0} if data.get("is_volume_muted") else {}


def _track(by: int) -> Rule:
    return lambda _data, before: {"media_track": int(number(before.attributes.get("media_track")) or 0) + by}


def _added(_data: JsonObject, before: State) -> Mapping[str, Any]:
    return {STATE: _count(before) + 1}


def _updated(data: JsonObject, before: State) -> Mapping[str, Any]:
    """Count one less for an item that is completed, one more for one that is open again."""
    by = {("needs_action", "completed"): -1, ("completed", "needs_action"): 1}
    return {STATE: _count(before) + by.get((_status(data, before), str(data.get("status"))), 0)}


def _removed(data: JsonObject, before: State) -> Mapping[str, Any]:
    return {STATE: _count(before) - (_status(data, before) == "needs_action")}


def _status(data: JsonObject, before: State) -> str:
    """Return the status of the item that `data` names, "" if the list does not have it."""
    items = before.attributes.get("todo_items")
    wanted = fold(str(data.get("item", "")))
    for item in items if isinstance(items, list) else ():
        if isinstance(item, Mapping) and wanted in {fold(str(item.get("summary"))), str(item.get("uid"))}:
            return str(item.get("status") or "needs_action")
    return ""


def _count(state: State) -> int:
    return int(number(state.state) or 0)


def _rgb(hue: float, saturation: float) -> list[int]:
    return [round(part * 255) for part in hsv_to_rgb(hue / 360, saturation / 100, 1)]


# domain.service -> what is shown afterwards, from the data of the call and the state before
DIFFERENT: Mapping[str, Rule] = {
    "light.turn_on": _lit,
    "media_player.turn_on": lambda _data, _before: {STATE: "playing"},
    "media_player.volume_mute": _muted,
    "media_player.media_next_track": _track(1),
    "media_player.media_previous_track": _track(-1),
    "todo.add_item": _added,
    "todo.update_item": _updated,
    "todo.remove_item": _removed,
}
