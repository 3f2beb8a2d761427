//! Which nodes of a fleet live.
//!
//! Owns: a sign of life of this node, and looking for those of others. Must not know: sessions and
//! tasks, or what is made of a node that is gone.

use std::collections::VecDeque;
use std::future::pending;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bytes::Bytes;
use parking_lot::Mutex;

use crate::store::{Condition, Table};

use super::Spawner;
use super::timer::within;

/// How long a sign of life is good for.
const LEASE: Duration = Duration::from_secs(6);
/// How often it is renewed, and how often that of another node is looked for.
pub(crate) const RENEW: Duration = Duration::from_secs(2);
/// So many times in a row a node is missed before it is gone: a store that was away has no signs of life
/// at first, and what is said of a node that is gone cannot be taken back.
pub(crate) const GONE: u32 = 4;
/// So many nodes that are gone are remembered.
const REMEMBERED: usize = 64;
/// What `data.reason` of an error says where the node is gone that did the work.
pub(crate) const REASON: &str = "node_gone";

/// A node's sign of life in the store, and whose was missed.
#[derive(Default)]
pub(crate) struct Lease {
    kept: Arc<AtomicBool>,
    #[cfg(feature = "http-server")]
    gone: Mutex<VecDeque<String>>,
}

impl Lease {
    /// Renews it from now on, as long as this is there. Once is enough.
    pub(crate) fn keep(&self, spawner: &Spawner, table: &Arc<dyn Table>, node: &str) {
        if self.kept.swap(true, Ordering::Relaxed) {
            return;
        }
        let (kept, table, key) = (Arc::downgrade(&self.kept), Arc::clone(table), key(node));
        spawner.spawn(async move {
            while kept.strong_count() > 0 {
                // A store without room for more still takes this. One that is away has no other
                // signs of life either.
                if !table.touch(&key, LEASE).await.unwrap_or_default() {
                    let _ = table.put(&key, Bytes::new(), Condition::Any, Some(LEASE)).await;
                }
                let _ = within(RENEW, pending::<()>()).await;
            }
        });
    }

    /// A node has been gone for long enough to be sure.
    #[cfg(feature = "http-server")]
    pub(crate) fn note_gone(&self, node: &str) {
        let mut gone = self.gone.lock();
        if !gone.iter().any(|known| known == node) {
            if gone.len() == REMEMBERED {
                gone.pop_front();
            }
            gone.push_back(node.to_owned());
        }
    }

    /// Whether that was noted of a node.
    #[cfg(feature = "http-server")]
    pub(crate) fn noted_gone(&self, node: &str) -> bool {
        self.gone.lock().iter().any(|known| known == node)
    }
}

/// Whether a node lives, as far as is known: what the store does not say counts as yes.
pub(crate) async fn lives(table: &dyn Table, node: &str) -> bool {
    !matches!(table.get(&key(node)).await, Ok(None))
}

fn key(node: &str) -> String {
    format!("node/{node}")
}
