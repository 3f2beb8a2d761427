//! What the official Swift package calls the protocol's types and methods.
//!
//! Must not know: how a type is written.

/// Enums of methods and structs of notifications, by method.
pub(super) const METHODS: &[(&str, &str)] = &[
    ("completion/complete", "Complete"),
    ("elicitation/create", "CreateElicitation"),
    ("initialize", "Initialize"),
    ("logging/setLevel", "SetLoggingLevel"),
    ("notifications/cancelled", "CancelledNotification"),
    ("notifications/elicitation/complete", "ElicitationCompleteNotification"),
    ("notifications/initialized", "InitializedNotification"),
    ("notifications/message", "LogMessageNotification"),
    ("notifications/progress", "ProgressNotification"),
    ("notifications/prompts/list_changed", "PromptListChangedNotification"),
    ("notifications/resources/list_changed", "ResourceListChangedNotification"),
    ("notifications/resources/updated", "ResourceUpdatedNotification"),
    ("notifications/roots/list_changed", "RootsListChangedNotification"),
    ("notifications/subscriptions/acknowledged", "SubscriptionsAcknowledgedNotification"),
    ("notifications/tasks", "TaskNotification"),
    ("notifications/tasks/status", "TaskStatusNotification"),
    ("notifications/tools/list_changed", "ToolListChangedNotification"),
    ("ping", "Ping"),
    ("prompts/get", "GetPrompt"),
    ("prompts/list", "ListPrompts"),
    ("resources/list", "ListResources"),
    ("resources/read", "ReadResource"),
    ("resources/subscribe", "ResourceSubscribe"),
    ("resources/templates/list", "ListResourceTemplates"),
    ("resources/unsubscribe", "ResourceUnsubscribe"),
    ("roots/list", "ListRoots"),
    ("sampling/createMessage", "CreateSamplingMessage"),
    ("server/discover", "Discover"),
    ("subscriptions/listen", "Listen"),
    ("tasks/cancel", "CancelTask"),
    ("tasks/get", "GetTask"),
    ("tasks/list", "ListTasks"),
    ("tasks/result", "GetTaskPayload"),
    ("tasks/update", "UpdateTask"),
    ("tools/call", "CallTool"),
    ("tools/list", "ListTools"),
];

/// Types under other names: `Task` is Swift's own, the rest the facade wrote by hand.
pub(super) const RENAMED: &[(&str, &str)] = &[
    ("Task", "TaskInfo"),
    ("EmptyParams", "Empty"),
    ("EmptyResult", "Empty"),
    ("Meta", "Metadata"),
    ("RequestId", "ID"),
    ("FormSchema", "Value"),
    ("ErrorCode", "Int"),
    ("ResourceContents", "Resource.Content"),
];

/// What the facade has by hand, or nobody names.
pub(super) const BY_HAND: &[&str] = &[
    "BlobResourceContents",
    "EmptyParams",
    "EmptyResult",
    "ErrorCode",
    "ErrorObject",
    "FieldSchema",
    "FormSchema",
    "Meta",
    "RequestId",
    "ResourceContents",
    "TextResourceContents",
];

/// Members that come first in an initializer, where the official order is not the protocol's.
pub(super) const ORDER: &[(&str, &[&str])] = &[
    ("Resource", &["name", "uri"]),
    ("ServerCapabilities", &["completions", "experimental", "extensions", "logging", "prompts", "resources"]),
    ("ClientCapabilities", &["sampling", "elicitation", "experimental", "roots"]),
    ("CreateMessageResult", &["model", "stopReason", "role", "content"]),
];

/// Cases of unions, by the name of the type in them.
pub(super) const CASES: &[(&str, &str)] = &[
    ("AudioContent", "audio"),
    ("ElicitFormParams", "form"),
    ("ElicitUrlParams", "url"),
    ("EmbeddedResource", "resource"),
    ("ImageContent", "image"),
    ("PromptReference", "prompt"),
    ("ResourceLink", "resourceLink"),
    ("ResourceTemplateReference", "resource"),
    ("TextContent", "text"),
    ("ToolResultContent", "toolResult"),
    ("ToolUseContent", "toolUse"),
];

/// `(outer, inner, type)`: names inside other types.
pub(super) const NESTED: &[(&str, &str, &str)] = &[
    ("Tool", "Annotations", "ToolAnnotations"),
    ("Tool", "Content", "ContentBlock"),
    ("Tool", "Execution", "ToolExecution"),
    ("Prompt", "Argument", "PromptArgument"),
    ("Prompt", "Message", "PromptMessage"),
    ("Prompt", "Reference", "PromptReference"),
    ("PromptMessage", "Content", "ContentBlock"),
    ("PromptMessage", "Role", "Role"),
    ("Resource", "Annotations", "Annotations"),
    ("Resource", "Template", "ResourceTemplate"),
    ("CompleteResult", "Completion", "Completion"),
    ("ServerCapabilities", "Tools", "ListCapability"),
    ("ServerCapabilities", "Prompts", "ListCapability"),
    ("ServerCapabilities", "Resources", "ResourcesCapability"),
    ("ClientCapabilities", "Roots", "RootsCapability"),
    ("ClientCapabilities", "Sampling", "SamplingCapability"),
    ("ClientCapabilities", "Elicitation", "ElicitationCapability"),
];

/// What a list of pairs says of a name.
pub(super) fn find<'a>(pairs: &[(&str, &'a str)], name: &str) -> Option<&'a str> {
    pairs.iter().find(|(known, _)| *known == name).map(|(_, found)| *found)
}
