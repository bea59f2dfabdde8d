"""Floors that nobody has set up: told from what the areas are called, or from how high the floors lie."""

from collections.abc import Iterable, Iterator, Mapping

from homesteward.core.text import forms
from homesteward.home.model import Area, Floor

# storey -> the words that areas on it have in their names, in the languages that we know
STOREYS: Mapping[str, list[str]] = {
    "downstairs": ["downstairs", "ground floor", "main floor", "erdgeschoss", "unten", "eg", "rez de chaussée", "en bas", "beneden", "begane grond", "внизу", "первый этаж", "planta baja", "abajo", "piano terra", "di sotto", "parter", "na dole"],
    "upstairs": ["upstairs", "upper floor", "first floor", "second floor", "obergeschoss", "oben", "og", "en haut", "étage", "boven", "eerste verdieping", "наверху", "второй этаж", "planta alta", "arriba", "piano di sopra", "di sopra", "piętro", "na górze"],
    "basement": ["basement", "cellar", "lower level", "keller", "untergeschoss", "ug", "sous sol", "kelder", "подвал", "sótano", "seminterrato", "cantina", "piwnica"],
}  # fmt: skip


def guessed(areas: Iterable[Area]) -> Iterator[tuple[str, str]]:
    """Yield the storey that each area's name speaks of, for a home that has no floors; it stands at the name's beginning or end."""
    for area in areas:
        names = {form for name in (area.name, *area.aliases) for form in forms(name)}
        for storey, words in STOREYS.items():
            spelled = [form for word in words for form in forms(word)]
            if any(
                name != word and (name.startswith(f"{word} ") or name.endswith(f" {word}"))
                for name in names
                for word in spelled
            ):
                yield area.area_id, storey
                break


def by_height(floors: Iterable[Floor]) -> Iterator[tuple[str, str]]:
    """Yield the storey that a floor is by its level, where it is the only one of its kind: above, at, or below the ground."""
    of: dict[str, list[str]] = {"downstairs": [], "upstairs": [], "basement": []}
    for floor in floors:
        if floor.level is not None:
            of["basement" if floor.level < 0 else "upstairs" if floor.level else "downstairs"].append(floor.floor_id)
    yield from ((ids[0], storey) for storey, ids in of.items() if len(ids) == 1)


def called(storey: str) -> frozenset[str]:
    """Return what a storey is called."""
    return frozenset(form for word in STOREYS[storey] for form in forms(word))
