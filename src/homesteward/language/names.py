"""How things and their states are called in an answer."""

from collections import Counter
from collections.abc import Sequence
from weakref import WeakKeyDictionary

from homesteward.home.model import State
from homesteward.home.view import HomeView, area_of, device_class_of
from homesteward.language.reading import Option
from homesteward.language.texts import Texts


def called(view: HomeView, entity_id: str) -> str:
    """Return the entity's friendly name, with its area where another has the same name; its id where it has no state any more."""
    state = view.states.get(entity_id)
    if state is None:
        return entity_id
    area = _area(view, entity_id) if state.name in _shared_names(view) else ""
    return f"{state.name} ({area})" if area else state.name


def state_word(state: State, view: HomeView, said: Texts) -> str:
    """Return the state as a person says it: with its unit, or in the words of its device class."""
    unit = state.attributes.get("unit_of_measurement")
    if unit:
        return f"{state.state} {unit}"
    if state.domain == "binary_sensor" and state.available:
        word = said.table.get(f"binary.{device_class_of(view, state.entity_id)}.{state.state}")
        if word:
            return word
    return said.word("state", state.state)


def options(view: HomeView, entity_ids: Sequence[str]) -> tuple[Option, ...]:
    """Return one option per entity, told apart by name, else by area, else by what it is, else by its id."""
    labels = [state.name if (state := view.states.get(name)) else name for name in entity_ids]
    for more in (_area, _domain, _own_id):
        said = [(label, more(view, name)) for label, name in zip(labels, entity_ids, strict=True)]
        apart = Counter(label for label, _ in set(said))  # what is the same for all of one label tells nothing
        labels = [f"{label} ({detail})" if detail and apart[label] > 1 else label for label, detail in said]
    return tuple(Option(name, label, _area(view, name)) for name, label in zip(entity_ids, labels, strict=True))


def _area(view: HomeView, entity_id: str) -> str:
    area = area_of(view, entity_id)
    return area.name if area else ""


def _domain(_view: HomeView, entity_id: str) -> str:
    return entity_id.partition(".")[0].replace("_", " ")


def _own_id(_view: HomeView, entity_id: str) -> str:
    return entity_id


# Per home and revision: counting every name is too much for each name of an answer.
_SHARED: WeakKeyDictionary[HomeView, tuple[int, frozenset[str]]] = WeakKeyDictionary()


def _shared_names(view: HomeView) -> frozenset[str]:
    revision, shared = _SHARED.get(view, (None, frozenset()))
    if revision != view.revision:
        uses = Counter(state.name for state in view.states.values())
        shared = frozenset(name for name, count in uses.items() if count > 1)
        _SHARED[view] = (view.revision, shared)
    return shared
