"""Building the model that the settings name."""

from typing import TYPE_CHECKING

from homesteward.models.errors import ModelNotSetUpError
from homesteward.settings.settings import ModelKind, ModelSettings, ToolMode

if TYPE_CHECKING:
    from pydantic_ai.models import Model
    from pydantic_ai.profiles.openai import OpenAIModelProfile
    from pydantic_ai.settings import ModelSettings as RequestSettings


def build_model(settings: ModelSettings) -> Model | None:
    """Return the model the settings name, or None where there is none; raise ModelNotSetUpError where one is named half.

    Nothing is sent yet. Enter the model (`async with model`) to have its connections closed afterwards.
    """
    if settings.kind is ModelKind.NONE:
        return None
    return _openai_compatible(settings)


def _openai_compatible(settings: ModelSettings) -> Model:
    from pydantic_ai.models.openai import OpenAIChatModel  # noqa: PLC0415 - a second of imports, only where a model is used
    from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider  # noqa: PLC0415 - as above

    for name in ("base_url", "model"):
        if not getattr(settings, name):
            raise ModelNotSetUpError(f"The model has no {name}.", next=f"Set model.{name}, or model.kind to none.")
    provider = OpenAICompatibleProvider(
        "openai-compatible", base_url=settings.base_url, api_key=settings.api_key.get_secret_value() or None
    )
    return OpenAIChatModel(
        settings.model, provider=provider, profile=_profile(settings), settings=_request_settings(settings)
    )


def _profile(settings: ModelSettings) -> OpenAIModelProfile:
    """Say what such servers share: structured output by schema, the older token limit, and tools unless told otherwise."""
    return {
        "supports_tools": settings.tool_mode is ToolMode.NATIVE,
        "supports_json_schema_output": True,
        "openai_chat_supports_max_completion_tokens": False,
    }


def _request_settings(settings: ModelSettings) -> RequestSettings:
    chosen: RequestSettings = {
        "timeout": settings.timeout_s,
        "request_timeout": settings.timeout_s,
        "max_tokens": settings.max_tokens,
        "max_retries": 0,  # a failure is an answer; whoever asked knows whether asking again is worth it
    }
    if settings.temperature is not None:
        chosen["temperature"] = settings.temperature
    return chosen
