"""The registry: arguments are checked before anything runs, every failure is an answer, every answer is small."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field

from homesteward.core.errors import HomestewardError
from homesteward.core.json import dumps, loads
from homesteward.people import Caller, Channel, Role
from homesteward.tools import Arguments, Tool, ToolContext, ToolRegistry, ToolResult
from homesteward.tools.bounds import MAX_CHARS, bounded
from homesteward.tools.registry import DuplicateToolError

OWNER = ToolContext(Caller(Role.OWNER, Channel.CLI), "test")
GUEST = ToolContext(Caller(Role.GUEST, Channel.CLI), "test")


class Numbers(Arguments):
    """What the tool of these tests takes."""

    count: int = Field(ge=1, le=10)
    loud: bool = False
    title: str = ""


def counting(answer: Callable[[Numbers], Any] = lambda arguments: arguments.count, **rest: Any) -> Tool[Numbers]:
    async def run(arguments: Numbers, _: ToolContext) -> ToolResult:
        return ToolResult(ok=True, data=answer(arguments))

    return Tool("count", "Count.", Numbers, run, **rest)


@pytest.fixture
def registry() -> ToolRegistry:
    registry = ToolRegistry()
    registry.add(counting())
    return registry


async def test_a_tool_gets_its_checked_arguments(registry):
    assert (await registry.call("count", {"count": 3}, OWNER)).data == 3


async def test_harmless_forms_are_healed(registry):
    registry = ToolRegistry()
    registry.add(counting(lambda arguments: [arguments.count, arguments.loud]))
    assert (await registry.call("count", {"count": "3", "loud": "true"}, OWNER)).data == [3, True]


async def test_arguments_may_come_as_json_text(registry):
    assert (await registry.call("count", '{"count": 4}', OWNER)).data == 4


@pytest.mark.parametrize("arguments", ['{"count": 4', "[1]", 7, "nonsense"])
async def test_what_is_no_object_is_refused_before_the_tool_runs(registry, arguments):
    result = await registry.call("count", arguments, OWNER)
    assert (result.ok, result.error.code) == (False, "invalid_arguments")


@pytest.mark.parametrize("arguments", ['{"title": "' + "x" * 30_000 + '"}', '{"a": ' + "[" * 900 + "]" * 900 + "}"])
async def test_arguments_without_measure_are_refused_unread(registry, arguments):
    result = await registry.call("count", arguments, OWNER)
    assert result.error.code == "invalid_arguments"
    assert "too long or too deep" in result.error.message


async def test_mistakes_are_named_by_path_and_at_most_five_of_them(registry):
    wrong = {"count": 99, **{f"extra_{n}": n for n in range(9)}}
    result = await registry.call("count", wrong, OWNER)
    assert result.error.code == "invalid_arguments"
    assert result.data["details"][0]["path"] == "count"
    assert len(result.data["details"]) == 5
    assert result.data["mistakes"] == 10
    assert "count, loud, title" in result.error.next


async def test_an_unknown_tool_is_answered_with_its_neighbours(registry):
    result = await registry.call("counts", {}, OWNER)
    assert result.error.code == "unknown_tool"
    assert "count" in result.error.next


async def test_a_failing_tool_answers_with_its_error(registry):
    def fail(_: Numbers) -> None:
        raise HomestewardError("The cupboard is bare.", code="bare", retry=True, next="Go shopping.")

    registry = ToolRegistry()
    registry.add(counting(fail))
    result = await registry.call("count", {"count": 1}, OWNER)
    assert (result.ok, result.error.code, result.error.retry) == (False, "bare", True)


async def test_a_tool_for_owners_does_not_exist_for_a_guest():
    registry = ToolRegistry()
    registry.add(counting(roles=frozenset({Role.OWNER})))
    assert [spec.name for spec in registry.specs(OWNER.caller)] == ["count"]
    assert registry.specs(GUEST.caller) == ()
    assert (await registry.call("count", {"count": 1}, GUEST)).error.code == "unknown_tool"


async def test_a_name_is_taken_once_and_free_again_after_the_undo(registry):
    with pytest.raises(DuplicateToolError):
        registry.add(counting())
    empty = ToolRegistry()
    undo = empty.add(counting())
    undo()
    assert empty.specs(OWNER.caller) == ()
    empty.add(counting())


def test_the_schema_names_every_argument_and_keeps_one_called_title(registry):
    (spec,) = registry.specs(OWNER.caller)
    assert set(spec.parameters["properties"]) == {"count", "loud", "title"}
    assert spec.parameters["additionalProperties"] is False
    assert "title" not in spec.parameters["properties"]["count"]


def test_a_large_result_becomes_small_valid_json_that_says_so():
    rows = [{"entity_id": f"light.lamp_{n}", "note": "x" * 300} for n in range(200)]
    result = bounded(ToolResult(ok=True, data={"total": 200, "entities": rows}))
    text = dumps(result.json)
    assert len(text) <= MAX_CHARS
    assert loads(text)["data"]["truncated"] is True
    assert result.data["original_chars"] > MAX_CHARS
    assert result.data["data"]["total"] == 200


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**31), 2**31) | st.text(max_size=2000),
    lambda inner: st.lists(inner, max_size=60) | st.dictionaries(st.text(max_size=40), inner, max_size=60),
    max_leaves=200,
)


@given(json_values, st.integers(300, 4000))
def test_no_result_is_ever_longer_than_its_bound(data, limit):
    assert len(dumps(bounded(ToolResult(ok=True, data=data), limit).json)) <= limit
