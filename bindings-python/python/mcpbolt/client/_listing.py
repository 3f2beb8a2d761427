"""The lists of a server, page by page, as part of `ClientSession`.

Owns: which page is asked for. Must not know: connections.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar, overload

from typing_extensions import deprecated

if TYPE_CHECKING:
    from ..types import (
        ListPromptsResult,
        ListResourcesResult,
        ListResourceTemplatesResult,
        ListToolsResult,
        PaginatedRequestParams,
    )
    from ._structured import OutputSchemas

ResultT = TypeVar("ResultT")


class Listing:
    """The part of `ClientSession` with a method for each list."""

    if TYPE_CHECKING:
        _tool_output_schemas: OutputSchemas
        _models: Any

        async def send_request(self, request: Any, result_type: type[ResultT]) -> ResultT:
            """Send a request and wait for its result.

            Args:
                request: The request.
                result_type: The model of the result.
            """
            ...

    async def _page(
        self,
        request_type: Any,
        result_type: type[ResultT],
        cursor: str | None,
        params: PaginatedRequestParams | None,
    ) -> ResultT:
        m = self._models

        if params is not None and cursor is not None:
            raise ValueError("Cannot specify both cursor and params")
        if params is None and cursor is not None:
            params = m.PaginatedRequestParams(cursor=cursor)
        return await self.send_request(m.ClientRequest(request_type(params=params)), result_type)

    @overload
    @deprecated("Use list_resources(params=PaginatedRequestParams(...)) instead")
    async def list_resources(self, cursor: str | None) -> ListResourcesResult: ...
    @overload
    async def list_resources(self, *, params: PaginatedRequestParams | None) -> ListResourcesResult: ...
    @overload
    async def list_resources(self) -> ListResourcesResult: ...
    async def list_resources(
        self, cursor: str | None = None, *, params: PaginatedRequestParams | None = None
    ) -> ListResourcesResult:
        """List one page of the server's resources.

        Args:
            cursor: Where the page begins: the `nextCursor` of the page before. Default: the first
                page.
            params: All params of the request, instead of `cursor`. Default: none.
        """
        m = self._models

        found: ListResourcesResult = await self._page(m.ListResourcesRequest, m.ListResourcesResult, cursor, params)
        return found

    @overload
    @deprecated("Use list_resource_templates(params=PaginatedRequestParams(...)) instead")
    async def list_resource_templates(self, cursor: str | None) -> ListResourceTemplatesResult: ...
    @overload
    async def list_resource_templates(
        self, *, params: PaginatedRequestParams | None
    ) -> ListResourceTemplatesResult: ...
    @overload
    async def list_resource_templates(self) -> ListResourceTemplatesResult: ...
    async def list_resource_templates(
        self, cursor: str | None = None, *, params: PaginatedRequestParams | None = None
    ) -> ListResourceTemplatesResult:
        """List one page of the server's resource templates.

        Args:
            cursor: Where the page begins: the `nextCursor` of the page before. Default: the first
                page.
            params: All params of the request, instead of `cursor`. Default: none.
        """
        m = self._models

        found: ListResourceTemplatesResult = await self._page(m.ListResourceTemplatesRequest, m.ListResourceTemplatesResult, cursor, params)
        return found

    @overload
    @deprecated("Use list_prompts(params=PaginatedRequestParams(...)) instead")
    async def list_prompts(self, cursor: str | None) -> ListPromptsResult: ...
    @overload
    async def list_prompts(self, *, params: PaginatedRequestParams | None) -> ListPromptsResult: ...
    @overload
    async def list_prompts(self) -> ListPromptsResult: ...
    async def list_prompts(
        self, cursor: str | None = None, *, params: PaginatedRequestParams | None = None
    ) -> ListPromptsResult:
        """List one page of the server's prompts.

        Args:
            cursor: Where the page begins: the `nextCursor` of the page before. Default: the first
                page.
            params: All params of the request, instead of `cursor`. Default: none.
        """
        m = self._models

        found: ListPromptsResult = await self._page(m.ListPromptsRequest, m.ListPromptsResult, cursor, params)
        return found

    @overload
    @deprecated("Use list_tools(params=PaginatedRequestParams(...)) instead")
    async def list_tools(self, cursor: str | None) -> ListToolsResult: ...
    @overload
    async def list_tools(self, *, params: PaginatedRequestParams | None) -> ListToolsResult: ...
    @overload
    async def list_tools(self) -> ListToolsResult: ...
    async def list_tools(
        self, cursor: str | None = None, *, params: PaginatedRequestParams | None = None
    ) -> ListToolsResult:
        """List one page of the server's tools.

        Later results of these tools are checked against their output schemas.

        Args:
            cursor: Where the page begins: the `nextCursor` of the page before. Default: the first
                page.
            params: All params of the request, instead of `cursor`. Default: none.
        """
        m = self._models

        result: ListToolsResult = await self._page(m.ListToolsRequest, m.ListToolsResult, cursor, params)
        for tool in result.tools:
            self._tool_output_schemas[tool.name] = tool.outputSchema
        return result
