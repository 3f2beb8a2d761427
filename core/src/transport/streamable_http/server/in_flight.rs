//! Requests that were not answered at once: counted, and ended by a shutdown.
//!
//! Owns: the table of their connections. Must not know: why they take long.

use std::collections::HashMap;
use std::sync::{Arc, Weak};

use parking_lot::Mutex;

use crate::transport::connection::ServerConnection;

/// The connections that serve one POST each.
#[derive(Default)]
pub(super) struct InFlight(Mutex<Inner>);

#[derive(Default)]
struct Inner {
    next: u64,
    running: HashMap<u64, Entry>,
}

struct Entry {
    connection: Weak<ServerConnection>,
    listens: bool,
}

impl InFlight {
    pub(super) fn len(&self) -> usize {
        self.0.lock().running.len()
    }

    pub(super) fn enter(&self, connection: &Arc<ServerConnection>, listens: bool) -> u64 {
        let mut inner = self.0.lock();
        inner.next += 1;
        let key = inner.next;
        inner.running.insert(key, Entry { connection: Arc::downgrade(connection), listens });
        key
    }

    pub(super) fn leave(&self, key: u64) {
        self.0.lock().running.remove(&key);
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
        let chosen: Vec<_> = {
            let inner = self.0.lock();
            inner
                .running
                .values()
                .filter(|entry| which(entry))
                .filter_map(|entry| entry.connection.upgrade())
                .collect()
        };
        for connection in chosen {
            connection.close(true);
        }
    }
}
