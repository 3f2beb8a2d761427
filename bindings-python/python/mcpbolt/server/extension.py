"""Extensions of a server of the 2.x kind: tools, resources and methods under an identifier
that clients see in the capabilities.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, cast

from .._engine.methods import REQUESTS
from ..shared.exceptions import McpError
from ..shared.extension import validate_extension_identifier
from .context import CallNext, HandlerResult, ServerRequestContext

if TYPE_CHECKING:
    from pydantic import BaseModel

    from .._common.resources.base import Resource
    from ..types import CallToolRequestParams
    from .context import ServerMiddleware

__all__ = [
    "Extension",
    "MethodBinding",
    "ResourceBinding",
    "ToolBinding",
    "require_client_extension",
    "validate_extension_identifier",
]

MISSING_CAPABILITY = -32021
METHOD_NOT_FOUND = -32601
RequestHandler = Callable[[ServerRequestContext[Any, Any], Any], Awaitable[HandlerResult]]


@dataclass(frozen=True)
class ToolBinding:
    """A tool that an extension adds."""

    fn: Callable[..., Any]
    """The function that the tool calls."""
    meta: dict[str, Any] | None = None
    """The `_meta` of the tool."""
    kwargs: dict[str, Any] = field(default_factory=lambda: {})
    """Further arguments of `add_tool`."""


@dataclass(frozen=True)
class ResourceBinding:
    """A resource that an extension adds."""

    resource: Resource
    """The resource object."""


@dataclass(frozen=True)
class MethodBinding:
    """A method that an extension adds.

    Raises:
        ValueError: The method belongs to the protocol, or `protocol_versions` is empty.
    """

    method: str
    """The method's name, as on the wire."""
    params_type: type[BaseModel]
    """The pydantic model of the method's params."""
    handler: RequestHandler
    """The function that answers requests of this method."""
    protocol_versions: frozenset[str] | None = None
    """The revisions in which clients may use the method. Default: all."""
    undeclared: Literal["serve", "refuse"] = "serve"
    """What clients that did not declare the extension get: `"serve"`, the default, an answer like
    others; `"refuse"`, an error -32021 that names the extension.
    """
    named_by: Literal["name", "uri"] | None = None
    """The parameter that the `Mcp-Name` header repeats and that audit records show. Default: none."""

    def __post_init__(self) -> None:
        if self.method in REQUESTS:
            raise ValueError(
                f"MethodBinding cannot take {self.method!r}, a method of the protocol: "
                "wrap it with Extension.intercept_tool_call or middleware"
            )
        if self.protocol_versions is not None and not self.protocol_versions:
            raise ValueError(
                f"MethodBinding for {self.method!r} has an empty protocol_versions set, so it could "
                "never be served; use None to admit every version"
            )


class Extension:
    """The base class of a server's extensions. Override the methods that the extension needs.

    `identifier`, such as `com.example/audit`, is a class attribute or set by the constructor.
    """

    identifier: str
    """The name under which clients see the extension."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "identifier" in cls.__dict__:
            validate_extension_identifier(cls.__dict__["identifier"], owner=cls.__name__)

    def settings(self) -> dict[str, Any]:
        """The extension's settings, sent to clients under the identifier. Default: an empty
        object.
        """
        return {}

    def tools(self) -> Sequence[ToolBinding]:
        """The tools that the extension adds. Default: none."""
        return ()

    def resources(self) -> Sequence[ResourceBinding]:
        """The resources that the extension adds. Default: none."""
        return ()

    def methods(self) -> Sequence[MethodBinding]:
        """The methods that the extension adds. Default: none."""
        return ()

    def hooks(self) -> Mapping[str, ServerMiddleware]:
        """Middleware for single methods, by name of the method, such as `tools/list`. It runs inside
        the server's own middleware; that of the first extension is the outermost. Default: none.
        """
        return {}

    async def intercept_tool_call(
        self, params: CallToolRequestParams, ctx: ServerRequestContext[Any, Any], call_next: CallNext
    ) -> HandlerResult:
        """Wrap every tool call. Return the result of `call_next`, or another result instead of
        it.

        Args:
            params: The name and the arguments of the call.
            ctx: The context of the request.
            call_next: Calls the tool.
        """
        del params
        return await call_next(ctx)


def row_of(identifier: str, binding: MethodBinding) -> dict[str, Any]:
    """The row of a method, for the engine.

    Args:
        identifier: The identifier of the extension that has the method.
        binding: The method.
    """
    named = {} if binding.named_by is None else {"named_by": binding.named_by}
    return {"extension": identifier, "method": binding.method, "undeclared": binding.undeclared, **named}


def gated(binding: MethodBinding) -> RequestHandler:
    """The handler of a method, limited to the revisions in which the method may be used.

    Args:
        binding: The method, its handler and its revisions.
    """
    versions = binding.protocol_versions
    if versions is None:
        return binding.handler

    async def handle(ctx: ServerRequestContext[Any, Any], params: Any) -> HandlerResult:
        if ctx.protocol_version not in versions:
            raise McpError(METHOD_NOT_FOUND, "Method not found", binding.method)
        return await binding.handler(ctx, params)

    return handle


def intercepting(extensions: Sequence[Extension], handler: RequestHandler) -> RequestHandler | None:
    """Wrap a handler of `tools/call` with the extensions, the first one outermost. `None` if
    no extension intercepts tool calls.

    Args:
        extensions: The extensions.
        handler: The handler.
    """
    wanting = [each for each in extensions if type(each).intercept_tool_call is not Extension.intercept_tool_call]
    if not wanting:
        return None

    async def handle(ctx: ServerRequestContext[Any, Any], params: Any) -> HandlerResult:
        async def innermost(inner: ServerRequestContext[Any, Any]) -> HandlerResult:
            return await handler(inner, params)

        call: CallNext = innermost
        for extension in reversed(wanting):
            call = cast("CallNext", partial(_around, extension, params, call))
        return await call(ctx)

    return handle


def compose_tool_call_handler(extensions: Sequence[Extension], handler: RequestHandler) -> RequestHandler:
    """The same as `intercepting`, under its name in 2.x; the handler itself if nothing wraps it.

    Args:
        extensions: The extensions.
        handler: The handler.
    """
    return intercepting(extensions, handler) or handler


def _around(extension: Extension, params: Any, call: CallNext, ctx: ServerRequestContext[Any, Any]) -> Any:
    return extension.intercept_tool_call(params, ctx, call)


def require_client_extension(ctx: ServerRequestContext[Any, Any], identifier: str) -> None:
    """Check that the client declared an extension.

    Args:
        ctx: The context of the request.
        identifier: The identifier of the extension.

    Raises:
        McpError: It did not; code -32021, with the extension in the data.
    """
    declared: Any = getattr(ctx.session.client_capabilities, "extensions", None) or {}
    if identifier not in declared:
        message = f"Client did not declare required extension {identifier!r}"
        raise McpError(MISSING_CAPABILITY, message, {"requiredCapabilities": {"extensions": {identifier: {}}}})
