"""Names that modules of the official package have only because they import them.

Programs import them from there, although they are defined elsewhere. They are looked up here
on first use, so that no module has to import what it does not need.

Owns: which module has which of these names, and where they are defined. `a=b` means that `a`
is called `b` there; a star marks the module itself.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any

_OWN_NAME = __name__.partition(".")[0]

FOREIGN: dict[str, dict[str, str]] = {
    "cli.claude": {
        "server.fastmcp.utilities.logging": "get_logger",
    },
    "cli.cli": {
        "server.fastmcp.server": "FastMCP",
        "server.lowlevel.server": "LowLevelServer=Server",
        "cli.claude": "*claude",
        "server.fastmcp.utilities.logging": "get_logger",
    },
    "client.auth.oauth2": {
        "client.auth.utils": (
            "build_oauth_authorization_server_metadata_discovery_urls "
            "build_protected_resource_metadata_discovery_urls create_client_info_from_metadata_url "
            "create_client_registration_request create_oauth_metadata_request credentials_match_issuer "
            "extract_field_from_www_auth extract_resource_metadata_from_www_auth extract_scope_from_www_auth "
            "get_client_metadata_scopes handle_auth_metadata_response handle_protected_resource_response "
            "handle_registration_response handle_token_response_scopes is_valid_client_metadata_url "
            "should_use_client_metadata_url validate_metadata_issuer"
        ),
        "shared.auth": "OAuthClientInformationFull",
        "shared.auth_utils": "calculate_token_expiry",
    },
    "client.experimental.task_handlers": {
        "types": "*types",
        "shared.context": "RequestContext",
        "shared.session": "RequestResponder",
    },
    "client.experimental.tasks": {
        "types": "*types",
    },
    "client.session": {
        "types": "*types",
        "client.experimental.tasks": "ExperimentalClientFeatures",
        "shared.context": "RequestContext",
        "shared.message": "SessionMessage",
        "shared.session": "ProgressFnT RequestResponder",
        "shared.version": "SUPPORTED_PROTOCOL_VERSIONS",
    },
    "client.session_group": {
        "": "*mcp",
        "types": "*types",
        "client.streamable_http": "streamable_http_client",
        "shared._httpx_utils": "create_mcp_http_client",
        "shared.session": "ProgressFnT",
    },
    "client.sse": {
        "types": "*types",
        "shared.message": "SessionMessage",
    },
    "client.streamable_http": {
        "shared._httpx_utils": "redirect_location",
        "shared.message": "ClientMessageMetadata SessionMessage",
        "types": (
            "ErrorData InitializeResult JSONRPCError JSONRPCMessage JSONRPCNotification JSONRPCRequest "
            "JSONRPCResponse RequestId"
        ),
    },
    "client.websocket": {
        "types": "*types",
        "shared.message": "SessionMessage",
    },
    "server.auth.routes": {
        "server.streamable_http": "MCP_PROTOCOL_VERSION_HEADER",
    },
    "server.elicitation": {
        "server.session": "ServerSession",
        "types": "RequestId",
    },
    "server.experimental.request_context": {
        "server.experimental.task_support": "TaskSupport",
        "server.session": "ServerSession",
        "types": (
            "TASK_FORBIDDEN TASK_REQUIRED ClientCapabilities CreateTaskResult ErrorData Result TaskExecutionMode "
            "TaskMetadata Tool"
        ),
    },
    "server.experimental.session_features": {
        "types": "*types",
    },
    "server.experimental.task_context": {
        "server.experimental.task_result_handler": "TaskResultHandler",
        "server.session": "ServerSession",
        "shared.experimental.tasks.message_queue": "TaskMessageQueue",
        "shared.experimental.tasks.store": "TaskStore",
        "types": (
            "TASK_STATUS_INPUT_REQUIRED TASK_STATUS_WORKING ClientCapabilities CreateMessageResult CreateTaskResult "
            "ElicitationCapability ElicitRequestedSchema ElicitResult ErrorData IncludeContext ModelPreferences "
            "RequestId Result SamplingCapability SamplingMessage ServerNotification Task TaskMetadata "
            "TaskStatusNotification TaskStatusNotificationParams Tool ToolChoice"
        ),
    },
    "server.experimental.task_result_handler": {
        "server.session": "ServerSession",
        "shared.experimental.tasks.message_queue": "TaskMessageQueue",
        "shared.experimental.tasks.resolver": "Resolver",
        "shared.experimental.tasks.store": "TaskStore",
        "shared.message": "ServerMessageMetadata SessionMessage",
        "types": (
            "ErrorData GetTaskPayloadRequest GetTaskPayloadResult JSONRPCMessage RelatedTaskMetadata RequestId"
        ),
    },
    "server.experimental.task_support": {
        "server.session": "ServerSession",
    },
    "server.fastmcp.prompts.base": {
        "server.fastmcp.utilities.context_injection": "find_context_parameter inject_context",
        "server.fastmcp.utilities.func_metadata": "func_metadata",
        "types": "ContentBlock Icon TextContent",
    },
    "server.fastmcp.prompts.manager": {
        "server.fastmcp.prompts.base": "Message Prompt",
        "server.fastmcp.utilities.logging": "get_logger",
    },
    "server.fastmcp.resources.base": {
        "types": "Annotations Icon",
    },
    "server.fastmcp.resources.resource_manager": {
        "server.fastmcp.utilities.logging": "get_logger",
        "server.fastmcp.resources.base": "Resource",
        "server.fastmcp.resources.templates": "ResourceTemplate",
        "types": "Annotations Icon",
    },
    "server.fastmcp.resources.templates": {
        "server.fastmcp.resources.base": "Resource",
        "server.fastmcp.utilities.context_injection": "find_context_parameter",
        "server.fastmcp.utilities.func_metadata": "func_metadata",
        "types": "Annotations Icon",
    },
    "server.fastmcp.resources.types": {
        "types": "Annotations Icon",
    },
    "server.fastmcp.server": {
        "server.auth.middleware.auth_context": "AuthContextMiddleware",
        "server.auth.middleware.bearer_auth": "BearerAuthBackend RequireAuthMiddleware",
        "server.auth.provider": "OAuthAuthorizationServerProvider ProviderTokenVerifier TokenVerifier",
        "server.auth.settings": "AuthSettings",
        "server.elicitation": "ElicitationResult ElicitSchemaModelT UrlElicitationResult elicit_with_validation",
        "server.fastmcp.resources.types": "FunctionResource",
        "server.fastmcp.resources.base": "Resource",
        "server.fastmcp.utilities.context_injection": "find_context_parameter",
        "server.lowlevel.server": "MCPServer=Server",
        "server.session": "ServerSession ServerSessionT",
        "server.sse": "SseServerTransport",
        "server.stdio": "stdio_server",
        "server.streamable_http": "EventStore",
        "server.streamable_http_manager": (
            "DEFAULT_MAX_SESSIONS DEFAULT_SESSION_IDLE_TIMEOUT StreamableHTTPSessionManager "
            "DEFAULT_MAX_REQUEST_BODY_SIZE"
        ),
        "server.transport_security": "TransportSecuritySettings",
        "shared.context": "LifespanContextT RequestContext RequestT",
        "types": (
            "Annotations ContentBlock GetPromptResult Icon ToolAnnotations MCPPrompt=Prompt "
            "MCPPromptArgument=PromptArgument MCPResource=Resource MCPResourceTemplate=ResourceTemplate "
            "MCPTool=Tool"
        ),
    },
    "server.fastmcp.tools.base": {
        "server.fastmcp.exceptions": "ToolError",
        "server.fastmcp.utilities.context_injection": "find_context_parameter",
        "server.fastmcp.utilities.func_metadata": "FuncMetadata func_metadata",
        "shared.exceptions": "UrlElicitationRequiredError",
        "shared.tool_name_validation": "validate_and_warn_tool_name",
        "types": "Icon ToolAnnotations",
    },
    "server.fastmcp.tools.tool_manager": {
        "server.fastmcp.exceptions": "ToolError",
        "server.fastmcp.utilities.logging": "get_logger",
        "shared.context": "LifespanContextT RequestT",
        "types": "Icon ToolAnnotations",
    },
    "server.fastmcp.utilities.func_metadata": {
        "server.fastmcp.exceptions": "InvalidSignature",
        "server.fastmcp.utilities.logging": "get_logger",
        "server.fastmcp.utilities.types": "Audio Image",
        "types": "CallToolResult ContentBlock TextContent",
    },
    "server.fastmcp.utilities.types": {
        "types": "AudioContent ImageContent",
    },
    "server.lowlevel.experimental": {
        "types": (
            "CancelTaskRequest CancelTaskResult ErrorData GetTaskPayloadRequest GetTaskPayloadResult GetTaskRequest "
            "GetTaskResult ListTasksRequest ListTasksResult ServerCapabilities ServerResult ServerTasksCapability "
            "ServerTasksRequestsCapability Task TasksCallCapability TasksCancelCapability TasksListCapability "
            "TasksToolsCapability"
        ),
    },
    "server.lowlevel.server": {
        "types": "*types",
        "server.experimental.request_context": "Experimental",
        "server.lowlevel.experimental": "ExperimentalHandlers",
        "server.lowlevel.func_inspection": "create_call_wrapper",
        "server.models": "InitializationOptions",
        "server.session": "ServerSession",
        "shared.context": "RequestContext",
        "shared.exceptions": "McpError UrlElicitationRequiredError",
        "shared.message": "ServerMessageMetadata SessionMessage",
        "shared.session": "RequestResponder",
        "shared.tool_name_validation": "validate_and_warn_tool_name",
    },
    "server.session": {
        "types": "*types",
        "server.models": "InitializationOptions",
        "server.validation": "validate_sampling_tools validate_tool_use_result_messages",
        "server.experimental.session_features": "ExperimentalServerSessionFeatures",
        "shared.experimental.tasks.capabilities": "check_tasks_capability",
        "shared.experimental.tasks.helpers": "RELATED_TASK_METADATA_KEY",
        "shared.message": "ServerMessageMetadata SessionMessage",
    },
    "server.sse": {
        "types": "*types",
        "server.auth.middleware.bearer_auth": "AuthenticatedUser AuthorizationContext authorization_context",
        "server.transport_security": "RequestBodyLimitMiddleware TransportSecuritySettings",
        "shared.message": "ServerMessageMetadata",
    },
    "server.stdio": {
        "types": "*types",
    },
    "server.streamable_http": {
        "server.transport_security": "TransportSecurityMiddleware TransportSecuritySettings",
        "shared.message": "ServerMessageMetadata SessionMessage",
        "shared.version": "SUPPORTED_PROTOCOL_VERSIONS",
        "types": (
            "DEFAULT_NEGOTIATED_VERSION INTERNAL_ERROR INVALID_PARAMS INVALID_REQUEST PARSE_ERROR ErrorData "
            "JSONRPCError JSONRPCMessage JSONRPCRequest JSONRPCResponse RequestId"
        ),
    },
    "server.streamable_http_manager": {
        "server.auth.middleware.bearer_auth": "AuthenticatedUser AuthorizationContext authorization_context",
        "server.lowlevel.server": "MCPServer=Server",
        "server.streamable_http": "MCP_SESSION_ID_HEADER EventStore StreamableHTTPServerTransport",
        "server.transport_security": "RequestBodyLimitMiddleware TransportSecuritySettings",
        "types": "INTERNAL_ERROR INVALID_REQUEST ErrorData JSONRPCError",
    },
    "server.validation": {
        "types": "INVALID_PARAMS ClientCapabilities ErrorData SamplingMessage Tool ToolChoice",
    },
    "server.websocket": {
        "types": "*types",
        "server.transport_security": "TransportSecuritySettings",
    },
    "shared.context": {
        "shared.session": "BaseSession",
        "types": "RequestId RequestParams",
    },
    "shared.exceptions": {
        "types": "ElicitRequestURLParams ErrorData",
    },
    "shared.experimental.tasks.capabilities": {
        "types": "ClientCapabilities ClientTasksCapability ErrorData",
    },
    "shared.experimental.tasks.context": {
        "shared.experimental.tasks.store": "TaskStore",
        "types": "TASK_STATUS_COMPLETED TASK_STATUS_FAILED Result Task",
    },
    "shared.experimental.tasks.helpers": {
        "shared.experimental.tasks.store": "TaskStore",
        "types": (
            "TASK_STATUS_CANCELLED TASK_STATUS_COMPLETED TASK_STATUS_FAILED TASK_STATUS_WORKING CancelTaskResult "
            "ErrorData Task TaskMetadata TaskStatus"
        ),
    },
    "shared.experimental.tasks.in_memory_task_store": {
        "types": "Result Task TaskMetadata TaskStatus",
    },
    "shared.experimental.tasks.message_queue": {
        "shared.experimental.tasks.resolver": "Resolver",
        "types": "JSONRPCNotification JSONRPCRequest RequestId",
    },
    "shared.experimental.tasks.polling": {
        "types": "GetTaskResult",
    },
    "shared.experimental.tasks.store": {
        "types": "Result Task TaskMetadata TaskStatus",
    },
    "shared.memory": {
        "types": "*types",
        "client.session": "ClientSession ElicitationFnT ListRootsFnT LoggingFnT MessageHandlerFnT SamplingFnT",
        "server.lowlevel.server": "Server",
        "server.fastmcp.server": "FastMCP",
        "shared.message": "SessionMessage",
    },
    "shared.message": {
        "types": "JSONRPCMessage RequestId",
    },
    "shared.metadata_utils": {
        "types": "Implementation Prompt Resource ResourceTemplate Tool",
    },
    "shared.progress": {
        "shared.context": "LifespanContextT RequestContext",
        "types": "ProgressToken",
    },
    "shared.response_router": {
        "types": "ErrorData RequestId",
    },
    "shared.session": {
        "shared.message": "ServerMessageMetadata SessionMessage",
        "shared.response_router": "ResponseRouter",
        "types": (
            "CONNECTION_CLOSED INVALID_PARAMS CancelledNotification ClientNotification ClientRequest ClientResult "
            "ErrorData JSONRPCError JSONRPCMessage JSONRPCNotification JSONRPCRequest JSONRPCResponse "
            "ProgressNotification RequestId RequestParams ServerNotification ServerRequest ServerResult"
        ),
    },
}


def lend(
    module: ModuleType,
    table: dict[str, dict[str, str]] = FOREIGN,
    *,
    package: str = _OWN_NAME,
) -> None:
    """Make a module answer for the additional names that it has in the official package.

    Args:
        module: The module.
        table: The names. Default: those of 1.x.
        package: Where the homes of the names are imported from; the module's name begins with it.
    """
    homes = _homes(table.get(module.__name__[len(package) + 1 :], {}))
    if not homes or "_lent" in vars(module):
        return
    before: Any = vars(module).get("__getattr__")

    def found(name: str) -> Any:
        if name in homes:
            home, there = homes[name]
            value = import_module(f"{package}.{home}".rstrip("."))
            return value if there is None else getattr(value, there)
        if before is not None:
            return before(name)
        raise AttributeError(f"module {module.__name__!r} has no attribute {name!r}")

    vars(module).update(__getattr__=found, _lent=True)


def _homes(table: dict[str, str]) -> dict[str, tuple[str, str | None]]:
    homes: dict[str, tuple[str, str | None]] = {}
    for home, names in table.items():
        for entry in names.split():
            name, _, there = entry.partition("=")
            homes[name.lstrip("*")] = home, None if name.startswith("*") else there or name
    return homes
