//! Credentials that end with the program.
//!
//! Owns: the map and a lock for each server. Must not know: files.

use std::collections::BTreeMap;
use std::sync::Arc;

use parking_lot::Mutex;

use mcpbolt_proto::protocol::Error;

use super::{CredentialStore, Credentials, StoreLock};
use crate::handler::BoxFuture;

/// Keeps credentials in memory, so that users sign in each time the program starts. Clones
/// share what they keep.
///
/// ```
/// use mcpbolt::auth::{MemoryStore, OAuth};
///
/// let store = MemoryStore::default();
/// let (one, other) = (OAuth::new("One").store(store.clone()), OAuth::new("Other").store(store));
/// # let _ = (one, other);
/// ```
#[derive(Clone, Default)]
pub struct MemoryStore {
    servers: Arc<Mutex<BTreeMap<String, Entry>>>,
}

#[derive(Default)]
struct Entry {
    credentials: Credentials,
    lock: Arc<tokio::sync::Mutex<()>>,
}

impl std::fmt::Debug for MemoryStore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "MemoryStore({} servers)", self.servers.lock().len())
    }
}

impl CredentialStore for MemoryStore {
    fn load<'a>(&'a self, server: &'a str) -> BoxFuture<'a, Result<Credentials, Error>> {
        let kept = self.servers.lock().get(server).map(|entry| entry.credentials.clone());
        Box::pin(std::future::ready(Ok(kept.unwrap_or_default())))
    }

    fn save<'a>(&'a self, server: &'a str, credentials: &'a Credentials) -> BoxFuture<'a, Result<(), Error>> {
        self.servers.lock().entry(server.to_owned()).or_default().credentials = credentials.clone();
        Box::pin(std::future::ready(Ok(())))
    }

    fn lock<'a>(&'a self, server: &'a str) -> BoxFuture<'a, Result<StoreLock, Error>> {
        let lock = Arc::clone(&self.servers.lock().entry(server.to_owned()).or_default().lock);
        Box::pin(async { Ok(Box::new(lock.lock_owned().await) as StoreLock) })
    }
}
