"""Names that modules of the official package 2.x have only because they import them: what
`_reexports` is for 1.x, in the same form.

Owns: which module has which of these names, and where they are defined. Must not know: how a
module gets them.
"""

from __future__ import annotations

FOREIGN_2: dict[str, dict[str, str]] = {
    "client": {
        "client.extension": "UnexpectedClaimedResult",
    },
    "client.caching": {
        "types": (
            "CacheableResult PromptListChangedNotification ResourceListChangedNotification "
            "ResourceUpdatedNotification ToolListChangedNotification"
        ),
    },
    "client.client": {
        "client.caching": "ClientResponseCache InMemoryResponseCacheStore",
        "client.extension": "ClaimContext ClientExtension NotificationBinding ResultClaim",
        "client.session": (
            "ClientRequestContext ClientSession ElicitationFnT ListRootsFnT LoggingFnT MessageHandlerFnT SamplingFnT"
        ),
        "client.stdio": "StdioServerParameters stdio_client",
        "client.streamable_http": "streamable_http_client",
        "client.subscriptions": "Subscription",
        "server.lowlevel.server": "Server",
        "server.mcpserver.server": "MCPServer",
        "server.runner": "modern_on_request",
        "shared.direct_dispatcher": "create_direct_dispatcher_pair",
        "shared.dispatcher": "Dispatcher ProgressFnT",
        "shared.exceptions": "MCPDeprecationWarning MCPError",
        "shared.extension": "validate_extension_identifier",
        "shared.jsonrpc_dispatcher": "JSONRPCDispatcher",
        "shared.subscriptions": "event_to_notification",
        "types": (
            "CacheableResult CallToolResult CompleteResult EmptyResult ErrorData GetPromptResult Implementation "
            "InputRequiredResult ListPromptsResult ListResourceTemplatesResult ListResourcesResult ListToolsResult "
            "PaginatedRequestParams PromptReference ReadResourceResult RequestParamsMeta ResourceTemplateReference "
            "Result ServerCapabilities *types"
        ),
    },
    "client.extension": {
        "shared.extension": "validate_extension_identifier",
        "types": "CallToolResult InputRequiredResult Result",
    },
    "client.session": {
        "client.extension": "NotificationBinding ResultClaim UnexpectedClaimedResult",
        "shared.dispatcher": "CallOptions DispatchContext Dispatcher ProgressFnT as_request_id",
        "shared.exceptions": "MCPDeprecationWarning MCPError",
        "shared.inbound": "encode_header_value find_invalid_x_mcp_header mcp_param_headers x_mcp_header_map",
        "shared.jsonrpc_dispatcher": "JSONRPCDispatcher cancelled_request_id_from_params",
        "shared.message": "ClientMessageMetadata SessionMessage",
        "shared.subscriptions": "event_from_wire",
        "shared.transport_context": "TransportContext",
        "types": "RequestParamsMeta *types",
    },
    "client.session_group": {
        "": "*mcp",
        "client.sse": "sse_client",
        "client.streamable_http": "streamable_http_client",
        "shared._httpx_utils": "create_mcp_http_client",
        "shared.dispatcher": "ProgressFnT",
        "shared.exceptions": "MCPError",
        "types": "*types",
    },
    "client.sse": {
        "shared.message": "SessionMessage",
        "types": "*types",
    },
    "client.stdio": {
        "os.posix.utilities": "terminate_posix_process_tree",
        "os.win32.utilities": "create_windows_process get_windows_executable_command terminate_windows_process_tree",
        "shared.message": "SessionMessage",
        "types": "*types",
    },
    "client.streamable_http": {
        "shared._httpx_utils": "create_mcp_http_client redirect_location",
        "shared.jsonrpc_dispatcher": "cancelled_request_id_from_params",
        "shared.message": "ClientMessageMetadata SessionMessage",
        "types": "ErrorData JSONRPCError JSONRPCNotification JSONRPCRequest JSONRPCResponse",
    },
    "client.subscriptions": {
        "shared.dispatcher": "CallOptions",
        "shared.exceptions": "MCPError",
        "shared.subscriptions": "event_matches",
        "types": "*types",
    },
    "server.apps": {
        "server.context": "ServerRequestContext",
    },
    "server.auth.handlers.authorize": {
        "server.auth.errors": "stringify_pydantic_error",
        "server.auth.json_response": "PydanticJSONResponse",
    },
    "server.auth.handlers.revoke": {
        "server.auth.errors": "stringify_pydantic_error",
        "server.auth.json_response": "PydanticJSONResponse",
    },
    "server.auth.handlers.token": {
        "server.auth.errors": "stringify_pydantic_error",
    },
    "server.auth.settings": {
        "shared.exceptions": "MCPDeprecationWarning",
    },
    "server.caching": {
        "types": "*types",
    },
    "server.connection": {
        "shared.exceptions": "MCPDeprecationWarning",
        "types": (
            "ClientCapabilities CreateMessageRequest CreateMessageResult ElicitRequest ElicitResult EmptyResult "
            "Implementation InitializeRequestParams ListRootsRequest ListRootsResult PingRequest Request"
        ),
    },
    "server.context": {
        "server.connection": "Connection",
        "server.session": "ServerSession",
        "shared.dispatcher": "DispatchContext",
        "shared.exceptions": "MCPDeprecationWarning",
        "types": "RequestParamsMeta",
    },
    "server.elicitation": {
        "server.session": "ServerSession",
    },
    "server.extension": {
        "types": "CallToolRequestParams",
    },
    "server.lowlevel.server": {
        "server.auth.middleware.auth_context": "AuthContextMiddleware",
        "server.auth.middleware.bearer_auth": "BearerAuthBackend RequireAuthMiddleware",
        "server.auth.provider": "OAuthAuthorizationServerProvider TokenVerifier",
        "server.auth.routes": "build_resource_metadata_url create_auth_routes create_protected_resource_routes",
        "server.auth.settings": "AuthSettings",
        "server.caching": "CacheHint validate_cache_hints",
        "server.context": "ServerMiddleware",
        "server.models": "InitializationOptions",
        "server.runner": "serve_dual_era_loop",
        "server.streamable_http": "EventStore",
        "server.streamable_http_manager": "StreamableHTTPASGIApp StreamableHTTPSessionManager",
        "server.transport_security": "TransportSecuritySettings",
        "shared.exceptions": "MCPDeprecationWarning",
        "shared.message": "SessionMessage",
        "types": "*types",
    },
    "server.mcpserver.context": {
        "server.context": "LifespanContextT RequestT ServerRequestContext",
        "server.elicitation": "ElicitSchemaModelT ElicitationResult elicit_url elicit_with_validation",
        "server.lowlevel.helper_types": "ReadResourceContents",
        "server.subscriptions": "SubscriptionBus",
        "shared.exceptions": "MCPDeprecationWarning",
        "shared.subscriptions": "PromptsListChanged ResourceUpdated ResourcesListChanged ToolsListChanged",
        "types": "ClientCapabilities InputRequiredResult InputResponseRequestParams",
    },
    "server.mcpserver.prompts.base": {
        "server.mcpserver.utilities.context_injection": "find_context_parameter inject_context",
        "server.mcpserver.utilities.func_metadata": "func_metadata",
        "server.mcpserver.utilities.types": "Audio Image",
        "shared.exceptions": "MCPError",
        "types": "Icon InputRequiredResult TextContent",
    },
    "server.mcpserver.prompts.manager": {
        "server.mcpserver.prompts.base": "Message Prompt",
        "server.mcpserver.utilities.logging": "get_logger",
        "types": "InputRequiredResult",
    },
    "server.mcpserver.resolve": {
        "server.elicitation": "render_elicitation_schema",
        "server.mcpserver.context": "Context",
        "server.request_state": "compact_json",
        "server.validation": "validate_tool_use_result_messages wants_sampling_tools",
        "shared.exceptions": "MCPError",
        "shared.message": "ServerMessageMetadata",
        "types": (
            "ClientCapabilities CreateMessageRequest CreateMessageRequestParams CreateMessageResult "
            "CreateMessageResultWithTools ElicitRequest ElicitRequestFormParams ElicitResult ElicitationCapability "
            "FormElicitationCapability InputRequiredResult ListRootsRequest ListRootsResult "
            "MissingRequiredClientCapabilityErrorData ModelPreferences RootsCapability SamplingCapability "
            "SamplingMessage SamplingToolsCapability Tool ToolChoice"
        ),
    },
    "server.mcpserver.resources.base": {
        "types": "Annotations Icon",
    },
    "server.mcpserver.resources.resource_manager": {
        "server.mcpserver.resources.base": "Resource",
        "server.mcpserver.resources.templates": "ResourceTemplate",
        "server.mcpserver.utilities.logging": "get_logger",
        "types": "Annotations Icon InputRequiredResult",
    },
    "server.mcpserver.resources.templates": {
        "server.mcpserver.resources.base": "Resource",
        "server.mcpserver.utilities.context_injection": "find_context_parameter",
        "server.mcpserver.utilities.func_metadata": "func_metadata",
        "shared.exceptions": "MCPError",
        "shared.path_security": "contains_path_traversal is_absolute_path",
    },
    "server.mcpserver.resources.types": {
        "server.mcpserver.resources.base": "Resource",
        "types": "Annotations Icon InputRequiredResult",
    },
    "server.mcpserver.server": {
        "server.auth.middleware.auth_context": "AuthContextMiddleware",
        "server.auth.middleware.bearer_auth": "BearerAuthBackend RequireAuthMiddleware",
        "server.auth.provider": "OAuthAuthorizationServerProvider ProviderTokenVerifier TokenVerifier",
        "server.auth.settings": "AuthSettings",
        "server.caching": "CacheHint",
        "server.context": "ServerMiddleware ServerRequestContext",
        "server.extension": "Extension MethodBinding compose_tool_call_handler",
        "server.lowlevel.helper_types": "ReadResourceContents",
        "server.lowlevel.server": "default_lifespan=lifespan",
        "server.mcpserver.context": "Context",
        "server.mcpserver.exceptions": (
            "ResourceError ResourceNotFoundError ToolError UnexpectedResourceError UnexpectedToolError"
        ),
        "server.mcpserver.prompts.base": "Prompt",
        "server.mcpserver.prompts.manager": "PromptManager",
        "server.mcpserver.resources.base": "Resource",
        "server.mcpserver.resources.resource_manager": "ResourceManager",
        "server.mcpserver.resources.templates": "DEFAULT_RESOURCE_SECURITY ResourceSecurity",
        "server.mcpserver.resources.types": "FunctionResource",
        "server.mcpserver.tools.base": "Tool",
        "server.mcpserver.tools.tool_manager": "ToolManager",
        "server.mcpserver.utilities.context_injection": "find_context_parameter",
        "server.mcpserver.utilities.logging": "configure_logging get_logger",
        "server.request_state": "RequestStateBoundary",
        "server.sse": "SseServerTransport",
        "server.stdio": "stdio_server",
        "server.streamable_http": "EventStore",
        "server.subscriptions": "InMemorySubscriptionBus ListenHandler SubscriptionBus",
        "server.transport_security": "TransportSecuritySettings",
        "shared.exceptions": "MCPError",
        "shared.extension": "validate_extension_identifier",
        "shared.uri_template": "UriTemplate",
        "types": (
            "Annotations BlobResourceContents CallToolRequestParams CallToolResult ClientCapabilities "
            "CompleteRequestParams CompleteResult Completion GetPromptRequestParams GetPromptResult Icon "
            "InputRequiredResult ListPromptsResult ListResourceTemplatesResult ListResourcesResult ListToolsResult "
            "MCPPrompt=Prompt MCPPromptArgument=PromptArgument MCPResource=Resource "
            "MCPResourceTemplate=ResourceTemplate MCPTool=Tool MissingRequiredClientCapabilityErrorData "
            "PaginatedRequestParams ReadResourceRequestParams ReadResourceResult TextContent TextResourceContents "
            "ToolAnnotations"
        ),
    },
    "server.mcpserver.tools.base": {
        "server.mcpserver.exceptions": (
            "InvalidSignature ResourceError ToolError UnexpectedResourceError UnexpectedToolError"
        ),
        "server.mcpserver.resolve": (
            "build_resolver_plans find_resolved_parameters resolve_arguments returns_input_required"
        ),
        "server.mcpserver.utilities.context_injection": "find_context_parameter",
        "server.mcpserver.utilities.func_metadata": "FuncMetadata func_metadata",
        "shared.exceptions": "MCPError",
        "shared.inbound": "find_invalid_x_mcp_header",
        "shared.tool_name_validation": "validate_and_warn_tool_name",
        "types": "Icon InputRequiredResult ToolAnnotations",
    },
    "server.mcpserver.tools.tool_manager": {
        "server.mcpserver.exceptions": "ToolError",
        "server.mcpserver.tools.base": "Tool",
        "server.mcpserver.utilities.logging": "get_logger",
        "types": "Icon ToolAnnotations",
    },
    "server.mcpserver.utilities.context_injection": {
        "server.mcpserver.context": "Context",
    },
    "server.mcpserver.utilities.func_metadata": {
        "server.mcpserver.exceptions": "InvalidSignature",
        "server.mcpserver.utilities.logging": "get_logger",
        "server.mcpserver.utilities.types": "Audio Image",
        "shared.exceptions": "MCPDeprecationWarning",
        "types": "CallToolResult InputRequiredResult TextContent",
    },
    "server.mcpserver.utilities.types": {
        "types": "AudioContent ImageContent",
    },
    "server.request_state": {
        "server.auth.middleware.auth_context": "get_access_token",
        "server.auth.provider": "principal_components",
        "server.context": "ServerRequestContext",
    },
    "server.runner": {
        "server.caching": "apply_cache_hint",
        "server.connection": "Connection NotifyOnlyOutbound",
        "server.context": "ServerRequestContext",
        "server.models": "InitializationOptions",
        "server.session": "ServerSession",
        "shared.dispatcher": "CallOptions DispatchContext Dispatcher",
        "shared.exceptions": "MCPError NoBackChannelError",
        "shared.inbound": "InboundLadderRejection classify_inbound_request",
        "shared.jsonrpc_dispatcher": "JSONRPCDispatcher handler_exception_to_error_data",
        "shared.message": "ServerMessageMetadata SessionMessage",
        "shared.transport_context": "TransportContext",
        "types": (
            "CacheableResult ErrorData Implementation InitializeRequestParams InitializeResult JSONRPCRequest "
            "RequestParams RequestParamsMeta UnsupportedProtocolVersionErrorData"
        ),
    },
    "server.session": {
        "server.connection": "Connection",
        "server.validation": "validate_sampling_tools validate_tool_use_result_messages wants_sampling_tools",
        "shared.dispatcher": "CallOptions DispatchContext ProgressFnT",
        "shared.exceptions": "MCPDeprecationWarning",
        "shared.message": "ServerMessageMetadata",
        "types": "*types",
    },
    "server.sse": {
        "server.auth.middleware.bearer_auth": "AuthenticatedUser AuthorizationContext authorization_context",
        "server.transport_security": "RequestBodyLimitMiddleware TransportSecuritySettings",
        "shared.message": "ServerMessageMetadata",
        "types": "*types",
    },
    "server.stdio": {
        "types": "*types",
    },
    "server.streamable_http": {
        "server.transport_security": "TransportSecurityMiddleware TransportSecuritySettings",
        "shared.message": "ServerMessageMetadata SessionMessage",
        "types": "ErrorData JSONRPCError JSONRPCRequest JSONRPCResponse",
    },
    "server.streamable_http_manager": {
        "server.auth.middleware.bearer_auth": "AuthenticatedUser AuthorizationContext authorization_context",
        "server.connection": "Connection",
        "server.runner": "serve_connection serve_loop",
        "server.streamable_http": "EventStore StreamableHTTPServerTransport",
        "server.transport_security": "RequestBodyLimitMiddleware TransportSecuritySettings",
        "shared.jsonrpc_dispatcher": "JSONRPCDispatcher",
        "shared.transport_context": "TransportContext",
        "types": "ErrorData JSONRPCError",
    },
    "server.subscriptions": {
        "server.context": "ServerRequestContext",
        "shared.exceptions": "MCPError",
        "shared.subscriptions": "event_matches event_to_notification",
        "types": (
            "SubscriptionFilter SubscriptionsAcknowledgedNotification SubscriptionsAcknowledgedNotificationParams "
            "SubscriptionsListenRequestParams SubscriptionsListenResult"
        ),
    },
    "server.validation": {
        "shared.exceptions": "MCPError",
        "types": "ClientCapabilities SamplingMessage Tool ToolChoice",
    },
    "shared.context": {
        "types": "RequestParamsMeta",
    },
    "shared.direct_dispatcher": {
        "shared.dispatcher": "run_notify_intercept",
    },
    "shared.exceptions": {
        "types": "ElicitRequestURLParams ErrorData JSONRPCError",
    },
    "shared.inbound": {
        "types": "UnsupportedProtocolVersionErrorData",
    },
    "shared.jsonrpc_dispatcher": {
        "shared.dispatcher": (
            "CallOptions DispatchContext Dispatcher ProgressFnT coerce_request_id run_notify_intercept"
        ),
        "shared.exceptions": "NoBackChannelError",
        "shared.message": "ClientMessageMetadata ServerMessageMetadata SessionMessage",
        "shared.transport_context": "TransportContext",
        "types": "ErrorData JSONRPCError JSONRPCNotification JSONRPCRequest JSONRPCResponse",
    },
    "shared.memory": {
        "shared.message": "SessionMessage",
    },
    "shared.metadata_utils": {
        "types": "Implementation Prompt Resource ResourceTemplate Tool",
    },
    "shared.peer": {
        "shared.exceptions": "MCPDeprecationWarning",
        "types": (
            "CreateMessageRequestParams CreateMessageResult CreateMessageResultWithTools ElicitRequestFormParams "
            "ElicitRequestURLParams ElicitResult ListRootsResult ModelPreferences RequestParams RequestParamsMeta "
            "SamplingMessage Tool ToolChoice"
        ),
    },
    "shared.subscriptions": {
        "types": (
            "NotificationParams PromptListChangedNotification ResourceListChangedNotification "
            "ResourceUpdatedNotification ResourceUpdatedNotificationParams SubscriptionFilter "
            "ToolListChangedNotification"
        ),
    },
}
