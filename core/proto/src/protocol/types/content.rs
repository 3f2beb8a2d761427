//! Content blocks: what tools, prompts and models say.
//!
//! Must not know: which kinds a revision has, or which are allowed where.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::de::{Deserializer, Error as _};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};

use super::common::{object, present};
use super::{Annotations, Icon, Resource, ResourceContents, number};
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

/// Words.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TextContent {
    /// Always `text`.
    #[serde(rename = "type")]
    pub tag: TextTag,
    /// The words.
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
    /// Where it is.
    pub uri: String,
    /// Its name for programs.
    pub name: String,
    /// Its name for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it is.
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
    /// Pictures for it. Since 2025-11-25.
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
    /// The tool.
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
    /// The use this answers.
    pub tool_use_id: String,
    /// The answer.
    #[serde(default)]
    pub content: Vec<ContentBlock>,
    /// The answer as data; `null` is a value.
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
    /// Words.
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

impl ContentBlock {
    /// Words.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(TextContent::new(text))
    }

    /// A picture from Base64 and its MIME type.
    pub fn image(data: impl Into<String>, mime_type: impl Into<String>) -> Self {
        Self::Image(ImageContent::new(data, mime_type))
    }

    /// A picture from its bytes and MIME type.
    pub fn image_bytes(bytes: impl AsRef<[u8]>, mime_type: impl Into<String>) -> Self {
        Self::image(STANDARD.encode(bytes), mime_type)
    }

    /// Sound from Base64 and its MIME type.
    pub fn audio(data: impl Into<String>, mime_type: impl Into<String>) -> Self {
        Self::Audio(AudioContent::new(data, mime_type))
    }

    /// Sound from its bytes and MIME type.
    pub fn audio_bytes(bytes: impl AsRef<[u8]>, mime_type: impl Into<String>) -> Self {
        Self::audio(STANDARD.encode(bytes), mime_type)
    }

    /// A link to a resource.
    pub fn resource_link(resource: impl Into<ResourceLink>) -> Self {
        Self::ResourceLink(resource.into())
    }

    /// Contents of a resource.
    pub fn embedded(resource: ResourceContents) -> Self {
        Self::Resource(EmbeddedResource::new(resource))
    }

    /// A model's wish to call a tool.
    pub fn tool_use(id: impl Into<String>, name: impl Into<String>, input: impl Into<RawJson>) -> Self {
        Self::ToolUse(ToolUseContent::new(id, name, input))
    }

    /// What a tool answered to a model.
    pub fn tool_result(tool_use_id: impl Into<String>, content: Vec<ContentBlock>) -> Self {
        Self::ToolResult(ToolResultContent::new(tool_use_id, content))
    }

    /// The words, when this is text.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(block) => Some(&block.text),
            _ => None,
        }
    }

    /// The same block with hints; no change for kinds that have none.
    #[must_use]
    pub fn annotated(mut self, annotations: Annotations) -> Self {
        match &mut self {
            Self::Text(block) => block.annotations = Some(annotations),
            Self::Image(block) => block.annotations = Some(annotations),
            Self::Audio(block) => block.annotations = Some(annotations),
            Self::ResourceLink(block) => block.annotations = Some(annotations),
            Self::Resource(block) => block.annotations = Some(annotations),
            Self::ToolUse(_) | Self::ToolResult(_) | Self::Other(_) => {}
        }
        self
    }

    /// The value of the `type` member.
    pub fn kind(&self) -> Cow<'_, str> {
        match self {
            Self::Text(_) => "text".into(),
            Self::Image(_) => "image".into(),
            Self::Audio(_) => "audio".into(),
            Self::ResourceLink(_) => "resource_link".into(),
            Self::Resource(_) => "resource".into(),
            Self::ToolUse(_) => "tool_use".into(),
            Self::ToolResult(_) => "tool_result".into(),
            Self::Other(raw) => raw.decode_borrowed::<Peek<'_>>().map(|peek| peek.kind).unwrap_or_default(),
        }
    }

    /// Reads a block.
    pub fn from_raw(raw: RawJson) -> Result<Self, serde_json::Error> {
        let kind = raw.decode_borrowed::<Peek<'_>>()?.kind;
        match &*kind {
            "text" => raw.decode().map(Self::Text),
            "image" => raw.decode().map(Self::Image),
            "audio" => raw.decode().map(Self::Audio),
            "resource_link" => raw.decode().map(Self::ResourceLink),
            "resource" => raw.decode().map(Self::Resource),
            "tool_use" => raw.decode().map(Self::ToolUse),
            "tool_result" => raw.decode().map(Self::ToolResult),
            _ => {
                drop(kind);
                Ok(Self::Other(raw))
            }
        }
    }
}

#[derive(Deserialize)]
struct Peek<'a> {
    #[serde(rename = "type", borrow)]
    kind: Cow<'a, str>,
}

impl Serialize for ContentBlock {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(block) => block.serialize(serializer),
            Self::Image(block) => block.serialize(serializer),
            Self::Audio(block) => block.serialize(serializer),
            Self::ResourceLink(block) => block.serialize(serializer),
            Self::Resource(block) => block.serialize(serializer),
            Self::ToolUse(block) => block.serialize(serializer),
            Self::ToolResult(block) => block.serialize(serializer),
            Self::Other(raw) => raw.serialize(serializer),
        }
    }
}

// Raw members would not survive serde's buffering of tagged enums: see the text first.
impl<'de> Deserialize<'de> for ContentBlock {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::from_raw(RawJson::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for ContentBlock {
    fn schema_name() -> Cow<'static, str> {
        "ContentBlock".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"description": "One piece of content. The `type` member tells the kind.", "anyOf": [
            generator.subschema_for::<TextContent>(),
            generator.subschema_for::<ImageContent>(),
            generator.subschema_for::<AudioContent>(),
            generator.subschema_for::<ResourceLink>(),
            generator.subschema_for::<EmbeddedResource>(),
            generator.subschema_for::<ToolUseContent>(),
            generator.subschema_for::<ToolResultContent>(),
            {"type": "object", "properties": {"type": {"type": "string"}}, "required": ["type"]},
        ]})
    }
}

impl From<&str> for ContentBlock {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

impl From<String> for ContentBlock {
    fn from(text: String) -> Self {
        Self::text(text)
    }
}

impl From<ResourceContents> for ContentBlock {
    fn from(resource: ResourceContents) -> Self {
        Self::embedded(resource)
    }
}

impl From<Resource> for ResourceLink {
    fn from(resource: Resource) -> Self {
        Self {
            tag: ResourceLinkTag,
            uri: resource.uri,
            name: resource.name,
            title: resource.title,
            description: resource.description,
            mime_type: resource.mime_type,
            size: resource.size,
            annotations: resource.annotations,
            icons: resource.icons,
            meta: resource.meta,
        }
    }
}
