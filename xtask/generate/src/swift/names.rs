//! What the official Swift package calls the protocol's types and methods.
//!
//! Must not know: how a type is written.

use crate::api::MethodRow;

/// Enums of methods and structs of notifications that the types of their params and results
/// do not say, by method.
const METHODS: &[(&str, &str)] = &[
    ("elicitation/create", "CreateElicitation"),
    ("logging/setLevel", "SetLoggingLevel"),
    ("notifications/initialized", "InitializedNotification"),
    ("notifications/message", "LogMessageNotification"),
    ("notifications/prompts/list_changed", "PromptListChangedNotification"),
    ("notifications/resources/list_changed", "ResourceListChangedNotification"),
    ("notifications/roots/list_changed", "RootsListChangedNotification"),
    ("notifications/subscriptions/acknowledged", "SubscriptionsAcknowledgedNotification"),
    ("notifications/tools/list_changed", "ToolListChangedNotification"),
    ("ping", "Ping"),
    ("resources/subscribe", "ResourceSubscribe"),
    ("resources/unsubscribe", "ResourceUnsubscribe"),
    ("sampling/createMessage", "CreateSamplingMessage"),
];

/// What a request or a notification is called.
pub(super) fn message(row: &MethodRow) -> Result<String, String> {
    if let Some(known) = find(METHODS, row.name) {
        return Ok(known.to_owned());
    }
    let params = row.params.trim_end_matches("Params");
    let name = match row.result {
        None => format!("{params}Notification"),
        Some("EmptyResult") => params.to_owned(),
        Some(result) => result.trim_end_matches("Result").to_owned(),
    };
    // Types that several methods share cannot name one of them.
    let is_shared = row.params == "EmptyParams" && (row.result.is_none() || name == params);
    if is_shared { Err(format!("swift: {} needs a name", row.name)) } else { Ok(name) }
}

/// Types under other names: `Task` is Swift's own, the rest the facade wrote by hand.
pub(super) const RENAMED: &[(&str, &str)] = &[
    ("Task", "TaskInfo"),
    ("EmptyParams", "Empty"),
    ("EmptyResult", "Empty"),
    ("Meta", "Metadata"),
    ("RequestId", "ID"),
    ("FormSchema", "Elicitation.RequestSchema"),
    ("ErrorCode", "Int"),
    ("ResourceContents", "Resource.Content"),
];

/// What the facade has by hand, or nobody names.
pub(super) const BY_HAND: &[&str] = &[
    "BlobResourceContents",
    "CompletionContext",
    "EmptyParams",
    "EmptyResult",
    "ErrorCode",
    "ErrorObject",
    "FieldSchema",
    "FormSchema",
    "Meta",
    "PromptMessage",
    "RequestId",
    "ResourceContents",
    "TextResourceContents",
];

/// Enums that programs switch over without a default; a word that is none of theirs is not read.
pub(super) const CLOSED: &[&str] = &["ElicitAction"];

/// `(type, member)`: members that the official package lets be absent.
pub(super) const OPTIONAL: &[(&str, &str)] = &[("ElicitFormParams", "requestedSchema")];

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
