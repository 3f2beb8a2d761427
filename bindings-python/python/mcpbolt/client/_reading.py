"""What a `Client` reads: lists and resources, from its cache or from the server, and changes.

Owns: when the cache is asked. Must not know: how a client connects.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, TypeVar

from .._engine.json import dumps
from .._naming import part_of
from .session import ClientSession

if TYPE_CHECKING:
    from pydantic import AnyUrl, BaseModel

    from ..types import (
        EmptyResult,
        ListPromptsResult,
        ListResourcesResult,
        ListResourceTemplatesResult,
        ListToolsResult,
        ReadResourceResult,
    )
    from .caching import CacheMode, ResponseCache
    from .subscriptions import ServerEvent, Subscription

PageT = TypeVar("PageT", bound="BaseModel")


@part_of("Client")
class Reading:
    """The part of `Client` that reads."""

    if TYPE_CHECKING:
        _kept: ResponseCache | None

        @property
        def session(self) -> ClientSession:
            """The session with the server."""
            ...

        async def _event(self, event: ServerEvent) -> None: ...

    async def _list(
        self, method: str, result_type: type[PageT], cursor: str | None, fresh: bool, mode: CacheMode
    ) -> PageT:
        params = None if cursor is None else dumps({"cursor": cursor})

        async def ask(again: bool = True) -> PageT:
            return result_type.model_validate(await self.session.ask(method, params, fresh=again))

        if self._kept is None or cursor is not None:
            return await ask(fresh or mode != "use")
        found: PageT = await self._kept.through(method, "", "refresh" if fresh and mode == "use" else mode, ask)
        return found

    async def list_tools(
        self, *, cursor: str | None = None, fresh: bool = False, cache_mode: CacheMode = "use"
    ) -> ListToolsResult:
        """List one page of the server's tools.

        Args:
            cursor: Where the page begins: the `nextCursor` of the page before. Default: the first
                page.
            fresh: Whether to ask the server even if a cached result is still valid. Default: no.
            cache_mode: How to use the cache: `"use"`, the default, takes a valid cached result;
                `"refresh"` asks the server and caches the result; `"bypass"` asks the server and
                leaves the cache as it is.
        """
        kind: type[ListToolsResult] = self.session.models.ListToolsResult
        result = await self._list("tools/list", kind, cursor, fresh, cache_mode)
        self.session.saw_tools(result.tools)
        return result

    async def list_resources(
        self, *, cursor: str | None = None, fresh: bool = False, cache_mode: CacheMode = "use"
    ) -> ListResourcesResult:
        """List one page of the server's resources.

        Args:
            cursor: Where the page begins: the `nextCursor` of the page before. Default: the first
                page.
            fresh: Whether to ask the server even if a cached result is still valid. Default: no.
            cache_mode: How to use the cache: `"use"`, the default, takes a valid cached result;
                `"refresh"` asks the server and caches the result; `"bypass"` asks the server and
                leaves the cache as it is.
        """
        kind: type[ListResourcesResult] = self.session.models.ListResourcesResult
        return await self._list("resources/list", kind, cursor, fresh, cache_mode)

    async def list_resource_templates(
        self, *, cursor: str | None = None, fresh: bool = False, cache_mode: CacheMode = "use"
    ) -> ListResourceTemplatesResult:
        """List one page of the server's resource templates.

        Args:
            cursor: Where the page begins: the `nextCursor` of the page before. Default: the first
                page.
            fresh: Whether to ask the server even if a cached result is still valid. Default: no.
            cache_mode: How to use the cache: `"use"`, the default, takes a valid cached result;
                `"refresh"` asks the server and caches the result; `"bypass"` asks the server and
                leaves the cache as it is.
        """
        kind: type[ListResourceTemplatesResult] = self.session.models.ListResourceTemplatesResult
        return await self._list("resources/templates/list", kind, cursor, fresh, cache_mode)

    async def list_prompts(
        self, *, cursor: str | None = None, fresh: bool = False, cache_mode: CacheMode = "use"
    ) -> ListPromptsResult:
        """List one page of the server's prompts.

        Args:
            cursor: Where the page begins: the `nextCursor` of the page before. Default: the first
                page.
            fresh: Whether to ask the server even if a cached result is still valid. Default: no.
            cache_mode: How to use the cache: `"use"`, the default, takes a valid cached result;
                `"refresh"` asks the server and caches the result; `"bypass"` asks the server and
                leaves the cache as it is.
        """
        kind: type[ListPromptsResult] = self.session.models.ListPromptsResult
        return await self._list("prompts/list", kind, cursor, fresh, cache_mode)

    async def read_resource(self, uri: AnyUrl | str, *, cache_mode: CacheMode = "use") -> ReadResourceResult:
        """Read the contents of a resource.

        Args:
            uri: The URI of the resource.
            cache_mode: How to use the cache: `"use"`, the default, takes a valid cached result;
                `"refresh"` asks the server and caches the result; `"bypass"` asks the server and
                leaves the cache as it is.
        """
        kind: type[ReadResourceResult] = self.session.models.ReadResourceResult
        async def ask() -> ReadResourceResult:
            return await self.session.read_resource(uri)

        if self._kept is not None:
            found: ReadResourceResult = await self._kept.through("resources/read", str(uri), cache_mode, ask)
            return found
        if cache_mode == "use":
            return await ask()
        answer = await self.session.ask("resources/read", dumps({"uri": str(uri)}), fresh=True)
        return kind.model_validate(answer)

    async def subscribe_resource(self, uri: AnyUrl | str) -> EmptyResult:
        """Ask the server to send a notification whenever a resource changes. The `message_handler` gets
        them.

        Args:
            uri: The URI of the resource.
        """
        return await self.session.subscribe_resource(uri)

    async def unsubscribe_resource(self, uri: AnyUrl | str) -> EmptyResult:
        """End a subscription made with `subscribe_resource`.

        Args:
            uri: The URI of the resource.
        """
        return await self.session.unsubscribe_resource(uri)

    def listen(
        self,
        *,
        tools_list_changed: bool = False,
        prompts_list_changed: bool = False,
        resources_list_changed: bool = False,
        resource_subscriptions: Sequence[str] = (),
    ) -> AbstractAsyncContextManager[Subscription]:
        """Listen for changes on the server while the context is open (2026-07-28).

        Args:
            tools_list_changed: Whether to report changes of the list of tools. Default: no.
            prompts_list_changed: Whether to report changes of the list of prompts. Default: no.
            resources_list_changed: Whether to report changes of the lists of resources and of
                resource templates. Default: no.
            resource_subscriptions: URIs of resources whose changes to report; servers may report
                changes of resources below them too. Default: none.

        Raises:
            ListenNotSupportedError: The connection uses an older revision.
            McpError: The server refused.
            TimeoutError: The server did not acknowledge in time.

        Example:
            ```python
            async with client.listen(tools_list_changed=True) as changes:
                async for change in changes:
                    tools = await client.list_tools()
            ```
        """
        from .subscriptions import listen

        return listen(
            self.session,
            tools_list_changed=tools_list_changed,
            prompts_list_changed=prompts_list_changed,
            resources_list_changed=resources_list_changed,
            resource_subscriptions=resource_subscriptions,
            on_event=self._event,
        )
