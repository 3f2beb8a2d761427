//! What a protected resource says of itself (RFC 9728).
//!
//! Owns: the members a client decides by. Must not know: whether the resource is the one
//! that was asked for.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::Members;
use crate::auth::error::{AuthError, Document};
use crate::auth::scope::Scopes;

/// Protected resource metadata.
///
/// ```
/// use mcpbolt_proto::auth::metadata::ProtectedResourceMetadata;
///
/// let text = r#"{"resource": "https://mcp.example.com", "authorization_servers": ["https://a.example.com"]}"#;
/// let metadata = ProtectedResourceMetadata::read(&serde_json::from_str(text)?)?;
/// assert_eq!(metadata.authorization_servers, ["https://a.example.com"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProtectedResourceMetadata {
    /// Which resource it is.
    pub resource: String,
    /// The issuers whose tokens it takes: at least one.
    pub authorization_servers: Vec<String>,
    /// The scopes it knows.
    pub scopes_supported: Option<Scopes>,
    /// Its name for people.
    pub resource_name: Option<String>,
    /// Whether it takes tokens bound to a key only.
    pub dpop_bound_access_tokens_required: bool,
}

impl ProtectedResourceMetadata {
    /// Reads a document. `resource` and at least one authorization server have to be there.
    pub fn read(document: &Map<String, Value>) -> Result<Self, AuthError> {
        let members = Members { document: Document::ProtectedResource, object: document };
        let servers = members.list("authorization_servers")?.unwrap_or_default();
        if servers.is_empty() {
            return Err(members.malformed("authorization_servers", "it has to name at least one"));
        }
        Ok(Self {
            resource: members.required("resource")?,
            authorization_servers: servers,
            scopes_supported: members.scopes("scopes_supported")?,
            resource_name: members.hint("resource_name"),
            dpop_bound_access_tokens_required: members.flag("dpop_bound_access_tokens_required")?,
        })
    }
}
