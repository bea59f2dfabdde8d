"""The pages: what a browser is shown, made here from the same rooms as the API and never with a say of their own.

A page is a file: routes that build a frozen dataclass (its *view*) for a visit, and a template of that view. Names, states and
everything else from the home are hostile text: templates escape all of it, and nothing marks a text as safe. What changes
something is a plain form that the gate judges and that leads back to a page; scripts only make it quicker.
"""

from homesteward.faces.web.pages.showing import showing

__all__ = ["showing"]
