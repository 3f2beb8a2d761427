//! Tokens as they are kept.
//!
//! Owns: what is known of a token, when it has to be refreshed, whose it is. Must not know:
//! how it came, where it is kept.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::auth::challenge::TokenScheme;
use crate::auth::scope::Scopes;
use crate::auth::secret::Secret;

/// How long before its end a token is refreshed, so that it does not end on its way.
const EARLY: Duration = Duration::from_secs(30);

/// An access token and what belongs to it.
///
/// ```
/// use mcpbolt_proto::auth::token::Tokens;
///
/// let tokens = Tokens { access_token: "mF_9.Bxf-4.JqM".into(), ..Tokens::default() };
/// assert_eq!(tokens.authorization().expose(), "Bearer mF_9.Bxf-4.JqM");
/// assert!(!format!("{tokens:?}").contains("mF_9"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tokens {
    /// What is sent with each request.
    pub access_token: Secret,
    /// What gets the next one.
    pub refresh_token: Option<Secret>,
    /// When the access token ends, in seconds since 1970, if the server said so.
    pub expires_at: Option<u64>,
    /// What it is good for.
    pub scopes: Scopes,
    /// Who gave it.
    pub issuer: Option<String>,
    /// The server it is for: it is sent to no other.
    pub resource: Option<String>,
    /// The id of the client that got it.
    pub client_id: Option<String>,
    /// How it is sent: bound to a key, it goes with a proof of that key.
    #[serde(default)]
    pub scheme: TokenScheme,
}

impl Default for Tokens {
    fn default() -> Self {
        Self {
            access_token: Secret::new(""),
            refresh_token: None,
            expires_at: None,
            scopes: Scopes::default(),
            issuer: None,
            resource: None,
            client_id: None,
            scheme: TokenScheme::Bearer,
        }
    }
}

impl Tokens {
    /// The value of the `Authorization` header of each request. It belongs in no URL.
    pub fn authorization(&self) -> Secret {
        Secret::new(format!("{} {}", self.scheme.name(), self.access_token.expose()))
    }

    /// Whether the token has ended. `now` is the time since 1970.
    pub fn is_expired(&self, now: Duration) -> bool {
        self.expires_at.is_some_and(|end| end <= now.as_secs())
    }
}

/// Whether a token should be refreshed before it is used: it ends within 30 seconds, and
/// there is something to refresh it with. `now` is the time since 1970.
///
/// ```
/// use std::time::Duration;
/// use mcpbolt_proto::auth::token::{Tokens, needs_refresh};
///
/// let tokens = Tokens { expires_at: Some(1000), refresh_token: Some("r".into()), ..Tokens::default() };
/// assert!(!needs_refresh(&tokens, Duration::from_secs(900)));
/// assert!(needs_refresh(&tokens, Duration::from_secs(970)));
/// ```
pub fn needs_refresh(tokens: &Tokens, now: Duration) -> bool {
    tokens.refresh_token.is_some() && tokens.is_expired(now.saturating_add(EARLY))
}

/// The token to use instead of asking for one, for a request that waited while another one
/// asked: the current one, if it is not the one that was refused or had ended.
///
/// ```
/// use std::time::Duration;
/// use mcpbolt_proto::auth::token::{Tokens, changed_meanwhile};
///
/// let (old, new) = ("old".into(), Tokens { access_token: "new".into(), ..Tokens::default() });
/// assert_eq!(changed_meanwhile(Some(&old), Some(&new), Duration::ZERO), Some(&new));
/// assert_eq!(changed_meanwhile(Some(&"new".into()), Some(&new), Duration::ZERO), None);
/// ```
pub fn changed_meanwhile<'a>(
    sent: Option<&Secret>,
    current: Option<&'a Tokens>,
    now: Duration,
) -> Option<&'a Tokens> {
    current.filter(|tokens| sent != Some(&tokens.access_token) && !tokens.is_expired(now))
}
