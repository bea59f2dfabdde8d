"""What is read by a service: only what the table holds, only what the entity was told of."""

import pytest

from homesteward.home.connection import Connection
from homesteward.home.service_reads import NoSuchReadError, ServiceReads
from unit.home.far_end import FarEnd


async def test_a_read_gives_what_the_service_told_of_the_entity(connection: Connection, far_end: FarEnd):
    far_end.answers["call_service"] = lambda _message: {"response": {"todo.shopping": {"items": [{"summary": "Milk"}]}}}
    assert await ServiceReads(connection).read("todo", "get_items", "todo.shopping") == {"items": [{"summary": "Milk"}]}
    [sent] = far_end.sent
    assert (sent["domain"], sent["service"], sent["return_response"]) == ("todo", "get_items", True)
    assert sent["target"] == {"entity_id": ["todo.shopping"]}


@pytest.mark.parametrize(("domain", "service"), [("todo", "add_item"), ("light", "turn_on"), ("weather", "get_items")])
async def test_what_is_no_plain_read_is_not_sent(connection: Connection, far_end: FarEnd, domain, service):
    with pytest.raises(NoSuchReadError):
        await ServiceReads(connection).read(domain, service, f"{domain}.x")
    assert far_end.sent == []


async def test_an_answer_of_another_form_tells_nothing(connection: Connection, far_end: FarEnd):
    far_end.answers["call_service"] = lambda _message: {"response": {"todo.shopping": "nonsense"}}
    assert await ServiceReads(connection).read("todo", "get_items", "todo.shopping") == {}
