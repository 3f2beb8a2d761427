//! Sampling: a server asks the client's model.
//!
//! Deprecated since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Owns: params, result
//! and preferences. Must not know: models, or who approves a request.

use serde::de::{Deserializer, Error as _};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};

use super::{ContentBlock, Role, TaskMetadata, Tool, number};
use crate::jsonrpc::{JsonKind, RawJson, RawObject};
use crate::protocol::meta::Meta;

open_enum! {
    /// What context of MCP servers the client adds to the prompt.
    IncludeContext {
        /// Nothing.
        None = "none",
        /// Of the asking server. Deprecated since 2025-11-25 (SEP-2596); earliest removal with
        /// sampling, 2027-07-28.
        ThisServer = "thisServer",
        /// Of every server. Deprecated since 2025-11-25 (SEP-2596); earliest removal with
        /// sampling, 2027-07-28.
        AllServers = "allServers",
    }
}

open_enum! {
    /// Whether the model may or must use tools. Since 2025-11-25.
    ToolChoiceMode {
        /// The model decides; the default.
        Auto = "auto",
        /// It must use one at least.
        Required = "required",
        /// It must use none.
        None = "none",
    }
}

open_enum! {
    /// Why the model stopped.
    StopReason {
        /// It was done.
        EndTurn = "endTurn",
        /// It met a stop sequence.
        StopSequence = "stopSequence",
        /// It reached the token limit.
        MaxTokens = "maxTokens",
        /// It wants to use tools. Since 2025-11-25.
        ToolUse = "toolUse",
    }
}

/// One message to or from a model. Deprecated since 2026-07-28 (SEP-2577); earliest removal
/// 2027-07-28.
///
/// ```
/// use mcpbolt_proto::protocol::types::{ContentBlock, Role, SamplingMessage};
///
/// let asked = SamplingMessage::user("What is on this picture?");
/// let picture = ContentBlock::image_bytes([0x89, b'P'], "image/png");
/// let both = SamplingMessage::new(Role::User, vec![picture, "And what is missing?".into()]);
/// assert_eq!((asked.content.len(), both.content.len()), (1, 2));
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SamplingMessage {
    /// The role of the sender.
    pub role: Role,
    /// What is said. One block is written as an object, any other number as an array
    /// (arrays since 2025-11-25).
    #[serde(serialize_with = "write_blocks", deserialize_with = "read_blocks")]
    #[cfg_attr(feature = "schema", schemars(with = "OneOrMany"))]
    pub content: Vec<ContentBlock>,
    /// Metadata of the protocol and of extensions.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

/// Which model a server would like; the client decides.
///
/// ```
/// use mcpbolt_proto::protocol::types::{ModelHint, ModelPreferences};
///
/// let fast_enough = ModelPreferences {
///     hints: Some(vec![ModelHint::new("haiku"), ModelHint::new("mini")]),
///     speed_priority: Some(0.8),
///     ..ModelPreferences::default()
/// };
/// assert_eq!(fast_enough.cost_priority, None);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ModelPreferences {
    /// Names to look for, best first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hints: Option<Vec<ModelHint>>,
    /// How much cost matters, from 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "number::plain_opt")]
    pub cost_priority: Option<f64>,
    /// How much speed matters, from 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "number::plain_opt")]
    pub speed_priority: Option<f64>,
    /// How much ability matters, from 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "number::plain_opt")]
    pub intelligence_priority: Option<f64>,
}

/// A name to look for.
///
/// ```
/// use mcpbolt_proto::protocol::types::ModelHint;
///
/// assert_eq!(ModelHint::new("sonnet").name.as_deref(), Some("sonnet"));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ModelHint {
    /// Part of a model's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// How the model uses tools. Since 2025-11-25.
///
/// ```
/// use mcpbolt_proto::protocol::types::{CreateMessageParams, SamplingMessage, ToolChoice, ToolChoiceMode};
///
/// let asked = CreateMessageParams::new(vec![SamplingMessage::user("Weather in Oslo?")], 300)
///     .tool_choice(ToolChoiceMode::Required);
/// assert_eq!(asked.tool_choice, Some(ToolChoice { mode: Some(ToolChoiceMode::Required) }));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ToolChoice {
    /// Whether it may, must or must not. Taken as `auto` when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<ToolChoiceMode>,
}

/// Params of `sampling/createMessage`. Deprecated since 2026-07-28 (SEP-2577); earliest removal
/// 2027-07-28.
///
/// ```
/// use mcpbolt_proto::protocol::types::{CreateMessageParams, SamplingMessage};
///
/// let asked = CreateMessageParams::new(vec![SamplingMessage::user("A long note …")], 200)
///     .system_prompt("Summarize the note in one sentence.")
///     .temperature(0.2);
/// assert_eq!(asked.max_tokens, 200);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CreateMessageParams {
    /// The conversation so far, oldest message first.
    pub messages: Vec<SamplingMessage>,
    /// Which model the server prefers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model_preferences: Option<ModelPreferences>,
    /// The system prompt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system_prompt: Option<String>,
    /// What context the client adds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub include_context: Option<IncludeContext>,
    /// The temperature.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "number::plain_opt")]
    pub temperature: Option<f64>,
    /// The largest number of tokens to generate.
    #[serde(deserialize_with = "number::whole")]
    pub max_tokens: u64,
    /// Texts that end the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop_sequences: Option<Vec<String>>,
    /// Settings for the model's provider, passed on unchanged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<RawObject>,
    /// Tools the model may use. Since 2025-11-25.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tools: Option<Vec<Tool>>,
    /// Whether the model has to use tools. Since 2025-11-25.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_choice: Option<ToolChoice>,
    /// Asks to run as a task. 2025-11-25 only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<TaskMetadata>,
    /// Metadata of the protocol and of extensions.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

/// Result of `sampling/createMessage`. Deprecated since 2026-07-28 (SEP-2577); earliest removal
/// 2027-07-28.
///
/// ```
/// use mcpbolt_proto::protocol::types::{CreateMessageResult, StopReason};
///
/// let answer = CreateMessageResult::text("some-model", "Milk is missing.").stop_reason(StopReason::EndTurn);
/// assert_eq!(answer.content[0].as_text(), Some("Milk is missing."));
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CreateMessageResult {
    /// The role of the sender.
    pub role: Role,
    /// What is said. One block is written as an object, any other number as an array
    /// (arrays since 2025-11-25).
    #[serde(serialize_with = "write_blocks", deserialize_with = "read_blocks")]
    #[cfg_attr(feature = "schema", schemars(with = "OneOrMany"))]
    pub content: Vec<ContentBlock>,
    /// The model that answered.
    pub model: String,
    /// Why it stopped, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop_reason: Option<StopReason>,
    /// Metadata of the protocol and of extensions.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

impl SamplingMessage {
    /// A message of those blocks.
    pub fn new(role: Role, content: Vec<ContentBlock>) -> Self {
        Self { role, content, meta: None }
    }

    /// What the person says.
    pub fn user(content: impl Into<ContentBlock>) -> Self {
        Self::new(Role::User, vec![content.into()])
    }

    /// What the model says.
    pub fn assistant(content: impl Into<ContentBlock>) -> Self {
        Self::new(Role::Assistant, vec![content.into()])
    }
}

impl ModelHint {
    /// Part of a model's name.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: Some(name.into()) }
    }
}

impl From<ToolChoiceMode> for ToolChoice {
    fn from(mode: ToolChoiceMode) -> Self {
        Self { mode: Some(mode) }
    }
}

impl CreateMessageParams {
    /// Asks to go on from those messages with at most that many tokens.
    pub fn new(messages: Vec<SamplingMessage>, max_tokens: u64) -> Self {
        Self { messages, max_tokens, ..Self::default() }
    }

    setters! {
        /// Sets which model the server would like.
        model_preferences: ModelPreferences,
        /// Sets the system prompt.
        system_prompt: String,
        /// Sets what context the client adds.
        include_context: IncludeContext,
        /// Sets the temperature.
        temperature: f64,
        /// Sets texts that end the answer.
        stop_sequences: Vec<String>,
        /// Sets more for the model's provider.
        metadata: RawObject,
        /// Sets tools the model may use.
        tools: Vec<Tool>,
        /// Sets how it uses them.
        tool_choice: ToolChoice,
    }
}

impl CreateMessageResult {
    /// An answer of those blocks.
    pub fn new(model: impl Into<String>, content: Vec<ContentBlock>) -> Self {
        Self { role: Role::Assistant, content, model: model.into(), stop_reason: None, meta: None }
    }

    /// An answer in words.
    pub fn text(model: impl Into<String>, text: impl Into<String>) -> Self {
        Self::new(model, vec![ContentBlock::text(text)])
    }

    setters! {
        /// Sets why the model stopped.
        stop_reason: StopReason,
    }
}

fn write_blocks<S: Serializer>(blocks: &[ContentBlock], serializer: S) -> Result<S::Ok, S::Error> {
    match blocks {
        [block] => block.serialize(serializer),
        _ => blocks.serialize(serializer),
    }
}

fn read_blocks<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<ContentBlock>, D::Error> {
    let raw = RawJson::deserialize(deserializer)?;
    match raw.kind() {
        JsonKind::Array => raw.decode().map_err(D::Error::custom),
        _ => ContentBlock::from_raw(raw).map(|block| vec![block]).map_err(D::Error::custom),
    }
}

/// The schema of what [`write_blocks`] writes.
#[cfg(feature = "schema")]
#[derive(schemars::JsonSchema)]
#[schemars(untagged, inline)]
#[expect(dead_code, reason = "only its schema is used")]
enum OneOrMany {
    One(Box<ContentBlock>),
    Many(Vec<ContentBlock>),
}
