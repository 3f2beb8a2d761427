//! Where tokens and registrations are kept.
//!
//! Owns: what is kept for one server, the trait, and two stores. Must not know: when
//! something is kept or forgotten.

mod file;
mod memory;
mod private_folder;

use serde::{Deserialize, Serialize};

use mcpbolt_proto::auth::authorization_request::Pending;
use mcpbolt_proto::auth::flow::{Change, KnownServer};
use mcpbolt_proto::auth::registration::{ClientInformation, ClientOrigin};
use mcpbolt_proto::auth::token::Tokens;
use mcpbolt_proto::protocol::Error;

use crate::handler::BoxFuture;

pub use file::FileStore;
pub use memory::MemoryStore;

/// What is kept for one server. Its serialised form has all secrets in plain text: keep it
/// where nobody else reads it.
///
/// ```
/// use mcpbolt::auth::{Credentials, Tokens};
///
/// let tokens = Tokens { access_token: "mF_9.Bxf-4.JqM".into(), ..Tokens::default() };
/// let kept = Credentials { tokens: Some(tokens), ..Credentials::default() };
/// assert!(!format!("{kept:?}").contains("mF_9"));
/// assert!(serde_json::to_string(&kept)?.contains("mF_9"));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Credentials {
    /// The tokens for the server.
    pub tokens: Option<Tokens>,
    /// The client as authorization servers know it, each with its issuer.
    pub client_registrations: Vec<ClientInformation>,
    /// What has to be remembered while the user is in the browser.
    pub pending_authorization: Option<Pending>,
    /// The authorization server that was found, to refresh tokens without searching again.
    pub authorization_server: Option<KnownServer>,
}

impl Credentials {
    /// Keeps or forgets something.
    pub(super) fn apply(&mut self, change: Change) {
        match change {
            Change::Client { issuer, client } => {
                self.client_registrations.retain(|kept| kept.issuer.as_deref() != Some(&*issuer));
                self.client_registrations.push(client);
            }
            Change::Tokens { tokens, .. } => self.tokens = Some(tokens),
            Change::ForgetClient { issuer } => {
                self.tokens = None;
                self.client_registrations.retain(|kept| {
                    kept.origin != ClientOrigin::Dynamic || kept.issuer.as_deref() != Some(&*issuer)
                });
            }
            Change::ForgetTokens { .. } => self.tokens = None,
        }
    }
}

/// Something that is held until it is dropped.
pub type StoreLock = Box<dyn Send>;

/// Keeps credentials, such as a keychain. `server` is the canonical URL of an MCP server.
///
/// ```
/// use std::collections::BTreeMap;
/// use std::sync::Mutex;
///
/// use mcpbolt::Error;
/// use mcpbolt::auth::{CredentialStore, Credentials, OAuth};
/// use mcpbolt::handler::BoxFuture;
///
/// /// One entry of text for each server, as keychains have it.
/// #[derive(Default)]
/// struct Keychain(Mutex<BTreeMap<String, String>>);
///
/// impl CredentialStore for Keychain {
///     fn load<'a>(&'a self, server: &'a str) -> BoxFuture<'a, Result<Credentials, Error>> {
///         let text = self.0.lock().unwrap().get(server).cloned();
///         let kept = text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
///         Box::pin(async { Ok(kept) })
///     }
///     fn save<'a>(&'a self, server: &'a str, kept: &'a Credentials) -> BoxFuture<'a, Result<(), Error>> {
///         let text = serde_json::to_string(kept).unwrap();
///         self.0.lock().unwrap().insert(server.to_owned(), text);
///         Box::pin(async { Ok(()) })
///     }
/// }
///
/// let oauth = OAuth::new("Example").store(Keychain::default());
/// # let _ = oauth;
/// ```
pub trait CredentialStore: Send + Sync + 'static {
    /// What is kept for a server; the default if nothing is.
    fn load<'a>(&'a self, server: &'a str) -> BoxFuture<'a, Result<Credentials, Error>>;

    /// Keeps this for a server, in place of what was kept.
    fn save<'a>(&'a self, server: &'a str, credentials: &'a Credentials) -> BoxFuture<'a, Result<(), Error>>;

    /// Waits until nobody else renews the credentials of a server, then keeps others from it
    /// until the lock is dropped. A refresh token is good once: of several programs that share
    /// a store one uses it, the others take what it brought. Without an implementation of its
    /// own a store is for one program.
    fn lock<'a>(&'a self, server: &'a str) -> BoxFuture<'a, Result<StoreLock, Error>> {
        let _ = server;
        Box::pin(std::future::ready(Ok(Box::new(()) as StoreLock)))
    }
}
