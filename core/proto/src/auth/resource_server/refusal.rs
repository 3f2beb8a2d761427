//! What a resource server answers to a request that it does not take.
//!
//! Owns: statuses and error codes of RFC 6750, section 3.1, and the challenge. Must not know:
//! why a token is refused beyond one sentence, which never repeats anything of the token.

use crate::auth::challenge::{Challenge, TokenScheme};
use crate::auth::scope::{OFFLINE_ACCESS, Scopes};

/// Why a request is not taken.
///
/// ```
/// use mcpbolt_proto::auth::resource_server::TokenRefusal;
/// use mcpbolt_proto::auth::scope::Scopes;
///
/// let about = "https://mcp.example.com/.well-known/oauth-protected-resource/mcp";
/// let scopes = Scopes::parse("scope", "files:read")?;
/// let challenge = TokenRefusal::NoToken.challenge(Some(about), &scopes);
/// assert_eq!(TokenRefusal::NoToken.status(), 401);
/// assert_eq!(challenge.to_string(), format!("Bearer resource_metadata=\"{about}\", scope=\"files:read\""));
/// # Ok::<(), mcpbolt_proto::auth::error::AuthError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TokenRefusal {
    /// The request brings no token: 401, without an error code.
    #[error("a token is needed")]
    NoToken,
    /// The token cannot be read from the request: 400, `invalid_request`.
    #[error("{0}")]
    Request(&'static str),
    /// The token is not good here: 401, `invalid_token`.
    #[error("the token is not accepted: {0}")]
    Token(&'static str),
    /// The token is good for less than the operation needs: 403, `insufficient_scope`.
    #[error("the token lacks a scope that this needs")]
    Scope,
}

impl TokenRefusal {
    /// The status of the response.
    pub const fn status(&self) -> u16 {
        match self {
            Self::NoToken | Self::Token(_) => 401,
            Self::Request(_) => 400,
            Self::Scope => 403,
        }
    }

    /// The error code, if there is one.
    pub const fn error_code(&self) -> Option<&'static str> {
        match self {
            Self::NoToken => None,
            Self::Request(_) => Some("invalid_request"),
            Self::Token(_) => Some("invalid_token"),
            Self::Scope => Some("insufficient_scope"),
        }
    }

    /// The value of `WWW-Authenticate`: where the server's metadata are, and all scopes that
    /// the request needs. `offline_access` is never among them: it is between the client and
    /// the authorization server.
    pub fn challenge(&self, metadata_url: Option<&str>, scopes: &Scopes) -> Challenge {
        let mut challenge =
            Challenge { scheme: TokenScheme::Bearer.name().to_owned(), ..Challenge::default() };
        let mut add =
            |name: &str, value: &str| challenge.parameters.push((name.to_owned(), value.to_owned()));
        if let Some(code) = self.error_code() {
            add("error", code);
            add("error_description", &self.to_string());
        }
        if let Some(url) = metadata_url {
            add("resource_metadata", url);
        }
        let scopes = scopes.without(OFFLINE_ACCESS);
        if !scopes.is_empty() {
            add("scope", &scopes.to_string());
        }
        challenge
    }
}

/// The challenge for an operation whose token lacks scopes: all that it needs, so that the client
/// asks once.
///
/// ```
/// use mcpbolt_proto::auth::resource_server::insufficient_scope;
/// use mcpbolt_proto::auth::scope::Scopes;
///
/// let needed = Scopes::parse("scope", "files:read files:write")?;
/// let challenge = insufficient_scope(None, &needed);
/// assert_eq!(challenge.parameter("scope"), Some("files:read files:write"));
/// # Ok::<(), mcpbolt_proto::auth::error::AuthError>(())
/// ```
#[must_use]
pub fn insufficient_scope(metadata_url: Option<&str>, needed: &Scopes) -> Challenge {
    TokenRefusal::Scope.challenge(metadata_url, needed)
}
