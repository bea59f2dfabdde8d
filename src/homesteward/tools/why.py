"""The tool `why`: what led to an entity's last change, as a sentence and as the chain behind it."""

from pydantic import Field

from homesteward.chronicle.history import History
from homesteward.core import Clock
from homesteward.core.json import JsonValue
from homesteward.home.live import LiveHome
from homesteward.tools.beheld import Beheld
from homesteward.tools.told import told
from homesteward.tools.tool import Arguments, Tool, ToolContext, ToolResult


class WhyArguments(Arguments):
    """Of what, and when."""

    entity: str = Field(min_length=1, max_length=200, description="Entity id or name.")
    at: str = Field(
        default="NOW", max_length=80, description="The last change before this: NOW, yesterday 18:00. The home's time."
    )


def why_tool(home: LiveHome, clock: Clock, chronicle: History) -> Tool[WhyArguments]:
    """Return the tool. It answers `{entity_id, text, complete, chain: [{at, kind, text, by, ref}], cascade}`."""

    async def run(arguments: WhyArguments, context: ToolContext) -> ToolResult:
        beheld = Beheld.of(home, context, clock.now())
        entity_id = beheld.one(arguments.entity)
        at, notes = beheld.moment(arguments.at)
        why = await chronicle.why(entity_id, at, language=context.language, visible=beheld.sees)
        data: dict[str, JsonValue] = {
            "entity_id": entity_id,
            "text": why.text,
            "complete": why.complete,
            "chain": told(why.chain, chronicle, beheld, context.language),
        }
        if why.cascade:
            data["cascade"] = why.cascade.as_json()
        if notes:
            data["notes"] = list(notes)
        return ToolResult(ok=True, data=data)

    return Tool(
        "why",
        "Why an entity is as it is, or was at a time: the automation, person or call behind its last change, as far as it is known. "
        "`complete: false` means that part of the cause is not known; say so.",
        WhyArguments,
        run,
        needs_home=False,
        past=True,
    )
