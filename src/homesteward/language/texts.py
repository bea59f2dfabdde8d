"""Our own sentences, per language, from `data/replies.<language>.yaml`. A language without a file is answered in English."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from homesteward.language.tables import table

FALLBACK = "en"


@dataclass(frozen=True, slots=True)
class Texts:
    """The sentences of one language by key."""

    language: str
    table: Mapping[str, str]

    def __call__(self, key: str, **values: object) -> str:
        """Return the sentence `key` with its places filled; raise KeyError if there is none."""
        return self.table[key].format(**values)

    def word(self, group: str, name: str) -> str:
        """Return the word for `name` within `group`, or `name` as it is where there is no word for it."""
        return self.table.get(f"{group}.{name}", name.replace("_", " "))

    def joined(self, parts: list[str]) -> str:
        """Return the parts as people list them: a, b and c."""
        return f" {self.table['and']} ".join([*([", ".join(parts[:-1])] if len(parts) > 1 else []), *parts[-1:]])


@cache
def texts(language: str) -> Texts:
    """Return the sentences for `language` (`de-AT` counts as `de`), English where there are none of ours."""
    own = table("replies", language)
    name = language.split("-", maxsplit=1)[0].lower() if own else FALLBACK
    return Texts(name, _flat(own or table("replies", FALLBACK) or {}))


def _flat(tree: Mapping[str, object], prefix: str = "") -> dict[str, str]:
    flat: dict[str, str] = {}
    for key, value in tree.items():
        if isinstance(value, Mapping):
            flat |= _flat(value, f"{prefix}{key}.")
        else:
            flat[f"{prefix}{key}"] = str(value)
    return flat
