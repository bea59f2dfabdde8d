"""A server that repeats the key it was sent is not repeated in turn."""

import pytest
from pydantic_ai.exceptions import ModelHTTPError
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.models.function import FunctionModel

from homesteward.app.discreet import DiscreetModel
from homesteward.core.redaction import Redactor

KEY = "sk-fake-key-0123456789"


@pytest.mark.parametrize(
    "body",
    [
        f"no such key: {KEY}",
        {"error": {"message": f"Incorrect API key provided: {KEY[:12]}***", "codes": [KEY, 401]}},
        [KEY],
        None,
    ],
)
async def test_a_key_in_an_error_of_the_models_server_is_kept_back(body):
    """E49: the whole kind, at the door of a model."""

    def refuse(_messages, _info):
        raise ModelHTTPError(400, "any", body)

    redactor = Redactor()
    redactor.add(KEY)
    with pytest.raises(ModelHTTPError) as caught:
        await DiscreetModel(FunctionModel(refuse), redactor).request([], None, ModelRequestParameters())
    assert caught.value.status_code == 400
    assert KEY[:8] not in f"{caught.value.body} {caught.value.args}"
