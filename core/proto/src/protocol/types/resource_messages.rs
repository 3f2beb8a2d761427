//! Requests about resources: lists, reading, subscribing.
//!
//! Owns: their params and results. Must not know: what a resource is (`resource` does), or
//! who reads one.

use serde::{Deserialize, Serialize};

use super::{CacheScope, InputResponses, Resource, ResourceContents, ResourceTemplate, number};
use crate::protocol::meta::Meta;

/// Result of `resources/list`.
///
/// ```
/// use mcpbolt_proto::protocol::types::{ListResourcesResult, Resource};
///
/// let mut page = ListResourcesResult::new(vec![Resource::new("note:///a", "a")]);
/// page.ttl_ms = Some(5_000); // clients may keep it that long
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ListResourcesResult {
    /// The resources of this page.
    pub resources: Vec<Resource>,
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

/// Result of `resources/templates/list`.
///
/// ```
/// use mcpbolt_proto::protocol::types::{ListResourceTemplatesResult, ResourceTemplate};
///
/// let page = ListResourceTemplatesResult::new(vec![ResourceTemplate::new("note:///{name}", "note")]);
/// assert_eq!(page.resource_templates[0].name, "note");
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ListResourceTemplatesResult {
    /// The templates of this page.
    pub resource_templates: Vec<ResourceTemplate>,
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

/// Params of `resources/read`.
///
/// ```
/// use mcpbolt_proto::protocol::types::ReadResourceParams;
///
/// assert_eq!(ReadResourceParams::new("note:///a").uri, "note:///a");
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ReadResourceParams {
    /// The URI of the resource to read.
    pub uri: String,
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

/// Result of `resources/read`.
///
/// ```
/// use mcpbolt_proto::protocol::types::{ReadResourceResult, ResourceContents};
///
/// let folder = ["a", "b"].map(|n| ResourceContents::text(format!("note:///{n}"), "text/plain", n));
/// assert_eq!(ReadResourceResult::new(folder.into()).contents.len(), 2);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ReadResourceResult {
    /// The contents; those of a folder may have several parts.
    pub contents: Vec<ResourceContents>,
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

/// Params of `resources/subscribe`. Until 2025-11-25.
///
/// ```
/// use mcpbolt_proto::protocol::types::SubscribeParams;
///
/// assert_eq!(SubscribeParams::new("note:///a").uri, "note:///a");
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SubscribeParams {
    /// The URI of the resource to watch.
    pub uri: String,
    /// Metadata of the protocol and of extensions.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

/// Params of `resources/unsubscribe`. Until 2025-11-25.
///
/// ```
/// use mcpbolt_proto::protocol::types::UnsubscribeParams;
///
/// assert_eq!(UnsubscribeParams::new("note:///a").uri, "note:///a");
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct UnsubscribeParams {
    /// The URI of the resource that is no longer watched.
    pub uri: String,
    /// Metadata of the protocol and of extensions.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

/// Params of `notifications/resources/updated`.
///
/// ```
/// use mcpbolt_proto::protocol::types::ResourceUpdatedParams;
///
/// assert_eq!(ResourceUpdatedParams::new("note:///a").uri, "note:///a");
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ResourceUpdatedParams {
    /// The URI that changed; it may be below the one that is watched.
    pub uri: String,
    /// Metadata of the protocol and of extensions.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

impl ListResourcesResult {
    /// The only page.
    pub fn new(resources: Vec<Resource>) -> Self {
        Self { resources, ..Self::default() }
    }
}

impl ListResourceTemplatesResult {
    /// The only page.
    pub fn new(resource_templates: Vec<ResourceTemplate>) -> Self {
        Self { resource_templates, ..Self::default() }
    }
}

impl ReadResourceParams {
    /// Reads that URI.
    pub fn new(uri: impl Into<String>) -> Self {
        Self { uri: uri.into(), ..Self::default() }
    }
}

impl ReadResourceResult {
    /// Those contents.
    pub fn new(contents: Vec<ResourceContents>) -> Self {
        Self { contents, ..Self::default() }
    }
}

impl SubscribeParams {
    /// Watches that URI.
    pub fn new(uri: impl Into<String>) -> Self {
        Self { uri: uri.into(), meta: None }
    }
}

impl UnsubscribeParams {
    /// Watches that URI no more.
    pub fn new(uri: impl Into<String>) -> Self {
        Self { uri: uri.into(), meta: None }
    }
}

impl ResourceUpdatedParams {
    /// That URI changed.
    pub fn new(uri: impl Into<String>) -> Self {
        Self { uri: uri.into(), meta: None }
    }
}

impl From<ResourceContents> for ReadResourceResult {
    fn from(contents: ResourceContents) -> Self {
        Self::new(vec![contents])
    }
}
