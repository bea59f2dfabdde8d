"""Templates made into pages. Everything is escaped; what a template asks for and is not given is an error."""

from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse

from homesteward import __version__
from homesteward.faces.web.cookies import look_of
from homesteward.faces.web.door import seen_by
from homesteward.faces.web.pages.files import address_of
from homesteward.faces.web.pages.texts import catalogue, language_of

TEMPLATES = Path(__file__).parent / "templates"
HTMX = "hx-request"  # in a request: only a part of the page is wanted
DEPTH = "x-homesteward-depth"
DEPTHS = frozenset("0123")  # no page lies deeper


def rendered(template: str, language: str, /, **values: object) -> str:
    """Return the text of a template in one of our languages."""
    return _templates(language).get_template(f"{template}.html").render(values)


def bare_page(
    request: Request, template: str, *, language: str = "", status: int = 200, **values: object
) -> HTMLResponse:
    """Return a page for somebody who need not be known: signing in, the set-up, and what went wrong."""
    language = language_of(request.headers.get("accept-language", ""), language)
    frame = {"root": root_of(request), "version": __version__, "language": language, "theme": theme_of(request)}
    return HTMLResponse(rendered(template, language, **frame, **values), status)


def root_of(request: Request) -> str:
    """Return the way from the page to the front page; relative, so that it holds under any prefix.

    A part of a page becomes part of one at another address, which says itself how deep it lies.
    """
    said = request.headers.get(DEPTH, "") if HTMX in request.headers else ""
    depth = int(said) if said in DEPTHS else request.url.path.count("/") - 1
    return "../" * depth or "./"


def theme_of(request: Request) -> str:
    """Return the look that this browser chose: `light`, `dark`, or empty for what its device goes by."""
    return look_of(request, seen_by(request))


@cache
def _templates(language: str) -> Environment:
    """Return the templates in one language; each has its own, since a macro sees nothing of who asks."""
    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=["jinja2.ext.i18n"],
    )
    words = catalogue(language)
    made.install_gettext_translations(words, newstyle=True)  # type: ignore[attr-defined] # the extension's own
    made.globals["file"] = address_of
    return made
