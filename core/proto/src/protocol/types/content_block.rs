//! Content blocks as values: how one is made, written and read.
//!
//! Owns: the `type` member, and that kinds of later revisions keep their bytes.
//! Must not know: which kinds a revision has.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::de::{Deserializer, Error as _};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};

use super::content::ResourceLinkTag;
use super::{
    Annotations, AudioContent, ContentBlock, EmbeddedResource, ImageContent, Resource, ResourceContents,
    ResourceLink, TextContent, ToolResultContent, ToolUseContent,
};
use crate::jsonrpc::RawJson;

impl ContentBlock {
    /// Text.
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
