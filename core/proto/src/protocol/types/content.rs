//! Content blocks: what tools, prompts and models say.
//!
//! Owns: the shape of each kind. Must not know: which kinds a revision has, or which are
//! allowed where.

use serde::{Deserialize, Serialize};

use super::common::{object, present};
use super::{Annotations, Icon, ResourceContents, number};
use crate::jsonrpc::RawJson;
use crate::protocol::meta::Meta;

constant! {
    /// `"text"`.
    TextTag = "text"
}
constant! {
    /// `"image"`.
    ImageTag = "image"
}
constant! {
    /// `"audio"`.
    AudioTag = "audio"
}
constant! {
    /// `"resource_link"`.
    ResourceLinkTag = "resource_link"
}
constant! {
    /// `"resource"`.
    EmbeddedResourceTag = "resource"
}
constant! {
    /// `"tool_use"`.
    ToolUseTag = "tool_use"
}
constant! {
    /// `"tool_result"`.
    ToolResultTag = "tool_result"
}

/// One piece of content. The `type` member tells the kind; kinds this engine does
/// not know are kept as they came.
#[derive(Debug, Clone, PartialEq)]
pub enum ContentBlock {
    /// `text`
    Text(TextContent),
    /// `image`
    Image(ImageContent),
    /// `audio`, since 2025-03-26.
    Audio(AudioContent),
    /// `resource_link`, since 2025-06-18.
    ResourceLink(ResourceLink),
    /// `resource`: embedded contents.
    Resource(EmbeddedResource),
    /// `tool_use`, in sampling since 2025-11-25.
    ToolUse(ToolUseContent),
    /// `tool_result`, in sampling since 2025-11-25.
    ToolResult(ToolResultContent),
    /// Another kind: an object with a string `type`.
    Other(RawJson),
}

/// Text.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TextContent {
    /// Always `text`.
    #[serde(rename = "type")]
    pub tag: TextTag,
    /// The text.
    pub text: String,
    /// Hints for the client.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Annotations>,
    /// Metadata of the protocol and of extensions.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

/// A picture.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ImageContent {
    /// Always `image`.
    #[serde(rename = "type")]
    pub tag: ImageTag,
    /// The bytes in Base64.
    pub data: String,
    /// The MIME type.
    pub mime_type: String,
    /// Hints for the client.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Annotations>,
    /// Metadata of the protocol and of extensions.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

/// Sound. Since 2025-03-26.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AudioContent {
    /// Always `audio`.
    #[serde(rename = "type")]
    pub tag: AudioTag,
    /// The bytes in Base64.
    pub data: String,
    /// The MIME type.
    pub mime_type: String,
    /// Hints for the client.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Annotations>,
    /// Metadata of the protocol and of extensions.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

/// A resource that can be read, named but not included. Since 2025-06-18.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ResourceLink {
    /// Always `resource_link`.
    #[serde(rename = "type")]
    pub tag: ResourceLinkTag,
    /// The URI of the resource.
    pub uri: String,
    /// Its name for programs.
    pub name: String,
    /// Its name for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// A description of the resource.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The MIME type, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// Size in bytes before any encoding, if known.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "number::whole_opt")]
    pub size: Option<u64>,
    /// Hints for the client.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Annotations>,
    /// Icons. Since 2025-11-25.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub icons: Option<Vec<Icon>>,
    /// Metadata of the protocol and of extensions.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

/// The contents of a resource.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct EmbeddedResource {
    /// Always `resource`.
    #[serde(rename = "type")]
    pub tag: EmbeddedResourceTag,
    /// The contents.
    pub resource: ResourceContents,
    /// Hints for the client.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Annotations>,
    /// Metadata of the protocol and of extensions.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

/// A model's wish to call a tool. Since 2025-11-25; deprecated since 2026-07-28 with
/// sampling (SEP-2577), earliest removal 2027-07-28.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ToolUseContent {
    /// Always `tool_use`.
    #[serde(rename = "type")]
    pub tag: ToolUseTag,
    /// Names this use; the result refers to it.
    pub id: String,
    /// The name of the tool.
    pub name: String,
    /// The arguments: an object.
    #[serde(deserialize_with = "object")]
    #[cfg_attr(feature = "schema", schemars(with = "crate::jsonrpc::RawObject"))]
    pub input: RawJson,
    /// Metadata of the protocol and of extensions.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

/// What a tool answered to a model. Since 2025-11-25; deprecated since 2026-07-28
/// with sampling (SEP-2577), earliest removal 2027-07-28.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ToolResultContent {
    /// Always `tool_result`.
    #[serde(rename = "type")]
    pub tag: ToolResultTag,
    /// The id of the `tool_use` that this is the result of.
    pub tool_use_id: String,
    /// The answer.
    #[serde(default)]
    pub content: Vec<ContentBlock>,
    /// The result as data; `null` is a value.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub structured_content: Option<RawJson>,
    /// Whether the tool failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_error: Option<bool>,
    /// Metadata of the protocol and of extensions.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

impl TextContent {
    /// Text.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }
}

impl ImageContent {
    /// A picture from Base64 and its MIME type.
    pub fn new(data: impl Into<String>, mime_type: impl Into<String>) -> Self {
        Self { data: data.into(), mime_type: mime_type.into(), ..Self::default() }
    }
}

impl AudioContent {
    /// Sound from Base64 and its MIME type.
    pub fn new(data: impl Into<String>, mime_type: impl Into<String>) -> Self {
        Self { data: data.into(), mime_type: mime_type.into(), ..Self::default() }
    }
}

impl ResourceLink {
    /// A link with a name for programs.
    pub fn new(uri: impl Into<String>, name: impl Into<String>) -> Self {
        Self { uri: uri.into(), name: name.into(), ..Self::default() }
    }
}

impl EmbeddedResource {
    /// Those contents.
    pub fn new(resource: ResourceContents) -> Self {
        Self { tag: EmbeddedResourceTag, resource, annotations: None, meta: None }
    }
}

impl ToolUseContent {
    /// The use `id` of a tool with the arguments `input`, an object.
    pub fn new(id: impl Into<String>, name: impl Into<String>, input: impl Into<RawJson>) -> Self {
        Self { tag: ToolUseTag, id: id.into(), name: name.into(), input: input.into(), meta: None }
    }
}

impl ToolResultContent {
    /// The answer to the use `tool_use_id`.
    pub fn new(tool_use_id: impl Into<String>, content: Vec<ContentBlock>) -> Self {
        Self { tool_use_id: tool_use_id.into(), content, ..Self::default() }
    }
}
