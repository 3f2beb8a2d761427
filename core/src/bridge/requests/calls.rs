//! The calls the host was given, and what their origins are still needed for.

use std::collections::HashMap;
use std::sync::Arc;

use crate::handler::Call;
use mcpbolt_proto::jsonrpc::RawJson;

/// Who takes a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Lane {
    /// The host's loop, with `take`.
    #[default]
    Loop,
    /// A worker thread of the host, with `take_sync`.
    Worker,
}

/// A call from its arrival to its completion.
pub(crate) struct Row {
    pub(crate) call: Arc<Call>,
    pub(crate) connection: u64,
    pub(crate) lane: Lane,
    pub(crate) size: usize,
    /// Whether the host has it.
    pub(crate) taken: bool,
    /// The origin it holds; 0 while parked.
    pub(crate) origin: u64,
    pub(crate) invalid: Option<RawJson>,
}

/// All calls that are not completed.
#[derive(Default)]
pub(crate) struct Table {
    pub(crate) rows: HashMap<u64, Row>,
    origins: HashMap<u64, usize>,
}

impl Table {
    pub(crate) fn insert(&mut self, row: Row) {
        self.hold(row.origin);
        self.rows.insert(row.call.id().0, row);
    }

    /// Takes a call out; the second is an origin nothing refers to any more.
    pub(crate) fn remove(&mut self, call: u64) -> Option<(Row, Option<u64>)> {
        let row = self.rows.remove(&call)?;
        let closed = self.release(row.origin);
        Some((row, closed))
    }

    /// A retry, or parking, gave a call another origin. Returns one that is free now.
    pub(crate) fn rebind(&mut self, call: u64, origin: u64) -> Option<u64> {
        let row = self.rows.get_mut(&call)?;
        let old = std::mem::replace(&mut row.origin, origin);
        self.hold(origin);
        self.release(old)
    }

    /// One more reference to an origin.
    pub(crate) fn hold(&mut self, origin: u64) {
        if origin != 0 {
            *self.origins.entry(origin).or_default() += 1;
        }
    }

    /// One less; returns the origin if that was the last.
    pub(crate) fn release(&mut self, origin: u64) -> Option<u64> {
        let count = self.origins.get_mut(&origin)?;
        *count -= 1;
        (*count == 0).then(|| {
            self.origins.remove(&origin);
            origin
        })
    }

    pub(crate) fn is_queued(&self, call: u64) -> bool {
        self.rows.get(&call).is_some_and(|row| !row.taken)
    }
}
