//! Requests that were not answered at once: counted, and ended by a shutdown.
//!
//! Owns: the table of their connections. Must not know: why they take long.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Weak};

use mcpbolt_proto::session::NumberMap;

use crate::transport::connection::ServerConnection;

use super::parts::Parts;

/// The connections that serve one POST each.
#[derive(Default)]
pub(super) struct InFlight {
    next: AtomicU64,
    /// All of them: every request asks for it.
    running: AtomicUsize,
    parts: Parts<NumberMap<u64, Entry>>,
}

struct Entry {
    connection: Weak<ServerConnection>,
    listens: bool,
}

impl InFlight {
    pub(super) fn len(&self) -> usize {
        self.running.load(Ordering::Relaxed)
    }

    pub(super) fn enter(&self, connection: &Arc<ServerConnection>, listens: bool) -> u64 {
        let key = self.next.fetch_add(1, Ordering::Relaxed);
        let entry = Entry { connection: Arc::downgrade(connection), listens };
        self.parts.of(key).lock().insert(key, entry);
        self.running.fetch_add(1, Ordering::Relaxed);
        key
    }

    pub(super) fn leave(&self, key: u64) {
        let entry = self.parts.of(key).lock().remove(&key);
        self.running.fetch_sub(usize::from(entry.is_some()), Ordering::Relaxed);
    }

    /// Ends listen streams with their final result.
    pub(super) fn end_listens(&self) {
        self.close(|entry| entry.listens);
    }

    /// Ends everything.
    pub(super) fn cancel_all(&self) {
        self.close(|_| true);
    }

    fn close(&self, which: impl Fn(&Entry) -> bool) {
        let mut chosen = Vec::new();
        for part in self.parts.iter() {
            let running = part.lock();
            let entries = running.values().filter(|entry| which(entry));
            chosen.extend(entries.filter_map(|entry| entry.connection.upgrade()));
        }
        for connection in chosen {
            connection.close(true);
        }
    }
}
