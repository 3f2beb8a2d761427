//! Resources: what they are, how they are listed, read and watched.
//!
//! Owns: resources, templates and contents. Must not know: where contents come from; what a URI
//! template matches.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::de::{Deserializer, Error as _, IgnoredAny};
use serde::{Deserialize, Serialize};

use super::{Annotations, Icon, number};
use crate::jsonrpc::RawJson;
use crate::protocol::meta::Meta;

/// Something a client can read.
///
/// ```
/// use mcpbolt_proto::protocol::types::Resource;
///
/// let note = Resource::new("note:///shopping", "shopping").mime_type("text/plain").size(120_u64);
/// assert_eq!(note.uri, "note:///shopping");
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Resource {
    /// The URI of the resource.
    pub uri: String,
    /// Its name for programs.
    pub name: String,
    /// Its name for people. Since 2025-06-18.
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

/// A family of resources.
///
/// ```
/// use mcpbolt_proto::protocol::types::ResourceTemplate;
///
/// let notes = ResourceTemplate::new("note:///{name}", "note").description("A note by its name");
/// assert_eq!(notes.uri_template, "note:///{name}");
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ResourceTemplate {
    /// An RFC 6570 template of the URIs.
    pub uri_template: String,
    /// Its name for programs.
    pub name: String,
    /// Its name for people. Since 2025-06-18.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// A description of the resources.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The MIME type, if all have the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
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

/// Contents that were read: text or bytes, never both.
///
/// ```
/// use mcpbolt_proto::protocol::types::ResourceContents;
///
/// let text = ResourceContents::text("note:///a", "text/plain", "milk");
/// let image = ResourceContents::bytes("pic:///b", "image/png", [0x89, b'P', b'N', b'G']);
/// assert_eq!((text.as_text(), image.as_text()), (Some("milk"), None));
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum ResourceContents {
    /// Text.
    Text(TextResourceContents),
    /// Bytes.
    Blob(BlobResourceContents),
}

/// Contents that are text.
///
/// ```
/// use mcpbolt_proto::protocol::types::{ResourceContents, TextResourceContents};
///
/// let contents = TextResourceContents { uri: "note:///a".into(), text: "milk".into(), ..Default::default() };
/// assert_eq!(ResourceContents::Text(contents).mime_type(), None); // where it is not known
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TextResourceContents {
    /// The URI of the contents.
    pub uri: String,
    /// The MIME type, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// The text.
    pub text: String,
    /// Metadata of the protocol and of extensions.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

/// Contents that are bytes.
///
/// ```
/// use mcpbolt_proto::protocol::types::{BlobResourceContents, ResourceContents};
///
/// let contents = BlobResourceContents { uri: "pic:///b".into(), blob: "iVBO".into(), ..Default::default() };
/// assert_eq!(ResourceContents::Blob(contents).as_blob(), Some("iVBO"));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct BlobResourceContents {
    /// The URI of the contents.
    pub uri: String,
    /// The MIME type, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// The bytes in Base64.
    pub blob: String,
    /// Metadata of the protocol and of extensions.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

impl Resource {
    /// A resource with a name for programs.
    pub fn new(uri: impl Into<String>, name: impl Into<String>) -> Self {
        Self { uri: uri.into(), name: name.into(), ..Self::default() }
    }

    setters! {
        /// Sets the name for people.
        title: String,
        /// Sets what it is.
        description: String,
        /// Sets the MIME type.
        mime_type: String,
        /// Sets the size in bytes before any encoding.
        size: u64,
        /// Sets hints for the client.
        annotations: Annotations,
        /// Sets pictures for it.
        icons: Vec<Icon>,
        /// Sets its metadata.
        meta: Meta,
    }
}

impl ResourceTemplate {
    /// A family with an RFC 6570 template and a name for programs.
    pub fn new(uri_template: impl Into<String>, name: impl Into<String>) -> Self {
        Self { uri_template: uri_template.into(), name: name.into(), ..Self::default() }
    }

    setters! {
        /// Sets the name for people.
        title: String,
        /// Sets what the resources are.
        description: String,
        /// Sets the MIME type all have.
        mime_type: String,
        /// Sets hints for the client.
        annotations: Annotations,
        /// Sets pictures for it.
        icons: Vec<Icon>,
        /// Sets its metadata.
        meta: Meta,
    }
}

impl ResourceContents {
    /// Text with its URI and MIME type.
    pub fn text(uri: impl Into<String>, mime_type: impl Into<String>, text: impl Into<String>) -> Self {
        Self::Text(TextResourceContents {
            uri: uri.into(),
            mime_type: Some(mime_type.into()),
            text: text.into(),
            meta: None,
        })
    }

    /// Bytes in Base64 with their URI and MIME type.
    pub fn blob(uri: impl Into<String>, mime_type: impl Into<String>, base64: impl Into<String>) -> Self {
        Self::Blob(BlobResourceContents {
            uri: uri.into(),
            mime_type: Some(mime_type.into()),
            blob: base64.into(),
            meta: None,
        })
    }

    /// Bytes with their URI and MIME type.
    pub fn bytes(uri: impl Into<String>, mime_type: impl Into<String>, bytes: impl AsRef<[u8]>) -> Self {
        Self::blob(uri, mime_type, STANDARD.encode(bytes))
    }

    /// The URI of the contents.
    pub fn uri(&self) -> &str {
        match self {
            Self::Text(contents) => &contents.uri,
            Self::Blob(contents) => &contents.uri,
        }
    }

    /// The MIME type, if known.
    pub fn mime_type(&self) -> Option<&str> {
        match self {
            Self::Text(contents) => contents.mime_type.as_deref(),
            Self::Blob(contents) => contents.mime_type.as_deref(),
        }
    }

    /// The text, when it is text.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(contents) => Some(&contents.text),
            Self::Blob(_) => None,
        }
    }

    /// The Base64, when it is bytes.
    pub fn as_blob(&self) -> Option<&str> {
        match self {
            Self::Text(_) => None,
            Self::Blob(contents) => Some(&contents.blob),
        }
    }
}

#[derive(Deserialize)]
struct Peek {
    text: Option<IgnoredAny>,
    blob: Option<IgnoredAny>,
}

impl<'de> Deserialize<'de> for ResourceContents {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = RawJson::deserialize(deserializer)?;
        let peek: Peek = raw.decode_borrowed().map_err(D::Error::custom)?;
        match (peek.text, peek.blob) {
            (Some(_), None) => raw.decode().map(Self::Text).map_err(D::Error::custom),
            (None, Some(_)) => raw.decode().map(Self::Blob).map_err(D::Error::custom),
            _ => Err(D::Error::custom("resource contents need either text or blob")),
        }
    }
}
