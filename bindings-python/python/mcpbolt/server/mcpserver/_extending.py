"""Extensions of a server of the 2.x kind.

Owns: registering what they add. Must not know: what extensions are made of.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..._engine.protocol import METHODS
from ..extension import Extension, RequestHandler, gated, intercepting, row_of, validate_extension_identifier
from ..lowlevel._bymethod import entry_of, put

if TYPE_CHECKING:
    from ..._common.server import HighLevelServer
    from ..lowlevel.server import Server


def extend(
    mcp: HighLevelServer[Any], server: Server[Any, Any], extensions: Sequence[Extension], call: RequestHandler
) -> None:
    """Add extensions to a server, whose tools are called by `call`.

    Raises:
        ValueError: An identifier or a method is in use already.
    """
    for extension in extensions:
        identifier = getattr(extension, "identifier", None)
        validate_extension_identifier(identifier, owner=type(extension).__name__)
        if identifier in server.extensions:
            raise ValueError(f"Extension {identifier!r} is already registered")
        for tool in extension.tools():
            mcp.add_tool(tool.fn, meta=tool.meta, **tool.kwargs)
        for resource in extension.resources():
            mcp.add_resource(resource.resource)
        # Declared before it has methods: one without its extension does not exist.
        server.extensions[extension.identifier] = extension.settings()
        for method in extension.methods():
            if entry_of(server.request_handlers, method.method) is not None:
                raise ValueError(
                    f"Extension {identifier!r} binds method {method.method!r}, which is already "
                    "registered; extension methods are additive and cannot replace another handler"
                )
            if method.method not in METHODS:
                server.extension_methods.append(row_of(extension.identifier, method))
            put(server.request_handlers, method.method, method.params_type, gated(method))
        for name, hook in extension.hooks().items():
            server.hooks.setdefault(name, []).append(hook)
    handler = intercepting(extensions, call)
    if handler is not None:
        from ...types import CallToolRequestParams

        put(server.request_handlers, "tools/call", CallToolRequestParams, handler)
