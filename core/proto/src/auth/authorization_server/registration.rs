//! Dynamic registration of clients (RFC 7591).
//!
//! Owns: which clients a server takes, and the id and secret they get. Must not know: entropy,
//! where clients are kept, the members of a document that are only handed on.
//!
//! ```
//! use mcpbolt_proto::auth::authorization_server::{Registered, RegistrationRules, WantedClient};
//! use mcpbolt_proto::auth::words::Words;
//!
//! let rules = RegistrationRules { valid_scopes: None, default_scopes: None, secret_expiry: None };
//! let wanted = WantedClient {
//!     scope: None,
//!     grant_types: vec!["authorization_code".into()],
//!     response_types: vec!["code".into()],
//!     token_endpoint_auth_method: None,
//! };
//! assert!(rules.register(wanted.clone(), Words::Python, &[0; 48], 0).is_err());
//! let client: Registered = rules.register(wanted, Words::Python2, &[0; 48], 0)?;
//! assert_eq!(client.client_id, "00000000-0000-4000-8000-000000000000");
//! assert!(client.client_secret.is_some());
//! # Ok::<(), mcpbolt_proto::auth::authorization_server::Refused>(())
//! ```

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use super::refused::Refused;
use super::token::JWT_BEARER;
use crate::auth::secret::Secret;
use crate::auth::words::Words;

/// What a client asks to be.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct WantedClient {
    /// Its scopes, with blanks between them.
    #[serde(default)]
    pub scope: Option<String>,
    /// The grants it will use.
    #[serde(default)]
    pub grant_types: Vec<String>,
    /// The kinds of answers it will ask for.
    #[serde(default)]
    pub response_types: Vec<String>,
    /// How it will prove itself.
    #[serde(default)]
    pub token_endpoint_auth_method: Option<String>,
}

/// What a server takes and gives.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct RegistrationRules {
    /// The scopes there are; any, if missing.
    #[serde(default)]
    pub valid_scopes: Option<Vec<String>>,
    /// The scopes of a client that names none.
    #[serde(default)]
    pub default_scopes: Option<Vec<String>>,
    /// How long a secret is good, in seconds; for ever if missing, in TypeScript also if 0.
    #[serde(default)]
    pub secret_expiry: Option<i64>,
}

/// What a client is registered with.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Registered {
    /// Its id.
    pub client_id: String,
    /// Since when, in seconds since 1970.
    pub client_id_issued_at: i64,
    /// Its secret; none for a public client.
    pub client_secret: Option<Secret>,
    /// From when on that is void, in seconds since 1970.
    pub client_secret_expires_at: Option<i64>,
    /// Its scopes.
    pub scope: Option<String>,
    /// How it proves itself.
    pub token_endpoint_auth_method: Option<String>,
}

impl RegistrationRules {
    /// Registers a client. The random bytes are for this client and no other; `now` is in seconds
    /// since 1970.
    ///
    /// # Errors
    /// `invalid_client_metadata` for scopes, grants or answers that the server does not have.
    pub fn register(
        &self,
        wanted: WantedClient,
        words: Words,
        random: &[u8; 48],
        now: i64,
    ) -> Result<Registered, Refused> {
        let mut wanted = wanted;
        if words.is_python() {
            self.check(&mut wanted, words)?;
        }
        let public = wanted.token_endpoint_auth_method.as_deref() == Some("none");
        let (for_id, for_secret) = random.split_at(16);
        let end = match (words.is_python(), self.secret_expiry) {
            (false, _) if public => None,
            (false, life) => Some(life.filter(|life| *life > 0).map_or(0, |life| now + life)),
            (_, life) => life.map(|life| now + life),
        };
        Ok(Registered {
            client_id: uuid(for_id),
            client_id_issued_at: now,
            client_secret: (!public).then(|| Secret::new(hex(for_secret))),
            client_secret_expires_at: end,
            scope: wanted.scope,
            token_endpoint_auth_method: wanted.token_endpoint_auth_method,
        })
    }

    fn check(&self, wanted: &mut WantedClient, words: Words) -> Result<(), Refused> {
        let invalid = |said: String| Err(Refused::new("invalid_client_metadata", said));
        match (&wanted.scope, &self.valid_scopes) {
            (None, _) => wanted.scope = self.default_scopes.as_ref().map(|scopes| scopes.join(" ")),
            (Some(scope), Some(valid)) => {
                let mut unknown: Vec<&str> =
                    scope.split_whitespace().filter(|scope| !valid.iter().any(|one| one == scope)).collect();
                unknown.sort_unstable();
                unknown.dedup();
                if !unknown.is_empty() {
                    return invalid(format!("Requested scopes are not valid: {}", unknown.join(", ")));
                }
            }
            _ => {}
        }
        let has = |grant: &str| wanted.grant_types.iter().any(|one| one == grant);
        if words == Words::Python && !(has("authorization_code") && has("refresh_token")) {
            return invalid("grant_types must be authorization_code and refresh_token".to_owned());
        }
        if !has("authorization_code") {
            return invalid("grant_types must include 'authorization_code'".to_owned());
        }
        if words == Words::Python2 && has(JWT_BEARER) {
            return invalid(format!(
                "grant_types must not include '{JWT_BEARER}'; \
                 the identity-assertion grant requires a pre-registered client"
            ));
        }
        if !wanted.response_types.iter().any(|kind| kind == "code") {
            return invalid("response_types must include 'code' for authorization_code grant".to_owned());
        }
        let method = wanted.token_endpoint_auth_method.take().filter(|method| !method.is_empty());
        wanted.token_endpoint_auth_method = Some(method.unwrap_or_else(|| "client_secret_post".to_owned()));
        Ok(())
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// A random UUID (RFC 9562, version 4).
fn uuid(random: &[u8]) -> String {
    let mut bytes = random.to_vec();
    bytes[6] = (bytes[6] & 0x0f) | 0x40;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    let text = hex(&bytes);
    format!("{}-{}-{}-{}-{}", &text[..8], &text[8..12], &text[12..16], &text[16..20], &text[20..])
}
