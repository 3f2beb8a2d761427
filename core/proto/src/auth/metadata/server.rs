//! What an authorization server says of itself (RFC 8414, OpenID Connect Discovery).
//!
//! Owns: the members a client decides by. Must not know: whether the issuer is the one that
//! was asked.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::Members;
use crate::auth::error::{AuthError, Document};
use crate::auth::scope::Scopes;

/// Authorization server metadata; an OpenID provider's have the same members.
///
/// ```
/// use mcpbolt_proto::auth::metadata::AuthorizationServerMetadata;
///
/// let text = r#"{"issuer": "https://a.example.com", "token_endpoint": "https://a.example.com/token"}"#;
/// let metadata = AuthorizationServerMetadata::read(&serde_json::from_str(text)?)?;
/// assert_eq!(metadata.issuer, "https://a.example.com");
/// assert_eq!(metadata.code_challenge_methods_supported, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct AuthorizationServerMetadata {
    /// Who it is, as an exact text.
    pub issuer: String,
    /// Where the browser is sent.
    pub authorization_endpoint: Option<String>,
    /// Where tokens come from.
    pub token_endpoint: Option<String>,
    /// Where clients register (RFC 7591).
    pub registration_endpoint: Option<String>,
    /// Where tokens are revoked (RFC 7009).
    pub revocation_endpoint: Option<String>,
    /// Where a resource server asks about tokens (RFC 7662).
    pub introspection_endpoint: Option<String>,
    /// The public keys of its signatures (RFC 7517).
    pub jwks_uri: Option<String>,
    /// The scopes it knows.
    pub scopes_supported: Option<Scopes>,
    /// What an authorization request may ask for.
    pub response_types_supported: Option<Vec<String>>,
    /// How clients may get tokens.
    pub grant_types_supported: Option<Vec<String>>,
    /// Profiles of those, such as that of ID-JAG.
    pub authorization_grant_profiles_supported: Option<Vec<String>>,
    /// How clients may prove themselves.
    pub token_endpoint_auth_methods_supported: Option<Vec<String>>,
    /// The methods of PKCE it checks.
    pub code_challenge_methods_supported: Option<Vec<String>>,
    /// Whether a client id may be the URL of a document.
    pub client_id_metadata_document_supported: bool,
    /// Whether it says its issuer when the browser comes back (RFC 9207).
    pub authorization_response_iss_parameter_supported: bool,
}

impl AuthorizationServerMetadata {
    /// Reads a document. `issuer` has to be there; whether an endpoint is, is asked when it
    /// is needed.
    pub fn read(document: &Map<String, Value>) -> Result<Self, AuthError> {
        let members = Members { document: Document::AuthorizationServer, object: document };
        Ok(Self {
            issuer: members.required("issuer")?,
            authorization_endpoint: members.text("authorization_endpoint")?,
            token_endpoint: members.text("token_endpoint")?,
            registration_endpoint: members.text("registration_endpoint")?,
            revocation_endpoint: members.hint("revocation_endpoint"),
            introspection_endpoint: members.hint("introspection_endpoint"),
            jwks_uri: members.hint("jwks_uri"),
            scopes_supported: members.scopes("scopes_supported")?,
            response_types_supported: members.list("response_types_supported")?,
            grant_types_supported: members.list("grant_types_supported")?,
            authorization_grant_profiles_supported: members.list("authorization_grant_profiles_supported")?,
            token_endpoint_auth_methods_supported: members.list("token_endpoint_auth_methods_supported")?,
            code_challenge_methods_supported: members.list("code_challenge_methods_supported")?,
            client_id_metadata_document_supported: members.flag("client_id_metadata_document_supported")?,
            authorization_response_iss_parameter_supported: members
                .flag("authorization_response_iss_parameter_supported")?,
        })
    }

    /// What 2025-03-26 assumes of a server without metadata: the paths `/authorize`,
    /// `/token` and `/register` at its origin.
    pub fn assumed(origin: &str) -> Self {
        let at = |path: &str| Some(format!("{origin}{path}"));
        Self {
            issuer: origin.to_owned(),
            authorization_endpoint: at("/authorize"),
            token_endpoint: at("/token"),
            registration_endpoint: at("/register"),
            ..Self::default()
        }
    }

    /// Whether it can do the profile of a grant.
    pub fn supports_profile(&self, profile: &str) -> bool {
        let profiles = self.authorization_grant_profiles_supported.as_deref().unwrap_or_default();
        profiles.iter().any(|known| known == profile)
    }
}
