"""Language-model providers behind one interface, pydantic-ai's `Model`: built from the settings, scripted for tests and cases.

Importing this room costs nothing: a provider's library is loaded when the first model is built. `models.scripted.ScriptedModel`
and `models.naming` are imported from their own files for the same reason.
"""

from homesteward.models.build import build_model
from homesteward.models.errors import ModelError

__all__ = ["ModelError", "build_model"]
