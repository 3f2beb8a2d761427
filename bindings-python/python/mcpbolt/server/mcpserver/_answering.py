"""What a server of the 2.x kind answers.

Owns: the results of tools, resources and prompts, and what exceptions become on the way. Must not
know: how the server is made and served.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar, cast

from ..._common.context import BaseContext
from ..._common.functions.lines import as_model
from ..._common.functions.placing import reading_for
from ..._common.server import HighLevelServer, LifespanResultT
from ..._engine.questions import is_question
from ...shared.exceptions import McpError
from .._error_responses import UnknownPromptError
from ..lowlevel._bymethod import MethodHandler
from ..lowlevel._handlers import Handler
from ..lowlevel.helper_types import ReadResourceContents
from ._failures import NotThere, cause_of, resource_failure
from .exceptions import ResourceError, ResourceNotFoundError, UnexpectedResourceError

if TYPE_CHECKING:
    from pydantic import AnyUrl

    from ... import types
    from ..context import HandlerResult, ServerRequestContext

logger: logging.Logger = logging.getLogger("mcp.server.mcpserver.server")

F = TypeVar("F", bound=Callable[..., Any])
INTERNAL_ERROR = -32603


class Answering(HighLevelServer[LifespanResultT]):
    """The part of `MCPServer` that answers."""

    def get_context(self) -> Any:
        """The context of the request being answered."""
        raise NotImplementedError

    def _setup_handlers(self) -> None:
        super()._setup_handlers()
        ours: dict[str, Any] = {
            "tools/call": Handler(self._call_by_model, tool=self._provider.call),
            "resources/read": MethodHandler(self._read, _read_params),
            "prompts/get": MethodHandler(self._get, "GetPromptRequestParams"),
        }
        table: Any = self._mcp_server.request_handlers
        for method, handler in ours.items():
            table.put(method, handler)
        self._provider.handlers.update(ours)

    def _add_function(self, fn: Any, uri: str, more: dict[str, Any]) -> None:
        from .resources.types import FunctionResource

        self.add_resource(FunctionResource.from_function(fn=fn, uri=uri, **more))

    def completion(self) -> Callable[[F], F]:
        """Decorator for the async function that completes arguments of prompts and resource
        templates.

        It gets the reference to the prompt or template, the argument with the text so far, and the
        values of other arguments if the client sent them. It returns a `Completion`, or `None` for
        no proposals. If it raises, clients learn only the name of the argument.

        Example:
            ```python
            @mcp.completion()
            async def complete(ref, argument, context):
                cities = ["Paris", "Prague", "Porto"]
                return Completion(values=[city for city in cities if city.startswith(argument.value)])
            ```
        """

        def decorator(fn: F) -> F:
            async def complete(ref: Any, argument: Any, context: Any) -> Any:
                try:
                    found = await fn(ref, argument, context)
                    return None if found is None else as_model(self._models.Completion, found)
                except McpError:
                    raise
                except Exception as error:
                    logger.exception("Completion for argument %r raised an unexpected exception", argument.name)
                    raise McpError(INTERNAL_ERROR, f"Error completing argument {argument.name}") from error

            self._complete_by(complete)
            return fn

        return decorator

    def _complete_by(self, complete: Callable[[Any, Any, Any], Awaitable[Any]]) -> None:
        """Have this function answer `completion/complete`."""
        super().completion()(complete)

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: BaseContext | None = None
    ) -> types.CallToolResult | types.InputRequiredResult:
        """Call a tool.

        Args:
            name: The tool's name.
            arguments: The arguments by name.
            context: The context to pass to the function. Default: none.

        Raises:
            ToolError: There is no tool of that name, the arguments are invalid, or the tool raised it.
            UnexpectedToolError: The tool failed in another way.
            MCPError: The tool raised it.
        """
        from ..lowlevel._tool_results import answer_of, is_final

        if context is None:
            context = self.get_context()
        found = await self._tool_manager.call_tool(name, arguments, context=context, convert_result=True)
        if is_question(found) or is_final(found):
            return cast("types.CallToolResult", found)
        # A program's own manager may return the parts.
        tool = self._tool_manager.get_tool(name)
        schema = None if tool is None else tool.output_schema
        kind: type[types.CallToolResult] = self._models.CallToolResult
        return kind.model_validate_json(answer_of(self._mcp_server, name, schema, found, lambda: self._models))

    async def _call(self, ctx: ServerRequestContext[Any, Any], params: Any) -> HandlerResult:
        from .._dispatch import outcome
        from .._middleware import values_of

        del ctx
        return values_of(outcome(await self._provider.call(params.name, params.arguments or {})))

    async def _call_by_model(self, request: Any) -> Any:
        from ..lowlevel._handlers import from_json

        answer = await self._provider.call(request.params.name, request.params.arguments or {})
        return answer if is_question(answer) else from_json("CallToolResult", answer)

    async def read_resource(
        self, uri: AnyUrl | str, context: BaseContext | None = None
    ) -> Iterable[ReadResourceContents] | types.InputRequiredResult:
        """Read a resource. Returns its contents, or the questions of a template's function.

        Args:
            uri: The URI of the resource.
            context: The context to pass to the function. Default: none.

        Raises:
            ResourceNotFoundError: No resource has this URI.
            ResourceError: The resource's function raised it.
            UnexpectedResourceError: Reading failed in another way.
            MCPError: The resource's function raised it.
        """
        context = context or self.get_context()
        try:
            with reading_for(self):
                resource: Any = await self._resource_manager.get_resource(uri, context=context)
                if is_question(resource):
                    return cast("types.InputRequiredResult", resource)
                content: object = await resource.read()
            if not isinstance(content, (str, bytes)):
                raise TypeError(f"Resource.read() must return str or bytes, not {type(content).__name__}")
            return [ReadResourceContents(content=content, mime_type=resource.mime_type, meta=resource.meta)]
        except (McpError, ResourceError):
            raise
        except Exception as error:
            failure = resource_failure(str(uri), error)
            raise failure from failure.__cause__

    async def _read(self, ctx: ServerRequestContext[Any, Any], params: Any) -> HandlerResult:
        from ._reading import read_result

        del ctx
        uri: str = params.uri
        try:
            found = await self.read_resource(uri, self.get_context())
        except ResourceNotFoundError as error:
            logger.info("Resource %r failed: %r", uri, str(error))
            raise NotThere(uri, str(error)) from error
        except ResourceError as error:
            if isinstance(error, UnexpectedResourceError):
                logger.exception("Resource %r raised an unexpected exception", uri)
            else:
                logger.info("Resource %r failed: %r", uri, str(error))
            raise McpError(INTERNAL_ERROR, str(error), {"uri": uri}) from error
        return cast("Any", found) if is_question(found) else read_result(uri, cast("Any", found))

    async def get_prompt(
        self, name: str, arguments: dict[str, Any] | None = None, context: BaseContext | None = None
    ) -> types.GetPromptResult | types.InputRequiredResult:
        """Get the messages of a prompt, or the questions of its function.

        Args:
            name: The prompt's name.
            arguments: The arguments by name, as texts. Default: none.
            context: The context to pass to the function. Default: none.

        Raises:
            ValueError: There is no prompt of this name, or it cannot be rendered.
            MCPError: The prompt's function raised it.
        """
        prompt = self._prompt_manager.get_prompt(name)
        if not prompt:
            raise UnknownPromptError(f"Unknown prompt: {name}")
        try:
            rendered: Any = await prompt.render(arguments, context=context or self.get_context())
        except Exception as error:
            raise cause_of(error, McpError) or error
        if is_question(rendered):
            return cast("types.InputRequiredResult", rendered)
        rows = [message.model_dump(mode="json", by_alias=True) for message in rendered]
        kind: type[types.GetPromptResult] = self._models.GetPromptResult
        return kind.model_validate({"description": prompt.description, "messages": rows})

    async def _get(self, ctx: ServerRequestContext[Any, Any], params: Any) -> HandlerResult:
        del ctx
        try:
            return await self.get_prompt(params.name, params.arguments, self.get_context())
        except (McpError, UnknownPromptError):
            raise
        except Exception as error:
            logger.exception("Prompt %r raised an unexpected exception", params.name)
            raise McpError(INTERNAL_ERROR, f"Error rendering prompt {params.name}") from error


def _read_params() -> Any:
    from ._reading import ReadParams

    return ReadParams
