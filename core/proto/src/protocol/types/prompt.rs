//! Prompts: what they are, how they are fetched.
//!
//! Owns: prompts, their messages, params and results. Must not know: how a prompt is filled in.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::{CacheScope, ContentBlock, Icon, InputResponses, Role, number};
use crate::protocol::meta::Meta;

/// A prompt or a template of one.
///
/// ```
/// use mcpbolt_proto::protocol::types::{Prompt, PromptArgument};
///
/// let prompt = Prompt::new("what_to_pack")
///     .description("Asks what to pack for a trip")
///     .argument(PromptArgument::new("city").required(true));
/// assert_eq!(prompt.arguments.unwrap()[0].name, "city");
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Prompt {
    /// Its name for programs.
    pub name: String,
    /// Its name for people. Since 2025-06-18.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// A description of the prompt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The arguments of the prompt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arguments: Option<Vec<PromptArgument>>,
    /// Icons. Since 2025-11-25.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub icons: Option<Vec<Icon>>,
    /// Metadata of the protocol and of extensions.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

/// One argument of a prompt.
///
/// ```
/// use mcpbolt_proto::protocol::types::PromptArgument;
///
/// let tone = PromptArgument::new("tone").description("For example friendly or formal");
/// assert_ne!(tone.required, Some(true)); // may be left out
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PromptArgument {
    /// Its name for programs.
    pub name: String,
    /// Its name for people. Since 2025-06-18.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// A description of the argument.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Whether it must be given. Taken as false when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub required: Option<bool>,
}

/// One message of a prompt.
///
/// ```
/// use mcpbolt_proto::protocol::types::{PromptMessage, ResourceContents};
///
/// let asked = PromptMessage::user("Rewrite this note in a formal tone.");
/// let note = PromptMessage::user(ResourceContents::text("note:///a", "text/plain", "hi all"));
/// assert_eq!(asked.role, note.role);
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PromptMessage {
    /// The role of the sender.
    pub role: Role,
    /// The content of the message.
    pub content: ContentBlock,
}

/// Result of `prompts/list`.
///
/// ```
/// use mcpbolt_proto::protocol::types::{ListPromptsResult, Prompt};
///
/// let page = ListPromptsResult::new(vec![Prompt::new("review"), Prompt::new("explain")]);
/// assert!(page.next_cursor.is_none()); // the only page
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ListPromptsResult {
    /// The prompts of this page.
    pub prompts: Vec<Prompt>,
    /// Where the next page starts; absent on the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
    /// How long this may be kept, in milliseconds. Since 2026-07-28.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "number::whole_opt")]
    pub ttl_ms: Option<u64>,
    /// Who may keep it. Since 2026-07-28.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache_scope: Option<CacheScope>,
    /// Metadata of the protocol and of extensions.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

/// Params of `prompts/get`.
///
/// ```
/// use mcpbolt_proto::protocol::types::GetPromptParams;
///
/// let asked = GetPromptParams::new("what_to_pack").argument("city", "Oslo");
/// assert_eq!(asked.arguments.unwrap()["city"], "Oslo");
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct GetPromptParams {
    /// The name of the prompt.
    pub name: String,
    /// The arguments by name, in the caller's order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arguments: Option<IndexMap<String, String>>,
    /// Answers to an earlier `input_required`. Since 2026-07-28.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_responses: Option<InputResponses>,
    /// What the earlier `input_required` asked to be sent back. Since 2026-07-28.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_state: Option<String>,
    /// Metadata of the protocol and of extensions.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

/// Result of `prompts/get`.
///
/// ```
/// use mcpbolt_proto::protocol::types::{GetPromptResult, PromptMessage};
///
/// let prompt = GetPromptResult::new(vec![PromptMessage::user("What do I pack for Oslo?")])
///     .description("Packing for Oslo");
/// assert_eq!(prompt.messages.len(), 1);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct GetPromptResult {
    /// A description of the prompt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The messages.
    pub messages: Vec<PromptMessage>,
    /// Metadata of the protocol and of extensions.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

impl Prompt {
    /// A prompt without arguments.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    setters! {
        /// Sets the name for people.
        title: String,
        /// Sets what it gives.
        description: String,
        /// Sets what fills it in.
        arguments: Vec<PromptArgument>,
        /// Sets pictures for it.
        icons: Vec<Icon>,
        /// Sets its metadata.
        meta: Meta,
    }

    /// Adds an argument.
    #[must_use]
    pub fn argument(mut self, argument: PromptArgument) -> Self {
        self.arguments.get_or_insert_default().push(argument);
        self
    }
}

impl PromptArgument {
    /// An argument that may be left out.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    setters! {
        /// Sets the name for people.
        title: String,
        /// Sets what it means.
        description: String,
        /// Says whether it must be given.
        required: bool,
    }
}

impl PromptMessage {
    /// What the person says.
    pub fn user(content: impl Into<ContentBlock>) -> Self {
        Self { role: Role::User, content: content.into() }
    }

    /// What the model says.
    pub fn assistant(content: impl Into<ContentBlock>) -> Self {
        Self { role: Role::Assistant, content: content.into() }
    }
}

impl ListPromptsResult {
    /// The only page.
    pub fn new(prompts: Vec<Prompt>) -> Self {
        Self { prompts, ..Self::default() }
    }
}

impl GetPromptParams {
    /// Asks for a prompt without arguments.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// Adds an argument.
    #[must_use]
    pub fn argument(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.arguments.get_or_insert_default().insert(name.into(), value.into());
        self
    }
}

impl GetPromptResult {
    /// Those messages.
    pub fn new(messages: Vec<PromptMessage>) -> Self {
        Self { messages, ..Self::default() }
    }

    setters! {
        /// Sets what the prompt gives.
        description: String,
        /// Sets its metadata.
        meta: Meta,
    }
}

impl From<Vec<PromptMessage>> for GetPromptResult {
    fn from(messages: Vec<PromptMessage>) -> Self {
        Self::new(messages)
    }
}
