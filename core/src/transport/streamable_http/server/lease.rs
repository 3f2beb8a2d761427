//! Which nodes of a fleet live.
//!
//! Owns: a sign of life of this node, and looking for those of others. Must not know: sessions, or
//! what is made of a node that is gone.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bytes::Bytes;

use crate::store::{Condition, Table};

/// How long a sign of life is good for.
const LEASE: Duration = Duration::from_secs(15);
/// How often it is renewed, and how often that of another node is looked for.
pub(super) const RENEW: Duration = Duration::from_secs(5);

/// A node's sign of life in the store.
#[derive(Default)]
pub(super) struct Lease {
    kept: Arc<AtomicBool>,
}

impl Lease {
    /// Renews it from now on, as long as this is there. Once is enough.
    pub(super) fn keep(&self, table: &Arc<dyn Table>, node: &str) {
        if self.kept.swap(true, Ordering::Relaxed) {
            return;
        }
        let (kept, table, key) = (Arc::downgrade(&self.kept), Arc::clone(table), key(node));
        tokio::spawn(async move {
            let mut tick = tokio::time::interval(RENEW);
            while kept.strong_count() > 0 {
                tick.tick().await;
                // A store that is away has no other signs of life either.
                let _ = table.put(&key, Bytes::new(), Condition::Any, Some(LEASE)).await;
            }
        });
    }
}

/// Whether a node lives, as far as is known: what the store does not say counts as yes.
pub(super) async fn lives(table: &dyn Table, node: &str) -> bool {
    !matches!(table.get(&key(node)).await, Ok(None))
}

fn key(node: &str) -> String {
    format!("node/{node}")
}
