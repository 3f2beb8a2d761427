//! Roots: the places a client lets a server work in.
//!
//! Deprecated since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Owns: a root, and the
//! result that lists them. Must not know: files.

use serde::{Deserialize, Serialize};

use crate::protocol::meta::Meta;

/// A place. Deprecated since 2026-07-28 (SEP-2577); earliest removal 2027-07-28.
///
/// ```
/// use mcpbolt_proto::protocol::types::Root;
///
/// let project = Root::new("file:///srv/project").name("The project");
/// let api = Root::new("https://api.example.com/v1"); // any scheme is allowed
/// assert!(project.uri.starts_with("file:") && api.name.is_none());
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Root {
    /// Any absolute URI; the specification speaks of `file:` ones.
    pub uri: String,
    /// Its name for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Metadata of the protocol and of extensions.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

/// Result of `roots/list`. Deprecated since 2026-07-28 (SEP-2577); earliest removal 2027-07-28.
///
/// ```
/// use mcpbolt_proto::protocol::types::{ListRootsResult, Root};
///
/// let result = ListRootsResult::new(vec![Root::new("file:///srv/project")]);
/// assert_eq!(serde_json::to_string(&result)?, r#"{"roots":[{"uri":"file:///srv/project"}]}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ListRootsResult {
    /// The places.
    pub roots: Vec<Root>,
    /// Metadata of the protocol and of extensions.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

impl Root {
    /// A place without a name.
    pub fn new(uri: impl Into<String>) -> Self {
        Self { uri: uri.into(), ..Self::default() }
    }

    setters! {
        /// Sets the name for people.
        name: String,
        /// Sets its metadata.
        meta: Meta,
    }
}

impl ListRootsResult {
    /// Those places.
    pub fn new(roots: Vec<Root>) -> Self {
        Self { roots, meta: None }
    }
}
