"""Whether the model that is set up answers: it is asked for one word, and the time that took is told."""

import asyncio

from homesteward.core import Clock
from homesteward.core.errors import HomestewardError
from homesteward.core.redaction import Redactor
from homesteward.faces.web.rooms import Check, no_model
from homesteward.models import build_model
from homesteward.models.errors import model_error
from homesteward.settings.settings import ModelSettings

LONGEST_S = 30.0  # a page waits for it
QUESTION = "Answer with the one word OK."
MOST_SHOWN = 60  # characters of the answer


async def try_model(settings: ModelSettings, clock: Clock, redactor: Redactor) -> Check:
    """Ask the model one word; whatever is wrong with it is the check's message."""
    try:
        return await _asked(settings, clock, redactor)
    except TimeoutError:
        return Check("model", "fail", f"It did not answer within {LONGEST_S:g} s.", "Is its server busy, or too slow?")
    except HomestewardError as error:
        return Check("model", "fail", redactor.clean(error.message), redactor.clean(error.next))


async def _asked(settings: ModelSettings, clock: Clock, redactor: Redactor) -> Check:
    built = build_model(settings)
    if built is None:
        return await no_model()
    from pydantic_ai.direct import model_request  # noqa: PLC0415 - a second of imports, only where a model is used
    from pydantic_ai.exceptions import AgentRunError, UserError  # noqa: PLC0415 - as above
    from pydantic_ai.messages import ModelRequest  # noqa: PLC0415 - as above

    from homesteward.app.discreet import DiscreetModel  # noqa: PLC0415 - as above

    began = clock.monotonic()
    try:
        async with asyncio.timeout(LONGEST_S), DiscreetModel(built, redactor) as model:
            answer = await model_request(model, [ModelRequest.user_text_prompt(QUESTION)])
    except (AgentRunError, UserError) as cause:
        raise model_error(cause) from cause
    said = redactor.clean(" ".join((answer.text or "").split()))[:MOST_SHOWN]
    took = clock.monotonic() - began
    return Check("model", "ok", f"{settings.model} answered in {took:.1f} s: {said or '(nothing in words)'}")
