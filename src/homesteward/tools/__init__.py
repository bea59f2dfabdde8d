"""What a model, an MCP client or the command line may ask for: one registry of typed tools, used by every face.

Reads answer from the home as it is exposed. The one tool that changes anything hands calls to the gate; nothing here sends.
Nothing here knows a model either: what a provider needs of a tool's name or schema is made in `models`.
"""

from homesteward.tools.registry import ToolRegistry, Undo
from homesteward.tools.standard import standard_tools
from homesteward.tools.tool import Arguments, Tool, ToolContext, ToolResult, ToolSpec

__all__ = [
    "Arguments",
    "Tool",
    "ToolContext",
    "ToolRegistry",
    "ToolResult",
    "ToolSpec",
    "Undo",
    "standard_tools",
]
