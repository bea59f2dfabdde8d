"""A setting without its line in the docs, or a line without its setting, is an error."""

import re
from pathlib import Path

from pydantic import BaseModel

from homesteward.settings import Settings

DOCS = Path(__file__).parent.parent.parent / "docs"


def _paths(model, prefix=""):
    for name, field in model.model_fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            yield from _paths(field.annotation, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}"


def test_every_setting_is_documented_and_nothing_else():
    documented = re.findall(r"^\| `([\w.]+)` \|", (DOCS / "settings.md").read_text(), re.MULTILINE)
    assert sorted(documented) == sorted(_paths(Settings))


def test_every_page_links_only_to_files_that_exist():
    for page in [*DOCS.rglob("*.md"), DOCS.parent / "README.md"]:
        for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"
