//! Which nodes of a fleet live.
//!
//! Owns: a sign of life of this node, and looking for those of others. Must not know: sessions, or
//! what is made of a node that is gone.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bytes::Bytes;
use parking_lot::Mutex;

use crate::store::{Condition, Table};

/// How long a sign of life is good for.
const LEASE: Duration = Duration::from_secs(6);
/// How often it is renewed, and how often that of another node is looked for.
pub(super) const RENEW: Duration = Duration::from_secs(2);
/// So many nodes that are gone are remembered.
const REMEMBERED: usize = 64;

/// A node's sign of life in the store, and whose was missed.
#[derive(Default)]
pub(super) struct Lease {
    kept: Arc<AtomicBool>,
    gone: Mutex<VecDeque<String>>,
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

    /// A node has been gone for long enough to be sure.
    pub(super) fn note_gone(&self, node: &str) {
        let mut gone = self.gone.lock();
        if !gone.iter().any(|known| known == node) {
            if gone.len() == REMEMBERED {
                gone.pop_front();
            }
            gone.push_back(node.to_owned());
        }
    }

    /// Whether that was noted of a node.
    pub(super) fn noted_gone(&self, node: &str) -> bool {
        self.gone.lock().iter().any(|known| known == node)
    }
}

/// Whether a node lives, as far as is known: what the store does not say counts as yes.
pub(super) async fn lives(table: &dyn Table, node: &str) -> bool {
    !matches!(table.get(&key(node)).await, Ok(None))
}

fn key(node: &str) -> String {
    format!("node/{node}")
}
