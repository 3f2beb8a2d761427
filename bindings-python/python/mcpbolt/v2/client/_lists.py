"""The lists of a server, as the client of 2.x has them.

Owns: which tools are left out, and lists that are asked for with a `_meta`. Must not know: how a
client is made.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from ..._engine.protocol import MODERN_REVISIONS
from ...client.client import Client as _Client
from ...shared._param_headers import fault_of

if TYPE_CHECKING:
    from ...client.caching import CacheMode
    from ..types import ListPromptsResult, ListResourcesResult, ListResourceTemplatesResult, ListToolsResult

logger: logging.Logger = logging.getLogger("client")

Meta = Mapping[str, Any]


class Lists(_Client):
    """The part of `Client` that lists."""

    async def list_tools(  # type: ignore[override]
        self, *, cursor: str | None = None, meta: Meta | None = None, cache_mode: CacheMode = "use"
    ) -> ListToolsResult:
        """List one page of the server's tools, without those whose arguments cannot be repeated in HTTP
        headers as they require (`x-mcp-header`).

        Args:
            cursor: Where the page begins: the `next_cursor` of the page before. Default: the first
                page.
            meta: The `_meta` of the request; with it, the cache is not used. Default: none.
            cache_mode: How to use the cache: `"use"`, the default, takes a valid cached result;
                `"refresh"` asks the server and caches the result; `"bypass"` asks the server and
                leaves the cache as it is.
        """
        if meta is None:
            found: Any = await super().list_tools(cursor=cursor, cache_mode=cache_mode)
            return self._usable(found)
        from ..types import ListToolsResult

        result: ListToolsResult = await self._page("tools/list", ListToolsResult, cursor, meta)
        self.session.saw_tools(cast("Any", result.tools))
        return self._usable(result)

    def _usable(self, result: ListToolsResult) -> ListToolsResult:
        """Without tools whose arguments cannot be repeated in headers as they ask for."""
        if self.protocol_version not in MODERN_REVISIONS:
            return result
        faults = {tool.name: fault_of(tool.input_schema) for tool in result.tools}
        for name, fault in faults.items():
            if fault is not None:
                logger.warning("Dropping tool %r: invalid x-mcp-header annotation: %s", name, fault)
        kept = [tool for tool in result.tools if faults[tool.name] is None]
        return result if len(kept) == len(result.tools) else result.model_copy(update={"tools": kept})

    async def list_resources(  # type: ignore[override]
        self, *, cursor: str | None = None, meta: Meta | None = None, cache_mode: CacheMode = "use"
    ) -> ListResourcesResult:
        """List one page of the server's resources.

        Args:
            cursor: Where the page begins: the `next_cursor` of the page before. Default: the first
                page.
            meta: The `_meta` of the request. Default: none.
            cache_mode: How to use the cache: `"use"`, the default, takes a valid cached result;
                `"refresh"` asks the server and caches the result; `"bypass"` asks the server and
                leaves the cache as it is.
        """
        if meta is None:
            found: ListResourcesResult = cast("Any", await super().list_resources(cursor=cursor, cache_mode=cache_mode))
            return found
        from ..types import ListResourcesResult

        page: ListResourcesResult = await self._page("resources/list", ListResourcesResult, cursor, meta)
        return page

    async def list_resource_templates(  # type: ignore[override]
        self, *, cursor: str | None = None, meta: Meta | None = None, cache_mode: CacheMode = "use"
    ) -> ListResourceTemplatesResult:
        """List one page of the server's resource templates.

        Args:
            cursor: Where the page begins: the `next_cursor` of the page before. Default: the first
                page.
            meta: The `_meta` of the request. Default: none.
            cache_mode: How to use the cache: `"use"`, the default, takes a valid cached result;
                `"refresh"` asks the server and caches the result; `"bypass"` asks the server and
                leaves the cache as it is.
        """
        if meta is None:
            found: ListResourceTemplatesResult = cast("Any", await super().list_resource_templates(cursor=cursor, cache_mode=cache_mode))
            return found
        from ..types import ListResourceTemplatesResult

        kind = ListResourceTemplatesResult
        page: ListResourceTemplatesResult = await self._page("resources/templates/list", kind, cursor, meta)
        return page

    async def list_prompts(  # type: ignore[override]
        self, *, cursor: str | None = None, meta: Meta | None = None, cache_mode: CacheMode = "use"
    ) -> ListPromptsResult:
        """List one page of the server's prompts.

        Args:
            cursor: Where the page begins: the `next_cursor` of the page before. Default: the first
                page.
            meta: The `_meta` of the request. Default: none.
            cache_mode: How to use the cache: `"use"`, the default, takes a valid cached result;
                `"refresh"` asks the server and caches the result; `"bypass"` asks the server and
                leaves the cache as it is.
        """
        if meta is None:
            found: ListPromptsResult = cast("Any", await super().list_prompts(cursor=cursor, cache_mode=cache_mode))
            return found
        from ..types import ListPromptsResult

        page: ListPromptsResult = await self._page("prompts/list", ListPromptsResult, cursor, meta)
        return page

    async def _page(self, method: str, result_type: Any, cursor: str | None, meta: Meta) -> Any:
        from ..._engine.json import dumps

        params: dict[str, Any] = {"_meta": as_wire(meta)}
        if cursor is not None:
            params["cursor"] = cursor
        return result_type.model_validate(await self.session.ask(method, dumps(params), fresh=True))


def as_wire(meta: Meta) -> dict[str, Any]:
    """The `_meta` of a request, with its one known member as the wire spells it.

    Args:
        meta: The `_meta`.
    """
    found = dict(meta)
    if "progress_token" in found:
        found["progressToken"] = found.pop("progress_token")
    return found
