//! Who a peer is and what a connection agrees on.
//!
//! Owns: params and result of the handshake, and names of peers. Must not know: which revision
//! is chosen, or when.

use serde::{Deserialize, Serialize};

use super::{CacheScope, Icon};
use crate::protocol::capabilities::{ClientCapabilities, ServerCapabilities};
use crate::protocol::meta::Meta;

/// Name and version of a program. For display only: never decide by it.
///
/// ```
/// use mcpbolt_proto::protocol::types::Implementation;
///
/// let mut info = Implementation::new("notes", "1.2.0");
/// info.title = Some("Notes".to_owned());
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Implementation {
    /// Identifier.
    pub name: String,
    /// Name for people, since 2025-06-18.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Version.
    pub version: String,
    /// What it does, since 2025-11-25.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Home page, since 2025-11-25.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub website_url: Option<String>,
    /// Icons, since 2025-11-25.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub icons: Option<Vec<Icon>>,
}

impl Implementation {
    /// A program of this name and version.
    pub fn new(name: impl Into<String>, version: impl Into<String>) -> Self {
        Self { name: name.into(), version: version.into(), ..Self::default() }
    }
}

/// Params of `initialize` (before 2026-07-28).
///
/// ```
/// use mcpbolt_proto::protocol::capabilities::ClientCapabilities;
/// use mcpbolt_proto::protocol::types::{Implementation, InitializeParams};
///
/// let hello = InitializeParams {
///     protocol_version: "2025-11-25".to_owned(),
///     capabilities: ClientCapabilities::default(),
///     client_info: Implementation::new("example", "1.0"),
///     meta: None,
/// };
/// assert_eq!(serde_json::to_value(&hello)?["clientInfo"]["name"], "example");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct InitializeParams {
    /// The revision that the client prefers.
    pub protocol_version: String,
    /// What the client can do.
    pub capabilities: ClientCapabilities,
    /// The name and version of the client.
    pub client_info: Implementation,
    /// Metadata.
    #[serde(rename = "_meta", default, skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

/// Result of `initialize` (before 2026-07-28).
///
/// ```
/// use mcpbolt_proto::protocol::types::InitializeResult;
///
/// let said = r#"{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},
///                "serverInfo":{"name":"notes","version":"1.2.0"}}"#;
/// let agreed: InitializeResult = serde_json::from_str(said)?;
/// assert!(agreed.capabilities.tools.is_some());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct InitializeResult {
    /// The revision of the session.
    pub protocol_version: String,
    /// What the server can do.
    pub capabilities: ServerCapabilities,
    /// The name and version of the server.
    pub server_info: Implementation,
    /// How to use the server, for the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instructions: Option<String>,
    /// Metadata.
    #[serde(rename = "_meta", default, skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

/// Result of `server/discover` (since 2026-07-28).
///
/// ```
/// use mcpbolt_proto::protocol::types::DiscoverResult;
///
/// let said = r#"{"supportedVersions":["2026-07-28","2025-11-25"],"capabilities":{"prompts":{}}}"#;
/// let server: DiscoverResult = serde_json::from_str(said)?;
/// assert!(server.supported_versions.iter().any(|revision| revision == "2026-07-28"));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct DiscoverResult {
    /// The revisions that the server supports.
    pub supported_versions: Vec<String>,
    /// What the server can do.
    pub capabilities: ServerCapabilities,
    /// How to use the server, for the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instructions: Option<String>,
    /// How long the result stays fresh, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ttl_ms: Option<u64>,
    /// Who may share the cached result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_scope: Option<CacheScope>,
    /// Metadata; holds the server's [`Implementation`].
    #[serde(rename = "_meta", default, skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}
