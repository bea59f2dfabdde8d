"""A call is sent once, as resolved; what became of it is told apart."""

import pytest

from homes import small_home
from homesteward.home.calls import ResolvedCall
from homesteward.home.connection import Connection
from homesteward.home.dispatch import Dispatched, HaDispatcher
from homesteward.home.errors import CallFailedError, CallUncertainError, NotConnectedError
from unit.home.far_end import FarEnd

CALL = ResolvedCall("light", "turn_on", ("light.kitchen",), {"brightness_pct": 40})


@pytest.fixture
def dispatcher(connection: Connection) -> HaDispatcher:
    return HaDispatcher(connection, small_home())


async def test_a_call_goes_out_with_concrete_entities_and_its_context_comes_back(
    dispatcher: HaDispatcher, far_end: FarEnd
):
    far_end.answers["call_service"] = lambda _message: {"context": {"id": "C1", "parent_id": None}}
    assert await dispatcher.call(CALL) == Dispatched("C1")
    assert far_end.sent == [
        {
            "id": 1,
            "type": "call_service",
            "domain": "light",
            "service": "turn_on",
            "service_data": {"brightness_pct": 40},
            "target": {"entity_id": ["light.kitchen"]},
        }
    ]


async def test_a_call_without_entities_has_no_target(dispatcher: HaDispatcher, far_end: FarEnd):
    await dispatcher.call(ResolvedCall("script", "welcome"))
    assert "target" not in far_end.sent[0]


async def test_a_service_that_only_answers_is_asked_for_its_answer(dispatcher: HaDispatcher, far_end: FarEnd):
    far_end.answers["call_service"] = lambda _message: {"context": {"id": "C1"}, "response": {"x": 1}}
    found = await dispatcher.call(ResolvedCall("weather", "get_forecasts", ("weather.x",), {"type": "daily"}))
    assert found.response == {"x": 1}
    assert far_end.sent[0]["return_response"] is True


async def test_a_refusal_carries_home_assistants_words_and_is_not_to_be_repeated(
    dispatcher: HaDispatcher, far_end: FarEnd
):
    far_end.answers["call_service"] = lambda _message: Exception("service_validation_error", "Nope.")
    with pytest.raises(CallFailedError, match="Nope") as told:
        await dispatcher.call(CALL)
    assert (told.value.code, told.value.retry) == ("service_validation_error", False)


async def test_a_connection_lost_before_the_answer_is_uncertain(dispatcher: HaDispatcher, far_end: FarEnd):
    far_end.breaks_on.add("call_service")
    with pytest.raises(CallUncertainError) as told:
        await dispatcher.call(CALL)
    assert not told.value.retry
    assert len(far_end.sent) == 1


async def test_a_closed_connection_sends_nothing(dispatcher: HaDispatcher, connection: Connection, far_end: FarEnd):
    await connection.close()
    with pytest.raises(NotConnectedError):
        await dispatcher.call(CALL)
    assert far_end.sent == []
