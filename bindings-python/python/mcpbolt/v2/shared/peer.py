"""The questions of a server as methods, over anything that sends requests.

Owns: their params and the models of their answers. Must not know: whether the client can be
asked, which whatever sends the requests decides.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from ..._engine import face
from .dispatcher import CallOptions, Outbound

if TYPE_CHECKING:
    from pydantic import BaseModel

    from ..types import (
        CreateMessageResult,
        CreateMessageResultWithTools,
        ElicitResult,
        IncludeContext,
        ListRootsResult,
        ModelPreferences,
        SamplingMessage,
        Tool,
        ToolChoice,
    )

__all__ = ["ClientPeer", "Meta"]

Meta = dict[str, Any]
"""The `_meta` of params."""


def dump_params(model: BaseModel | None, meta: Meta | None = None) -> dict[str, Any] | None:
    """Make the JSON object of params and add to its `_meta`; added members replace those of the model.

    Args:
        model: The params as a model; `None` for none.
        meta: Further `_meta`. Default: none.
    """
    found = None if model is None else model.model_dump(by_alias=True, mode="json", exclude_none=True)
    if meta:
        wire = dict(meta)
        if "progress_token" in wire:
            wire["progressToken"] = wire.pop("progress_token")
        found = {**(found or {}), "_meta": {**(found or {}).get("_meta", {}), **wire}}
    return found


class ClientPeer:
    """A client as the server sees it, with a method for each request that a server may send.

    Args:
        outbound: Sends the requests.
    """

    def __init__(self, outbound: Outbound) -> None:
        self._outbound = outbound

    async def send_raw_request(
        self, method: str, params: Mapping[str, Any] | None, opts: CallOptions | None = None
    ) -> dict[str, Any]:
        """Send a request and return its result as it came.

        Args:
            method: The method.
            params: The params; `None` for none.
            opts: Time-out, progress and other options of the call. Default: none.
        """
        return await self._outbound.send_raw_request(method, params, opts)

    async def notify(self, method: str, params: Mapping[str, Any] | None, opts: CallOptions | None = None) -> None:
        """Send a notification.

        Args:
            method: The method.
            params: The params; `None` for none.
            opts: Time-out, progress and other options of the call. Default: none.
        """
        await self._outbound.notify(method, params, opts)

    async def sample(
        self,
        messages: list[SamplingMessage],
        *,
        max_tokens: int,
        system_prompt: str | None = None,
        include_context: IncludeContext | None = None,
        temperature: float | None = None,
        stop_sequences: list[str] | None = None,
        metadata: dict[str, Any] | None = None,
        model_preferences: ModelPreferences | None = None,
        tools: list[Tool] | None = None,
        tool_choice: ToolChoice | None = None,
        meta: Meta | None = None,
        opts: CallOptions | None = None,
    ) -> CreateMessageResult | CreateMessageResultWithTools:
        """Ask the client for a message of its language model.

        Args:
            messages: The conversation so far, oldest message first.
            max_tokens: The largest number of tokens of the answer.
            system_prompt: Instructions for the model. Default: the client decides.
            include_context: Whether the client adds context: `"none"`, `"thisServer"` or
                `"allServers"`. Default: none.
            temperature: How random the answer is, such as 0.0 for as little as possible. Default:
                the client decides.
            stop_sequences: Texts at which the model stops. Default: none.
            metadata: Settings for the model's provider, passed on by the client. Default: none.
            model_preferences: Which models are wanted, and what matters: cost, speed, intelligence.
                Default: the client decides.
            tools: Tools that the model may call; the client has to support them. Default: none.
            tool_choice: Whether the model has to call one of the tools. Default: the model decides.
            meta: The `_meta` of the message. Default: none.
            opts: Time-out, progress and other options of the call. Default: none.

        Raises:
            MCPError: The client refused.
            NoBackChannelError: The client cannot be asked on this connection.
        """
        from .. import types

        params = types.CreateMessageRequestParams(
            messages=messages,
            max_tokens=max_tokens,
            system_prompt=system_prompt,
            include_context=include_context,
            temperature=temperature,
            stop_sequences=stop_sequences,
            metadata=cast("Any", metadata),
            model_preferences=model_preferences,
            tools=tools,
            tool_choice=tool_choice,
        )
        answer = await self.send_raw_request("sampling/createMessage", dump_params(params, meta), opts)
        if tools is None and tool_choice is None:
            return types.CreateMessageResult.model_validate(answer)
        return types.CreateMessageResultWithTools.model_validate(answer)

    async def elicit_form(
        self, message: str, requested_schema: Any, *, meta: Meta | None = None, opts: CallOptions | None = None
    ) -> ElicitResult:
        """Ask the user to fill in a form.

        Args:
            message: The question, as shown to the user.
            requested_schema: The JSON Schema of the form: an object whose properties are texts,
                numbers, booleans or choices.
            meta: The `_meta` of the message. Default: none.
            opts: Time-out, progress and other options of the call. Default: none.
        """
        from .. import types

        params = types.ElicitRequestFormParams(message=message, requested_schema=requested_schema)
        answer = await self.send_raw_request("elicitation/create", dump_params(params, meta), opts)
        return types.ElicitResult.model_validate(answer)

    async def elicit_url(
        self,
        message: str,
        url: str,
        elicitation_id: str,
        *,
        meta: Meta | None = None,
        opts: CallOptions | None = None,
    ) -> ElicitResult:
        """Ask the user to visit a page.

        Args:
            message: Why the user should visit the URL, as shown to the user.
            url: The URL to visit.
            elicitation_id: An id for this question, unique among the questions of the server.
            meta: The `_meta` of the message. Default: none.
            opts: Time-out, progress and other options of the call. Default: none.
        """
        from .. import types

        params = types.ElicitRequestURLParams(message=message, url=url, elicitation_id=elicitation_id)
        answer = await self.send_raw_request("elicitation/create", dump_params(params, meta), opts)
        return types.ElicitResult.model_validate(answer)

    async def list_roots(self, *, meta: Meta | None = None, opts: CallOptions | None = None) -> ListRootsResult:
        """Ask which folders and files the server may work on.

        Args:
            meta: The `_meta` of the message. Default: none.
            opts: Time-out, progress and other options of the call. Default: none.
        """
        from .. import types

        answer = await self.send_raw_request("roots/list", dump_params(None, meta), opts)
        return types.ListRootsResult.model_validate(answer)

    async def ping(self, *, meta: Meta | None = None, opts: CallOptions | None = None) -> None:
        """Check that the client responds.

        Args:
            meta: The `_meta` of the message. Default: none.
            opts: Time-out, progress and other options of the call. Default: none.
        """
        await self.send_raw_request("ping", dump_params(None, meta), opts)


face.current.shape(ClientPeer)
