//! What is kept of a client that an authorization server knows.
//!
//! Owns: its credentials, whose they are, how long they hold. Must not know: how they came.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::auth::error::AuthError;
use crate::auth::metadata::check_client_id;
use crate::auth::secret::Secret;

/// How a client became known.
///
/// ```
/// use mcpbolt_proto::auth::registration::{ClientInformation, ClientOrigin};
///
/// let client = ClientInformation::pre_registered("s6BhdRkqt3", "https://a.example.com");
/// assert_eq!(client.origin, ClientOrigin::PreRegistered);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClientOrigin {
    /// By hand: the program has it from its configuration, or from the user.
    #[default]
    PreRegistered,
    /// Its id is the URL of its metadata: good at every authorization server.
    MetadataDocument,
    /// It registered by itself, and can do so again.
    Dynamic,
}

/// A client as one authorization server knows it.
///
/// ```
/// use mcpbolt_proto::auth::registration::ClientInformation;
///
/// let client = ClientInformation {
///     client_secret: Some("gX1fBat3bV".into()),
///     ..ClientInformation::pre_registered("s6BhdRkqt3", "https://a.example.com")
/// };
/// assert!(!format!("{client:?}").contains("gX1fBat3bV"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ClientInformation {
    /// Its id.
    pub client_id: String,
    /// Its secret, if it has one.
    pub client_secret: Option<Secret>,
    /// When the secret ends, in seconds since 1970; `None` or 0 for never.
    pub client_secret_expires_at: Option<u64>,
    /// How it proves itself at the token endpoint, as it was registered.
    pub token_endpoint_auth_method: Option<String>,
    /// Where the browser may come back to, as it was registered; empty if nobody knows.
    pub redirect_uris: Vec<String>,
    /// The authorization server that knows it. It is noted by the client, never read from
    /// an answer.
    pub issuer: Option<String>,
    /// How it became known.
    pub origin: ClientOrigin,
}

impl ClientInformation {
    /// A client that was registered by hand at an issuer.
    pub fn pre_registered(client_id: impl Into<String>, issuer: impl Into<String>) -> Self {
        Self { client_id: client_id.into(), issuer: Some(issuer.into()), ..Self::default() }
    }

    /// A client whose id is the URL of its metadata document.
    pub fn of_document(url: &str) -> Result<Self, AuthError> {
        check_client_id(url)?;
        Ok(Self {
            client_id: url.to_owned(),
            token_endpoint_auth_method: Some("none".to_owned()),
            origin: ClientOrigin::MetadataDocument,
            ..Self::default()
        })
    }

    /// Whether its secret has ended. `now` is the time since 1970.
    pub fn is_expired(&self, now: Duration) -> bool {
        let end = self.client_secret_expires_at.filter(|end| *end != 0);
        self.client_secret.is_some() && end.is_some_and(|end| end <= now.as_secs())
    }
}
