"""A model whose server's words are cleaned before anybody repeats them: some put the key that they were sent into their errors."""

from collections.abc import Mapping
from typing import Any

from pydantic_ai.exceptions import ModelHTTPError
from pydantic_ai.messages import ModelMessage, ModelResponse
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.settings import ModelSettings

from homesteward.core.redaction import Redactor


class DiscreetModel(WrapperModel):
    """Ask the model inside; an error of its server holds no secret by the time it is told, kept or shown."""

    def __init__(self, wrapped: Model, redactor: Redactor) -> None:
        """Keep back what `redactor` knows."""
        super().__init__(wrapped)
        self._redactor = redactor

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """Return the model's answer; raise what the model inside raises, cleaned."""
        try:
            return await super().request(messages, model_settings, model_request_parameters)
        except ModelHTTPError as error:
            error.body = self._cleaned(error.body)
            error.args = tuple(self._cleaned(argument) for argument in error.args)
            raise

    def _cleaned(self, value: Any) -> Any:  # noqa: ANN401 - an error's body is whatever the server sent
        if isinstance(value, str):
            return self._redactor.clean(value)
        if isinstance(value, Mapping):
            return {self._cleaned(key): self._cleaned(item) for key, item in value.items()}
        return [self._cleaned(item) for item in value] if isinstance(value, list) else value
