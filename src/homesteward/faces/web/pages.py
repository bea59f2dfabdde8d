"""The pages there are: who is signed in, signing in, and the first-run set-up. They hold no script and no style of their own."""

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.responses import FileResponse, HTMLResponse

from homesteward import __version__
from homesteward.core.errors import HomestewardError

HERE = Path(__file__).parent
STATIC = {"homesteward.css": "text/css", "icon.svg": "image/svg+xml"}
KEPT = "public, max-age=3600"

_TEMPLATES = Environment(
    loader=FileSystemLoader(HERE / "templates"), autoescape=True, undefined=StrictUndefined, trim_blocks=True
)


class UnknownFileError(HomestewardError):
    """There is no such file."""

    code = "not_found"


def page(template: str, path: str, *, status: int = 200, **values: object) -> HTMLResponse:
    """Return the page of `template` for the address `path`; its links are relative, so that it works under any prefix."""
    root = "../" * (path.count("/") - 1) or "./"
    text = _TEMPLATES.get_template(f"{template}.html").render(root=root, version=__version__, **values)
    return HTMLResponse(text, status)


def static_file(name: str) -> FileResponse:
    """Return a file that the pages need; raise UnknownFileError for any other name."""
    if name not in STATIC:
        raise UnknownFileError("There is no such file.", next="See the front page.")
    return FileResponse(HERE / "static" / name, media_type=STATIC[name], headers={"cache-control": KEPT})
