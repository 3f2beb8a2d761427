//! What many types share: roles, annotations, icons, cache hints, raw members.
//!
//! Owns: these shapes. Must not know: methods, sessions.

use serde::de::{Deserializer, Error as _};
use serde::{Deserialize, Serialize};

use super::number;
use crate::jsonrpc::RawJson;
use crate::protocol::meta::Meta;

open_enum! {
    /// The user, or the model (`assistant`).
    Role {
        /// The person.
        User = "user",
        /// The model.
        Assistant = "assistant",
    }
}

open_enum! {
    /// Who may keep a cached result. Since 2026-07-28.
    CacheScope {
        /// Only the client that asked.
        Private = "private",
        /// Shared caches too.
        Public = "public",
    }
}

open_enum! {
    /// The background an icon is drawn for.
    IconTheme {
        /// A light background.
        Light = "light",
        /// A dark background.
        Dark = "dark",
    }
}

/// Hints for the client about how to use or show something. From an untrusted
/// server they are not to be trusted.
///
/// ```
/// use mcpbolt_proto::protocol::types::{Annotations, ContentBlock, Role};
///
/// let hints = Annotations::new().audience([Role::User]).priority(0.9);
/// let shown = ContentBlock::text("Saved.").annotated(hints);
/// assert_eq!(shown.as_text(), Some("Saved."));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Annotations {
    /// For whom it is: the user, the model (`assistant`), or both.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub audience: Option<Vec<Role>>,
    /// How important it is, from 0 to 1 (1: effectively required).
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "number::plain_opt")]
    pub priority: Option<f64>,
    /// When it last changed, in ISO 8601. Since 2025-06-18.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_modified: Option<String>,
}

impl Annotations {
    /// No hints.
    pub fn new() -> Self {
        Self::default()
    }

    setters! {
        /// Sets whom it is meant for.
        audience: Vec<Role>,
        /// Sets the importance, from 0 to 1.
        priority: f64,
        /// Sets the time of the last change, in ISO 8601.
        last_modified: String,
    }
}

/// A picture that stands for something. Since 2025-11-25.
///
/// ```
/// use mcpbolt_proto::protocol::types::{Icon, IconTheme, Prompt};
///
/// let icon = Icon::new("https://example.com/pen.svg").sizes(["any".to_owned()]).theme(IconTheme::Dark);
/// let prompt = Prompt::new("rewrite").icons([icon]);
/// assert_eq!(prompt.icons.unwrap().len(), 1);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Icon {
    /// An `https:` or `data:` URI.
    pub src: String,
    /// The MIME type, if the source has none or a wrong one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// Sizes as `WxH`, or `any`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sizes: Option<Vec<String>>,
    /// The background it is drawn for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub theme: Option<IconTheme>,
}

impl Icon {
    /// An icon at that URI.
    pub fn new(src: impl Into<String>) -> Self {
        Self { src: src.into(), ..Self::default() }
    }

    setters! {
        /// Sets the MIME type.
        mime_type: String,
        /// Sets the sizes, each `WxH` or `any`.
        sizes: Vec<String>,
        /// Sets the background it is drawn for.
        theme: IconTheme,
    }
}

/// Asks for a request to run as a task. 2025-11-25 only.
///
/// ```
/// use mcpbolt_proto::protocol::types::{CallToolParams, TaskMetadata};
///
/// let task = Some(TaskMetadata { ttl: Some(60_000) });
/// let call = CallToolParams { task, ..CallToolParams::new("render") };
/// assert_eq!(serde_json::to_value(&call)?["task"]["ttl"], 60_000);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TaskMetadata {
    /// How long to keep the task once created, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "number::whole_opt")]
    pub ttl: Option<u64>,
}

/// A result without members of its own.
///
/// ```
/// use mcpbolt_proto::protocol::types::EmptyResult;
///
/// assert_eq!(serde_json::to_string(&EmptyResult::default())?, "{}"); // the answer to `ping`
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct EmptyResult {
    /// Metadata of the protocol and of extensions.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

/// Params without members of their own: `ping`, `roots/list`, list changes.
///
/// ```
/// use mcpbolt_proto::protocol::types::EmptyParams;
///
/// let params: EmptyParams = serde_json::from_str(r#"{"_meta":{"progressToken":7}}"#)?;
/// assert_eq!(params.meta.unwrap().get::<u64>("progressToken"), Some(7));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct EmptyParams {
    /// Metadata of the protocol and of extensions.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

/// Reads a member whose `null` is a value: absent is `None`, `null` is `Some(null)`.
pub(super) fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<RawJson>, D::Error> {
    RawJson::deserialize(deserializer).map(Some)
}

/// Reads a raw member that must be an object.
pub(super) fn object<'de, D: Deserializer<'de>>(deserializer: D) -> Result<RawJson, D::Error> {
    let raw = RawJson::deserialize(deserializer)?;
    if raw.is_object() { Ok(raw) } else { Err(D::Error::custom("expected an object")) }
}

/// Reads a raw member that must be an object when it is there.
pub(super) fn object_opt<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<RawJson>, D::Error> {
    match <Option<RawJson>>::deserialize(deserializer)? {
        Some(raw) if !raw.is_object() => Err(D::Error::custom("expected an object")),
        other => Ok(other),
    }
}
