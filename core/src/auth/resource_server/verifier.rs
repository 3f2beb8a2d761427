//! Whether a token is genuine: the trait.
//!
//! Owns: what a verifier says. Must not know: how it finds out, and whether a genuine token is
//! good for this server.

use std::time::Duration;

use mcpbolt_proto::auth::resource_server::TokenClaims;
use mcpbolt_proto::auth::secret::Secret;

use crate::handler::BoxFuture;

/// A genuine token.
///
/// ```
/// use mcpbolt::auth::{CheckedToken, TokenClaims};
/// use std::time::Duration;
///
/// let claims = serde_json::json!({"sub": "ann", "aud": "https://mcp.example.com/mcp"});
/// let claims = TokenClaims::read(claims.as_object().unwrap().clone()).unwrap();
/// let token = CheckedToken { claims, remember: Duration::from_secs(60) };
/// assert_eq!(token.claims.subject.as_deref(), Some("ann"));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct CheckedToken {
    /// What it says.
    pub claims: TokenClaims,
    /// How long this need not be found out again; never beyond the token's end.
    pub remember: Duration,
}

/// Why a token is not known to be genuine.
///
/// ```
/// use mcpbolt::auth::TokenError;
///
/// assert_ne!(TokenError::Invalid("it was revoked"), TokenError::Unavailable);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenError {
    /// It is not. The sentence goes to the client, and must not repeat anything of the token.
    Invalid(&'static str),
    /// It cannot be found out now: the request gets 503.
    Unavailable,
}

/// Finds out whether a token is genuine, and what it says. Issuer, audience, times and scopes
/// are looked at afterwards.
///
/// ```
/// use mcpbolt::auth::{CheckedToken, ResourceServer, Secret, TokenClaims, TokenError, TokenVerifier};
/// use mcpbolt::handler::BoxFuture;
/// use std::time::Duration;
///
/// /// Tokens of a database.
/// struct Table;
///
/// impl TokenVerifier for Table {
///     fn verify<'a>(&'a self, token: &'a Secret) -> BoxFuture<'a, Result<CheckedToken, TokenError>> {
///         Box::pin(async move {
///             if token.expose() != "the-only-one" {
///                 return Err(TokenError::Invalid("it is not known"));
///             }
///             let claims = serde_json::json!({
///                 "iss": "https://login.example.com", "aud": "https://mcp.example.com/mcp",
///                 "sub": "ann", "exp": 4_000_000_000_u64,
///             });
///             let claims = TokenClaims::read(claims.as_object().unwrap().clone());
///             let claims = claims.map_err(|_| TokenError::Unavailable)?;
///             Ok(CheckedToken { claims, remember: Duration::ZERO })
///         })
///     }
/// }
///
/// let server = ResourceServer::builder("https://mcp.example.com/mcp", ["https://login.example.com"]);
/// let server = server.verifier(Table).build()?;
/// # let _ = server;
/// # Ok::<(), mcpbolt::Error>(())
/// ```
pub trait TokenVerifier: Send + Sync + 'static {
    /// Looks at one token.
    fn verify<'a>(&'a self, token: &'a Secret) -> BoxFuture<'a, Result<CheckedToken, TokenError>>;

    /// Changes when what was found out before may be wrong by now: everything remembered is then
    /// forgotten.
    fn generation(&self) -> u64 {
        0
    }
}
