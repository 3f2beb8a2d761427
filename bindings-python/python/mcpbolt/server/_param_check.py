"""Whether headers of a tool call say what its arguments say, for servers whose list of tools a
handler gives. The engine checks calls of tools that it knows.

Owns: where the tool's schema is looked up. Must not know: how a header spells a value.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable
from typing import Any, cast

from ..shared._param_headers import mismatch
from ..shared.exceptions import McpError

logger: logging.Logger = logging.getLogger("mcp.server.streamable_http")

HEADER_MISMATCH = -32020
# How many pages of the list are asked for.
MAX_PAGES = 100

List = Callable[[str | None], Awaitable[Any]]


async def check(
    about: dict[str, Any], params: Any, lookup: Callable[[str], Any] | None, pages: List | None
) -> None:
    """Compare the headers of a call with its arguments.

    Args:
        about: What the engine says of the call.
        params: The params of the call.
        lookup: Returns the schema of a tool.
        pages: Answers `tools/list` at a cursor, as JSON text.

    Raises:
        McpError: They differ.
    """
    if about.get("era") != "modern" or "headers" not in about or not isinstance(params, dict):
        return
    called = cast("dict[str, Any]", params)
    name: Any = called.get("name")
    arguments: Any = called.get("arguments") or {}
    headers = {key.lower(): value for key, value in about["headers"]}
    if not isinstance(name, str) or not (arguments or any(key.startswith("mcp-param-") for key in headers)):
        return
    try:
        schema = lookup(name) if lookup is not None else await _listed(name, pages)
    except Exception:
        logger.exception("Headers that repeat arguments are not checked: the tool's schema was not found")
        return
    fault = None if schema is None else mismatch(schema, arguments, headers)
    if fault is not None:
        raise McpError(HEADER_MISMATCH, fault)


async def _listed(name: str, pages: List | None) -> Any:
    cursor: str | None = None
    for _ in range(MAX_PAGES if pages is not None else 0):
        assert pages is not None
        page: Any = json.loads(str(await pages(cursor)))
        for tool in page.get("tools", ()):
            if tool.get("name") == name:
                return tool.get("inputSchema")
        cursor = page.get("nextCursor")
        if cursor is None:
            return None
    return None
