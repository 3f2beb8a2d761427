//! Requests that were not answered at once: counted, and ended by a shutdown.
//!
//! Owns: the table of their connections. Must not know: why they take long.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Weak};

use parking_lot::Mutex;

use mcpbolt_proto::session::NumberMap;

use crate::transport::connection::ServerConnection;

/// How many parts the table has, each with a lock of its own.
const PARTS: usize = 32;

/// The connections that serve one POST each.
#[derive(Default)]
pub(super) struct InFlight {
    next: AtomicU64,
    /// All of them: every request asks for it.
    running: AtomicUsize,
    parts: [Part; PARTS],
}

/// One request of as many as there are parts; on cache lines of its own.
#[derive(Default)]
#[repr(align(128))]
struct Part(Mutex<NumberMap<u64, Entry>>);

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
        self.part(key).lock().insert(key, entry);
        self.running.fetch_add(1, Ordering::Relaxed);
        key
    }

    pub(super) fn leave(&self, key: u64) {
        let entry = self.part(key).lock().remove(&key);
        self.running.fetch_sub(usize::from(entry.is_some()), Ordering::Relaxed);
    }

    fn part(&self, key: u64) -> &Mutex<NumberMap<u64, Entry>> {
        &self.parts[usize::try_from(key % PARTS as u64).unwrap_or_default()].0
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
        let chosen: Vec<_> = self.parts.iter().flat_map(|part| part.chosen(&which)).collect();
        for connection in chosen {
            connection.close(true);
        }
    }
}

impl Part {
    fn chosen(&self, which: impl Fn(&Entry) -> bool) -> Vec<Arc<ServerConnection>> {
        let running = self.0.lock();
        running.values().filter(|entry| which(entry)).filter_map(|entry| entry.connection.upgrade()).collect()
    }
}
