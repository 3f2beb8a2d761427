//! What a program decided about signing in, at whichever server.
//!
//! Owns: the parts and their defaults. Must not know: how they are used.

use std::sync::Arc;
use std::time::Duration;

use mcpbolt_proto::auth::flow::Options;
use mcpbolt_proto::auth::metadata::ClientMetadata;
use mcpbolt_proto::auth::registration::ClientInformation;

use super::dpop_key::DpopKey;
use super::redirect::{Loopback, RedirectReceiver};
use super::store::{CredentialStore, MemoryStore};
use super::supply::Supplier;

/// How long a user may take in the browser.
const PATIENCE: Duration = Duration::from_mins(5);

/// All of it. The server's URL in the flow's options is filled in when it is known.
#[derive(Clone)]
pub(super) struct Settings {
    pub(super) flow: Options,
    /// Clients that were registered by hand.
    pub(super) clients: Vec<ClientInformation>,
    pub(super) store: Arc<dyn CredentialStore>,
    pub(super) redirect: Arc<dyn RedirectReceiver>,
    pub(super) supplier: Option<Arc<dyn Supplier>>,
    /// What tokens are bound to.
    pub(super) dpop: Option<DpopKey>,
    pub(super) patience: Duration,
}

impl Settings {
    pub(super) fn new(client_name: String) -> Self {
        let client = ClientMetadata { client_name: Some(client_name), ..ClientMetadata::default() };
        Self {
            flow: Options { client, ..Options::new("") },
            clients: Vec::new(),
            store: Arc::new(MemoryStore::default()),
            redirect: Arc::new(Loopback::new()),
            supplier: None,
            dpop: None,
            patience: PATIENCE,
        }
    }
}
