//! What types are called in Kotlin, and in which order their members are given.
//!
//! Must not know: how anything is written.

use crate::api::{Api, Field, Shape, Type};
use std::collections::BTreeMap;

/// Names that no rule finds.
const RENAMED: &[(&str, &str)] = &[
    ("PaginatedParams", "PaginatedRequestParams"),
    ("ElicitParams", "ElicitRequestParams"),
    ("ElicitFormParams", "ElicitRequestFormParams"),
    ("ElicitUrlParams", "ElicitRequestURLParams"),
    ("CompletionRef", "Reference"),
    ("ListenParams", "ListenRequestParams"),
    ("EmptyParams", "EmptyParams"),
];

/// Second names within a type: owner, name, and what it stands for.
const NESTED: &[(&str, &str, &str)] = &[
    ("ServerCapabilities", "Tools", "ListCapability"),
    ("ServerCapabilities", "Prompts", "ListCapability"),
    ("ServerCapabilities", "Resources", "ResourcesCapability"),
    ("ClientCapabilities", "Roots", "RootsCapability"),
    ("ClientCapabilities", "Sampling", "SamplingCapability"),
    ("ClientCapabilities", "Elicitation", "ElicitationCapability"),
    ("ElicitResult", "Action", "ElicitAction"),
    ("CompleteRequestParams", "Argument", "CompletionArgument"),
    ("CompleteRequestParams", "Context", "CompletionContext"),
    ("CompleteResult", "Completion", "Completion"),
    ("ToolChoice", "Mode", "ToolChoiceMode"),
    ("Icon", "Theme", "IconTheme"),
    ("ElicitRequestParams", "RequestedSchema", "FormSchema"),
];

/// Members that come first where they are given without names.
const FIRST: &[(&str, &[&str])] = &[
    (
        "Tool",
        &["name", "inputSchema", "description", "outputSchema", "title", "annotations", "icons", "execution"],
    ),
    ("Resource", &["uri", "name", "description", "mimeType", "size", "title"]),
    ("ResourceTemplate", &["uriTemplate", "name", "description", "mimeType", "title"]),
    ("ResourceLink", &["name", "uri", "title", "size", "mimeType"]),
    ("Prompt", &["name", "description", "arguments", "title"]),
    ("PromptArgument", &["name", "description", "required", "title"]),
    ("TextResourceContents", &["text", "uri", "mimeType"]),
    ("BlobResourceContents", &["blob", "uri", "mimeType"]),
    ("CallToolResult", &["content", "isError", "structuredContent"]),
    ("CreateMessageRequestParams", &["maxTokens", "messages"]),
    ("ServerCapabilities", &["tools", "resources", "prompts", "logging", "completions"]),
    ("ClientCapabilities", &["sampling", "roots", "elicitation"]),
    ("ResourcesCapability", &["listChanged", "subscribe"]),
    ("CompleteRequestParams", &["argument", "ref"]),
    ("ToolSchema", &["properties", "required"]),
];

/// Values that companions have: owner, name, type, value and what it means.
const COMPANIONS: &[(&str, &str, &str, &str, &str)] = &[
    ("ServerCapabilities", "Logging", "JsonObject", "EmptyJsonObject", "It sends log messages."),
    ("ServerCapabilities", "Completions", "JsonObject", "EmptyJsonObject", "It completes arguments."),
    ("ClientCapabilities", "sampling", "SamplingCapability", "SamplingCapability()", "It can ask a model."),
    (
        "ClientCapabilities",
        "elicitation",
        "ElicitationCapability",
        "ElicitationCapability()",
        "It can ask its user.",
    ),
];

/// The types of members that tell the kind of a union's class; others are text.
const KINDS: &[(&str, &str)] = &[("ContentBlock", "ContentTypes"), ("CompletionRef", "ReferenceType")];

/// Members that are an `Int`, as counts of the official package are; others are `Long`.
const INTS: &[&str] = &["maxTokens", "total", "minLength", "maxLength", "minItems", "maxItems"];

/// What notifications without params of their own are called.
const NOTIFICATIONS: &[(&str, &str)] = &[
    ("notifications/initialized", "InitializedNotification"),
    ("notifications/prompts/list_changed", "PromptListChangedNotification"),
    ("notifications/resources/list_changed", "ResourceListChangedNotification"),
    ("notifications/roots/list_changed", "RootsListChangedNotification"),
    ("notifications/subscriptions/acknowledged", "SubscriptionsAcknowledgedNotification"),
    ("notifications/tools/list_changed", "ToolListChangedNotification"),
];

/// Names of types by those of the surface.
pub(super) struct Names(BTreeMap<String, String>);

impl Names {
    pub(super) fn of(api: &Api) -> Result<Self, String> {
        let mut names: BTreeMap<String, String> =
            api.types.iter().map(|found| (found.name.clone(), found.name.clone())).collect();
        for row in &api.methods {
            let middle = if row.kind == "request" { "RequestParams" } else { "NotificationParams" };
            if let Some(stem) = row.params.strip_suffix("Params") {
                names.insert(row.params.to_owned(), format!("{stem}{middle}"));
            }
        }
        for (name, kotlin) in RENAMED {
            let known = names.insert((*name).to_owned(), (*kotlin).to_owned());
            known.ok_or_else(|| format!("Kotlin renames {name}, which does not exist"))?;
        }
        Ok(Self(names))
    }

    pub(super) fn name<'a>(&'a self, name: &'a str) -> &'a str {
        self.0.get(name).map_or(name, String::as_str)
    }

    /// What a request or a notification is called.
    pub(super) fn message(&self, method: &str, params: &str, result: Option<&str>) -> String {
        if let Some((_, name)) = NOTIFICATIONS.iter().find(|(known, _)| *known == method) {
            return (*name).to_owned();
        }
        let own = |name: &&str| *name != "EmptyResult";
        match result {
            None => self.name(params).trim_end_matches("Params").to_owned(),
            Some(_) if method == "ping" => "PingRequest".to_owned(),
            Some(result) => {
                let stem = Some(result).filter(own).map(|name| name.trim_end_matches("Result"));
                let stem = stem.unwrap_or_else(|| params.trim_end_matches("Params"));
                format!("{stem}Request")
            }
        }
    }
}

/// The second names within a type.
pub(super) fn nested(owner: &str) -> impl Iterator<Item = (&'static str, &'static str)> + '_ {
    NESTED.iter().filter(move |row| row.0 == owner).map(|row| (row.1, row.2))
}

/// Values in the companion of a type: name, type, value and what it means.
pub(super) fn companions(owner: &str) -> impl Iterator<Item = [&'static str; 4]> + '_ {
    COMPANIONS.iter().filter(move |row| row.0 == owner).map(|row| [row.1, row.2, row.3, row.4])
}

/// The type of the member that tells the kind of a union's class.
pub(super) fn kind(union: &str) -> Option<&'static str> {
    KINDS.iter().find(|row| row.0 == union).map(|row| row.1)
}

/// Whether a member is an `Int`.
pub(super) fn is_int(member: &str) -> bool {
    INTS.contains(&member)
}

/// The members of an object in the order in which a program gives them.
pub(super) fn ordered<'a>(kotlin: &str, fields: &'a [Field]) -> Vec<&'a Field> {
    let first = FIRST.iter().find(|(name, _)| *name == kotlin).map_or(&[][..], |row| row.1);
    let rank = |field: &&Field| {
        let listed = first.iter().position(|name| *name == field.name);
        // Metadata is last, as nobody gives it without its name.
        (listed.unwrap_or(first.len()), !field.required, field.name == "_meta")
    };
    let mut fields: Vec<&Field> = fields.iter().collect();
    fields.sort_by_key(rank);
    fields
}

/// The unions a type belongs to.
pub(super) fn unions_of<'a>(api: &'a Api, name: &'a str) -> impl Iterator<Item = &'a Type> + 'a {
    api.types.iter().filter(move |found| match &found.shape {
        Shape::Union { of, .. } => of.iter().any(|expr| *expr == crate::api::Expr::Ref(name.to_owned())),
        _ => false,
    })
}
