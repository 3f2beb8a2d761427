"""The protocol's tables: its revisions, and what it says of each method.

Written by `cargo xtask generate` from the engine's own tables; do not edit.
"""

# ruff: noqa: E501
from typing import Literal, NamedTuple, Optional

LEGACY_REVISIONS: tuple[str, ...] = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
"""The revisions that open with `initialize`, oldest first."""
LATEST_LEGACY = "2025-11-25"
"""The newest of them."""
MODERN_REVISIONS: tuple[str, ...] = ("2026-07-28",)
"""The revisions without a handshake, oldest first."""
LATEST_MODERN = "2026-07-28"
"""The newest of them."""


def names_the_resource(revision: str) -> bool:
    """Whether OAuth requests of a revision name the server they are for (`resource`, RFC 8707). A
    revision that is not in the table is placed by its date.
    """
    return revision >= "2025-06-18"


class Method(NamedTuple):
    """What the protocol says of a method."""

    model: str
    """Its class in `mcpbolt.types`."""
    params: str
    """The class of its params there."""
    verb: str
    """What a function for it is called, such as `list_tools`."""
    is_request: bool
    """It is answered; a notification is not."""
    sent_by: Literal["client", "server", "both"]
    """Who sends it."""
    is_legacy: bool
    """A revision with a handshake has it."""
    capability: tuple[str, ...] = ()
    """Names from the capabilities object down to what has to be declared for it."""
    declared_by: Literal["", "client", "server", "both"] = ""
    """Who declares that."""
    name_param: Optional[str] = None
    """The param that the header `Mcp-Name` repeats."""
    lists: Optional[str] = None
    """The member of its result that holds the entries, where they come in pages."""
    cacheable: bool = False
    """Its results say how long they may be kept."""
    may_require_input: bool = False
    """It may be answered with questions."""
    since: str = LEGACY_REVISIONS[0]
    """The first revision that has it."""
    until: Optional[str] = None
    """The last revision that has it, if a later one has not."""


METHODS: dict[str, Method] = {
    "completion/complete": Method("CompleteRequest", "CompleteRequestParams", "completion", True, "client", True, ("completions",), "server"),
    "elicitation/create": Method("ElicitRequest", "ElicitRequestParams", "elicit", True, "server", True, ("elicitation",), "client", since="2025-06-18", until="2025-11-25"),
    "initialize": Method("InitializeRequest", "InitializeRequestParams", "initialize", True, "client", True, until="2025-11-25"),
    "logging/setLevel": Method("SetLevelRequest", "SetLevelRequestParams", "set_logging_level", True, "client", True, ("logging",), "server", until="2025-11-25"),
    "notifications/cancelled": Method("CancelledNotification", "CancelledNotificationParams", "cancelled", False, "both", True),
    "notifications/elicitation/complete": Method("ElicitCompleteNotification", "ElicitCompleteNotificationParams", "elicit_complete", False, "server", True, ("elicitation", "url"), "client", since="2025-11-25", until="2025-11-25"),
    "notifications/initialized": Method("InitializedNotification", "NotificationParams", "initialized", False, "client", True, until="2025-11-25"),
    "notifications/message": Method("LoggingMessageNotification", "LoggingMessageNotificationParams", "logging_message", False, "server", True, ("logging",), "server"),
    "notifications/progress": Method("ProgressNotification", "ProgressNotificationParams", "progress", False, "both", True),
    "notifications/prompts/list_changed": Method("PromptListChangedNotification", "NotificationParams", "prompt_list_changed", False, "server", True, ("prompts", "listChanged"), "server"),
    "notifications/resources/list_changed": Method("ResourceListChangedNotification", "NotificationParams", "resource_list_changed", False, "server", True, ("resources", "listChanged"), "server"),
    "notifications/resources/updated": Method("ResourceUpdatedNotification", "ResourceUpdatedNotificationParams", "resource_updated", False, "server", True, ("resources", "subscribe"), "server"),
    "notifications/roots/list_changed": Method("RootsListChangedNotification", "NotificationParams", "roots_list_changed", False, "client", True, ("roots", "listChanged"), "client", until="2025-11-25"),
    "notifications/subscriptions/acknowledged": Method("SubscriptionsAcknowledgedNotification", "SubscriptionsAcknowledgedNotificationParams", "subscriptions_acknowledged", False, "server", False, since="2026-07-28"),
    "notifications/tasks": Method("Notification", "NotificationParams", "", False, "server", False, since="2026-07-28"),
    "notifications/tasks/status": Method("TaskStatusNotification", "TaskStatusNotificationParams", "task_status", False, "both", True, ("tasks",), "both", since="2025-11-25", until="2025-11-25"),
    "notifications/tools/list_changed": Method("ToolListChangedNotification", "NotificationParams", "tool_list_changed", False, "server", True, ("tools", "listChanged"), "server"),
    "ping": Method("PingRequest", "RequestParams", "ping", True, "both", True, until="2025-11-25"),
    "prompts/get": Method("GetPromptRequest", "GetPromptRequestParams", "get_prompt", True, "client", True, ("prompts",), "server", name_param="name", may_require_input=True),
    "prompts/list": Method("ListPromptsRequest", "PaginatedRequestParams", "list_prompts", True, "client", True, ("prompts",), "server", lists="prompts", cacheable=True),
    "resources/list": Method("ListResourcesRequest", "PaginatedRequestParams", "list_resources", True, "client", True, ("resources",), "server", lists="resources", cacheable=True),
    "resources/read": Method("ReadResourceRequest", "ReadResourceRequestParams", "read_resource", True, "client", True, ("resources",), "server", name_param="uri", cacheable=True, may_require_input=True),
    "resources/subscribe": Method("SubscribeRequest", "SubscribeRequestParams", "subscribe_resource", True, "client", True, ("resources", "subscribe"), "server", until="2025-11-25"),
    "resources/templates/list": Method("ListResourceTemplatesRequest", "PaginatedRequestParams", "list_resource_templates", True, "client", True, ("resources",), "server", lists="resourceTemplates", cacheable=True),
    "resources/unsubscribe": Method("UnsubscribeRequest", "UnsubscribeRequestParams", "unsubscribe_resource", True, "client", True, ("resources", "subscribe"), "server", until="2025-11-25"),
    "roots/list": Method("ListRootsRequest", "RequestParams", "list_roots", True, "server", True, ("roots",), "client", until="2025-11-25"),
    "sampling/createMessage": Method("CreateMessageRequest", "CreateMessageRequestParams", "create_message", True, "server", True, ("sampling",), "client", until="2025-11-25"),
    "server/discover": Method("DiscoverRequest", "RequestParams", "discover", True, "client", False, cacheable=True, since="2026-07-28"),
    "subscriptions/listen": Method("SubscriptionsListenRequest", "SubscriptionsListenRequestParams", "subscriptions_listen", True, "client", False, since="2026-07-28"),
    "tasks/cancel": Method("CancelTaskRequest", "CancelTaskRequestParams", "cancel_task", True, "both", True, ("tasks", "cancel"), "both", name_param="taskId", since="2025-11-25"),
    "tasks/get": Method("GetTaskRequest", "GetTaskRequestParams", "get_task", True, "both", True, ("tasks",), "both", name_param="taskId", since="2025-11-25"),
    "tasks/list": Method("ListTasksRequest", "PaginatedRequestParams", "list_tasks", True, "both", True, ("tasks", "list"), "both", lists="tasks", since="2025-11-25", until="2025-11-25"),
    "tasks/result": Method("GetTaskPayloadRequest", "GetTaskPayloadRequestParams", "get_task_payload", True, "both", True, ("tasks",), "both", since="2025-11-25", until="2025-11-25"),
    "tasks/update": Method("Request", "RequestParams", "", True, "client", False, name_param="taskId", since="2026-07-28"),
    "tools/call": Method("CallToolRequest", "CallToolRequestParams", "call_tool", True, "client", True, ("tools",), "server", name_param="name", may_require_input=True),
    "tools/list": Method("ListToolsRequest", "PaginatedRequestParams", "list_tools", True, "client", True, ("tools",), "server", lists="tools", cacheable=True),
}
"""Every method of every revision."""

CacheableMethod = Literal["prompts/list", "resources/list", "resources/read", "resources/templates/list", "server/discover", "tools/list"]
"""The methods whose results may be kept."""
