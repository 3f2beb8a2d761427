//! Which way a client becomes known.
//!
//! Owns: the order of the specification, that credentials of one issuer are shown to no
//! other, and when a client registers again. Must not know: how any way is gone.

use std::time::Duration;

use url::Url;

use super::client::{ClientInformation, ClientOrigin};
use crate::auth::discovery::is_same_issuer;
use crate::auth::endpoint;
use crate::auth::error::AuthError;
use crate::auth::metadata::{AuthorizationServerMetadata, ClientMetadata};

/// What becomes of a client that nobody noted an issuer for.
///
/// ```
/// use mcpbolt_proto::auth::registration::Unbound;
///
/// assert_eq!(Unbound::default(), Unbound::Refuse);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Unbound {
    /// It is an error: otherwise the server would decide who gets the credentials.
    #[default]
    Refuse,
    /// It belongs to the first issuer that is found, as in the official 1.x packages.
    Bind,
}

/// The way a client becomes known to an authorization server.
///
/// ```
/// use mcpbolt_proto::auth::registration::Way;
///
/// assert_ne!(Way::Register, Way::AskUser);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Way {
    /// It is known already, or its id is the URL of its document.
    Known(ClientInformation),
    /// It registers by itself.
    Register,
    /// The user has to register it and say its id.
    AskUser,
}

/// What is known when the way is chosen.
///
/// ```
/// use mcpbolt_proto::auth::metadata::{AuthorizationServerMetadata, ClientMetadata};
/// use mcpbolt_proto::auth::registration::{Situation, Unbound, Way};
///
/// let situation = Situation {
///     issuer: "https://a.example.com",
///     server: &AuthorizationServerMetadata::default(), // no registration endpoint
///     clients: &[],
///     metadata: &ClientMetadata::default(),
///     metadata_url: None,
///     unbound: Unbound::Refuse,
///     now: std::time::Duration::ZERO,
/// };
/// assert_eq!(situation.way()?, Way::AskUser);
/// # Ok::<(), mcpbolt_proto::auth::error::AuthError>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Situation<'a> {
    /// The authorization server.
    pub issuer: &'a str,
    /// What it says of itself.
    pub server: &'a AuthorizationServerMetadata,
    /// The clients that the program configured or kept, of any issuer.
    pub clients: &'a [ClientInformation],
    /// What the client says of itself.
    pub metadata: &'a ClientMetadata,
    /// Where it publishes that.
    pub metadata_url: Option<&'a str>,
    /// What becomes of clients without an issuer.
    pub unbound: Unbound,
    /// The time since 1970.
    pub now: Duration,
}

impl Situation<'_> {
    /// The first way that is open: a client registered by hand, the URL of its metadata
    /// document, a registration that is kept for this issuer, a new one, asking the user. A
    /// client registered by hand for another issuer is an error even if another way is open: the
    /// program says which client it wants to be.
    pub fn way(&self) -> Result<Way, AuthError> {
        let manual = |client: &&ClientInformation| client.origin == ClientOrigin::PreRegistered;
        if let Some(client) = self.clients.iter().filter(manual).find(|client| self.is_ours(client)) {
            return self.usable(client.clone());
        }
        if let Some(client) = self.clients.iter().find(manual) {
            return match &client.issuer {
                Some(bound) => Err(AuthError::ClientBoundElsewhere {
                    bound: bound.clone(),
                    current: self.issuer.to_owned(),
                }),
                None if self.unbound == Unbound::Bind => {
                    let issuer = Some(self.issuer.to_owned());
                    self.usable(ClientInformation { issuer, ..client.clone() })
                }
                None => Err(AuthError::ClientUnbound),
            };
        }
        if let Some(url) = self.metadata_url.filter(|_| self.server.client_id_metadata_document_supported) {
            return Ok(Way::Known(ClientInformation::of_document(url)?));
        }
        let dynamic = |client: &&ClientInformation| client.origin == ClientOrigin::Dynamic;
        let kept = self.clients.iter().filter(dynamic).find(|client| self.is_ours(client));
        match kept {
            Some(client) if !client.is_expired(self.now) && self.still_fits(client) => {
                Ok(Way::Known(client.clone()))
            }
            _ if self.server.registration_endpoint.is_some() => Ok(Way::Register),
            _ => Ok(Way::AskUser),
        }
    }

    fn is_ours(&self, client: &ClientInformation) -> bool {
        client.issuer.as_deref().is_some_and(|issuer| is_same_issuer(issuer, self.issuer))
    }

    fn usable(&self, client: ClientInformation) -> Result<Way, AuthError> {
        if client.is_expired(self.now) {
            return Err(AuthError::ClientSecretExpired { issuer: self.issuer.to_owned() });
        }
        Ok(Way::Known(client))
    }

    /// Whether a client registered for where the browser comes back to now. On this machine
    /// any port is good (RFC 8252, section 7.3).
    fn still_fits(&self, client: &ClientInformation) -> bool {
        client.redirect_uris.is_empty()
            || self
                .metadata
                .redirect_uris
                .iter()
                .take(1)
                .all(|wanted| client.redirect_uris.iter().any(|known| portless(known) == portless(wanted)))
    }
}

fn portless(uri: &str) -> String {
    let Ok(mut url) = Url::parse(uri) else { return uri.to_owned() };
    if !endpoint::is_loopback(&url) {
        return uri.to_owned();
    }
    // It cannot fail: the URL has a host.
    let _ = url.set_port(None);
    url.into()
}
