"""Choice mode: the list is made from the home, the model picks, and the pick goes the way of every call."""

import pytest
from pydantic_ai.messages import ModelResponse, TextPart
from pydantic_ai.models.function import FunctionModel
from pydantic_ai.profiles import ModelProfile

from homes import large_home
from homesteward.actions import PlanState
from homesteward.core import SystemClock
from homesteward.core.json import dumps, loads
from homesteward.kernel import Kernel, KernelRequest, Stop
from homesteward.kernel.choice import NONE, choices, picked, plain_wish, schema
from homesteward.people import Caller, Channel, Role

NO_TOOLS = ModelProfile(supports_tools=False, supports_json_schema_output=True)


def labels(home, text):
    return [choice.label for choice in choices(home, text)]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("turn on the kitchen light", "turn on: Kitchen light"),
        ("please switch off the cooking light", "turn off: Cooking light"),
        ("unlock the front door", "unlock: Front door"),
        ("close the study blinds", "close cover: Study blinds"),
    ],
)
def test_the_likeliest_comes_first(home, text, first):
    assert labels(home, text)[0] == first


def test_unknown_things_offer_nothing(home):
    assert labels(home, "turn on the ballroom organ") == []


@pytest.mark.parametrize(
    "text", ["is the kitchen light on?", "don't turn on the kitchen light", "mach das Küchenlicht nicht an"]
)
async def test_what_is_no_plain_wish_never_reaches_a_small_model(home, registry, text):
    language = "de" if "Küche" in text else "en"
    assert not plain_wish(home, text, language)
    result = await run(home, registry, text, lambda _: pytest.fail("asked"), language=language)
    assert (home.calls, result.usage.requests, result.error.code) == ([], 0, "not_understood")


def test_a_plain_or_polite_wish_does(home):
    assert plain_wish(home, "could you turn on the kitchen light please", "en")


def test_what_is_not_exposed_is_not_offered(home):
    assert not [label for label in labels(home, "turn on the cellar light") if "Cellar" in label]


def test_things_of_one_name_are_told_apart(home):
    offered = labels(home, "turn on the reading lamp")
    assert "turn on: Reading lamp (light.reading_lamp_bedroom)" in offered
    assert len(set(offered)) == len(offered)


def test_a_large_home_offers_twelve_at_most():
    assert len(labels(large_home(2000), "turn on lamp 7")) <= 12


def test_the_schema_holds_the_labels_and_a_way_out(home):
    offered = choices(home, "turn on the kitchen light")
    assert schema(offered)["properties"]["action"]["enum"][-1] == NONE
    assert picked({"action": NONE}, offered) is None
    with pytest.raises(ValueError, match="was not offered"):
        picked({"action": "open the vault"}, offered)


def choosing(action):
    """Return a model without tools that picks `action`, a label or a function of the labels it was offered."""

    async def answer(_, info):
        offered = info.model_request_parameters.output_object.json_schema["properties"]["action"]["enum"]
        return ModelResponse(parts=[TextPart(dumps({"action": action(offered) if callable(action) else action}))])

    return FunctionModel(answer, profile=NO_TOOLS)


async def run(home, registry, text, action, language="en"):
    kernel = Kernel(registry, home, SystemClock())
    request = KernelRequest(text, Caller(Role.OWNER, Channel.CLI), "run", language)
    return await kernel.run(request, choosing(action))


async def test_the_pick_is_done_and_seen(home, registry):
    result = await run(home, registry, "turn on the kitchen light", "turn on: Kitchen light")
    assert [(call.id, call.entity_ids) for call in home.calls] == [("light.turn_on", ("light.kitchen",))]
    assert [plan.state for plan in result.plans] == [PlanState.COMPLETED]
    assert (result.stop, result.text) == (Stop.FINAL, "")


async def test_picking_a_lock_waits_like_any_other_way_to_it(home, registry):
    result = await run(home, registry, "unlock the front door", "unlock: Front door")
    assert home.calls == []
    assert [plan.state for plan in result.plans] == [PlanState.WAITING]


async def test_picking_none_does_nothing_and_says_so(home, registry):
    result = await run(home, registry, "my kitchen light is dirty", NONE)
    assert (home.calls, result.error.code) == ([], "nothing_matched")


async def test_where_nothing_fits_the_model_is_not_even_asked(home, registry):
    result = await run(home, registry, "play some jazz in the ballroom", lambda _: pytest.fail("asked"))
    assert (home.calls, result.usage.requests, result.error.code) == ([], 0, "nothing_matched")


async def test_a_pick_that_was_not_offered_is_a_bad_answer(home, registry):
    result = await run(home, registry, "turn on the kitchen light", "unlock: Front door")
    assert (home.calls, result.error.code) == ([], "model_bad_answer")


def test_the_answer_is_plain_json():
    assert loads(dumps({"action": NONE})) == {"action": NONE}
