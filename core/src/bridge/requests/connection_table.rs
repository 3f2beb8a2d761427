//! The connections of a host's servers: how to reach them, and whether the host knows them.
//!
//! Owns: both for each connection. Must not know: items, calls.
//!
//! Over HTTP a connection may be one exchange that the engine answers by itself. The host
//! hears of the end of such a connection only if an item named it: nothing it may have
//! kept under the number is left behind, and what it never knew makes no noise.

use std::collections::HashMap;
use std::sync::{Arc, Weak};

use crate::handler::{Link, TransportKind};

/// A connection of a server.
pub(crate) struct ConnectionEntry {
    link: Weak<dyn Link>,
    /// Whether an item named it.
    pub(crate) is_named: bool,
    /// Whether it is over HTTP, where the host does not wait for its end.
    pub(crate) is_http: bool,
}

/// Connections of servers by number.
#[derive(Default)]
pub(crate) struct ConnectionTable(HashMap<u64, ConnectionEntry>);

impl ConnectionTable {
    pub(crate) fn insert(&mut self, connection: u64, link: &Arc<dyn Link>) {
        let is_http = matches!(link.info().transport, TransportKind::Http | TransportKind::LegacySse);
        let entry = ConnectionEntry { link: Arc::downgrade(link), is_named: !is_http, is_http };
        self.0.insert(connection, entry);
    }

    pub(crate) fn remove(&mut self, connection: u64) -> Option<ConnectionEntry> {
        self.0.remove(&connection)
    }

    /// An item names the connection: the host hears of it.
    pub(crate) fn name(&mut self, connection: u64) {
        if let Some(entry) = self.0.get_mut(&connection) {
            entry.is_named = true;
        }
    }

    /// The connection, unless it is over.
    pub(crate) fn link(&self, connection: u64) -> Option<Arc<dyn Link>> {
        self.0.get(&connection)?.link.upgrade()
    }
}
