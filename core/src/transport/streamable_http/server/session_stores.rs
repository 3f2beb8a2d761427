//! What several nodes share, so that each can serve every legacy session.
//!
//! Owns: the option that hands the stores in. Must not know: what is kept in them.

use std::fmt;
use std::sync::Arc;

use mcpbolt_proto::protocol::{Error, ErrorKind};

use crate::store::{Bus, Log, Stores, Table};

/// The stores of legacy sessions. Servers that are given the same three serve the same
/// sessions: any of them answers the next request, resumes a stream or ends a session.
///
/// Keys are hashes of session ids. Values are small and versioned; events carry what
/// was sent, so protect the stores like the traffic.
///
/// ```
/// use std::sync::Arc;
/// use mcpbolt::store::{MemoryBus, MemoryLog, MemoryTable};
/// use mcpbolt::transport::streamable_http::server::{HttpOptions, SessionStores};
///
/// let stores = SessionStores::new(
///     Arc::new(MemoryTable::new(10_000, 64 << 20)),
///     Arc::new(MemoryLog::new(100_000, 64 << 20)),
///     Arc::new(MemoryBus::new(10_000, 1_000)),
/// );
/// let options = HttpOptions { stores: Some(stores), ..HttpOptions::default() };
/// # let _ = options;
/// ```
#[derive(Clone)]
pub struct SessionStores {
    pub(super) sessions: Arc<dyn Table>,
    pub(super) events: Arc<dyn Log>,
    pub(super) bus: Arc<dyn Bus>,
    pub(super) node: String,
}

impl SessionStores {
    /// Stores shared under a random node name.
    pub fn new(sessions: Arc<dyn Table>, events: Arc<dyn Log>, bus: Arc<dyn Bus>) -> Self {
        Self { sessions, events, bus, node: crate::seal::random_token(6) }
    }

    /// Those that a server was built with, if nodes can share them.
    pub(super) fn of(stores: &Stores) -> Option<Self> {
        let (events, bus) = stores.fleet.clone()?;
        Some(Self::new(Arc::clone(&stores.table), events, bus))
    }

    /// Names this node. The name shows in ids of requests to clients, and must differ
    /// from the names of all others, and from its own before a restart.
    ///
    /// # Errors
    /// `Usage` for a name that is empty, longer than 64, or has other characters than
    /// ASCII letters, digits, `-` and `_`.
    pub fn node(mut self, name: &str) -> Result<Self, Error> {
        let plain = |c: u8| c.is_ascii_alphanumeric() || c == b'-' || c == b'_';
        if name.is_empty() || name.len() > 64 || !name.bytes().all(plain) {
            let message = "a node name has 1 to 64 ASCII letters, digits, '-' or '_'";
            return Err(Error::new(ErrorKind::Usage, message));
        }
        name.clone_into(&mut self.node);
        Ok(self)
    }
}

impl fmt::Debug for SessionStores {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SessionStores").field("node", &self.node).finish_non_exhaustive()
    }
}
