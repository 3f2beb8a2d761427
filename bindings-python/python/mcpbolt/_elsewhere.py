"""Where names are that a program looks for in the wrong place.

Owns: the locations of the official packages' names and of FastMCP's, and the messages about
them. Imported only after a name was not found.
"""

from __future__ import annotations

import sys

# Public names that `mcpbolt` itself does not have, by module. Those of `types` are not listed.
_PLACES: dict[str, str] = {
    "client": """CacheConfig CacheEntry CacheKey CacheMode ClaimContext ClientExtension ClientRequestContext
        InMemoryResponseCacheStore NotificationBinding ResponseCacheStore ResultClaim advertise""",
    "client.auth": "OAuthClientProvider OAuthFlowError OAuthRegistrationError OAuthTokenError PKCEParameters TokenStorage",
    "client.auth.extensions.client_credentials": """ClientCredentialsOAuthProvider PrivateKeyJWTOAuthProvider
        RFC7523OAuthClientProvider SignedJWTParameters""",
    "client.session": "ElicitationFnT ListRootsFnT LoggingFnT MessageHandlerFnT SamplingFnT",
    "client.session_group": "ClientSessionParameters ServerParameters SseServerParameters StreamableHttpParameters",
    "client.sse": "sse_client",
    "client.stdio": "get_default_environment",
    "client.streamable_http": "StreamableHTTPTransport streamable_http_client streamablehttp_client",
    "client.subscriptions": "Subscription SubscriptionLost listen",
    "client.websocket": "websocket_client",
    "server": "CacheHint FastMCP InitializationOptions MCPServer NotificationOptions Server ServerRequestContext",
    "server.auth.middleware.auth_context": "AuthContextMiddleware get_access_token",
    "server.auth.provider": """AccessToken AuthorizationCode AuthorizationParams OAuthAuthorizationServerProvider
        ProviderTokenVerifier RefreshToken TokenVerifier""",
    "server.auth.settings": "AuthSettings ClientRegistrationOptions RevocationOptions",
    "server.context": "ServerMiddleware",
    "server.elicitation": "AcceptedElicitation CancelledElicitation DeclinedElicitation",
    "server.extension": "Extension MethodBinding ResourceBinding ToolBinding",
    "server.fastmcp": "Audio Context FastMCP Image",
    "server.fastmcp.exceptions": "FastMCPError InvalidSignature ResourceError ToolError ValidationError",
    "server.fastmcp.prompts.base": "AssistantMessage Message UserMessage",
    "server.fastmcp.resources": """BinaryResource DirectoryResource FileResource FunctionResource HttpResource
        TextResource""",
    "server.mcpserver": "Elicit ListRoots RequestStateSecurity Resolve ResourceSecurity Sample",
    "server.mcpserver.exceptions": "MCPServerError ResourceNotFoundError",
    "server.session": "ServerSession",
    "server.sse": "SseServerTransport",
    "server.stdio": "stdio_server",
    "server.streamable_http": "EventStore StreamableHTTPServerTransport",
    "server.streamable_http_manager": "StreamableHTTPSessionManager",
    "server.transport_security": "TransportSecuritySettings",
    "server.websocket": "websocket_server",
    "shared.auth": "OAuthClientInformationFull OAuthClientMetadata OAuthMetadata OAuthToken ProtectedResourceMetadata",
    "shared.context": "RequestContext",
    "shared.exceptions": """CancelledError ConnectError ForbiddenError MCPError McpError OverloadedError ProtocolViolation
        SessionClosed TimeoutError UnauthorizedError UnsupportedProtocolVersionError UrlElicitationRequiredError
        UsageError""",
    "shared.memory": "create_client_server_memory_streams create_connected_server_and_client_session",
    "shared.message": "ClientMessageMetadata ServerMessageMetadata SessionMessage",
    "shared.metadata_utils": "get_display_name",
    "shared.session": "BaseSession ProgressFnT RequestResponder",
    "shared.uri_template": "InvalidUriTemplate UriTemplate",
}
# Names of FastMCP, and what to write in their place.
_OTHERWISE: dict[str, str] = {
    "FastMCPClient": "from mcpbolt import Client",
    "File": "from mcpbolt.types import EmbeddedResource",
    "NodeStdioTransport": 'Client(["node", "server.js"])',
    "NpxStdioTransport": 'Client(["npx", "-y", "PACKAGE"])',
    "PythonStdioTransport": 'Client("server.py")',
    "SSETransport": "from mcpbolt.client.sse import sse_client",
    "StdioTransport": "from mcpbolt import StdioServerParameters",
    "StreamableHttpTransport": 'Client("http://…/mcp", headers={…})',
    "UvxStdioTransport": 'Client(["uvx", "PACKAGE"])',
    "get_context": "mcp.get_context()",
    "get_http_headers": "ctx.request_context.request.headers",
    "get_http_request": "ctx.request_context.request",
}
_SUBMODULES = ("client", "server", "shared", "types")
# Modules of other packages, and their locations in this one.
MODULES: dict[str, str] = {
    "client.transports": "client.client",
    "exceptions": "shared.exceptions",
    "fastmcp": "server.fastmcp",
    "prompts": "server.fastmcp.prompts",
    "resources": "server.fastmcp.resources",
    "server.context_injection": "server.fastmcp.utilities.context_injection",
    "server.dependencies": "server.fastmcp.context",
    "server.exceptions": "server.fastmcp.exceptions",
    "server.middleware": "server.context",
    "server.server": "server.fastmcp.server",
    "session": "client.session",
    "sse": "client.sse",
    "stdio": "client.stdio",
    "streamable_http": "client.streamable_http",
    "tools": "server.fastmcp.tools",
    "utilities": "server.fastmcp.utilities",
}


def missing(module: str, name: str) -> Exception:
    """The exception to raise in a module's `__getattr__`, with the name's location: an
    `ImportError` for a `from` import, an `AttributeError` for access to an attribute.
    """
    from ._engine import face

    place = place_of(module, name) if face.current.own_words else None
    if place is None:
        return AttributeError(f"module {module!r} has no attribute {name!r}")
    # The import system would replace the message of an AttributeError.
    if sys._getframe(2).f_code.co_name == "_handle_fromlist":  # pyright: ignore[reportPrivateUsage]
        return ImportError(f"cannot import name {name!r} from {module!r}: use {place}", name=module)
    return AttributeError(f"module {module!r} has no attribute {name!r}: use {place}")


def place_of(module: str, name: str) -> str | None:
    """The import statement for a name; `None` if it is unknown or in that module."""
    if name in _OTHERWISE:
        return f"`{_OTHERWISE[name]}`"
    here = module.removeprefix("mcpbolt").removeprefix(".")
    # The package is loaded, as it asks; importing it from here would be a circle.
    public: list[str] = sys.modules[__name__.partition(".")[0]].__all__

    if here and name in public and name not in _SUBMODULES:
        return f"`from mcpbolt import {name}`"
    for place, names in _PLACES.items():
        if place != here and name in names.split():
            return f"`from mcpbolt.{place} import {name}`"
    inner = MODULES.get(f"{here}.{name}" if here else name)
    if inner is not None:
        return f"the module mcpbolt.{inner}"
    from ._types._index import HOMES

    return f"`from mcpbolt.types import {name}`" if name in HOMES else _other_case(name, public)


def _other_case(name: str, known: list[str]) -> str | None:
    right = {found.lower(): found for found in known}.get(name.lower())
    # Lower-case names may be modules, for which an import is tried next.
    return f"`from mcpbolt import {right}`" if right not in (None, name) and name[0].isupper() else None


def refuse_module(fullname: str) -> None:
    """Raise an error with the location of a module that a program imports by another name.

    Raises:
        ModuleNotFoundError: It is one of those modules.
    """
    from ._engine import face

    inner = MODULES.get(fullname.removeprefix("mcpbolt."))
    if inner is not None and face.current.own_words:
        words = f"No module named {fullname!r}: it is mcpbolt.{inner} here"
        raise ModuleNotFoundError(words, name=fullname)
