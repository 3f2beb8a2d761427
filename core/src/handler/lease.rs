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

use mcpbolt_proto::session::Time;

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
    /// Since when.
    missed: Mutex<VecDeque<(String, Time)>>,
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

    /// Whether the signs of life of a node have been missing for long enough to be sure, as far as was
    /// looked for them here.
    pub(crate) async fn misses(&self, table: &dyn Table, node: &str, now: Time) -> bool {
        let lives = lives(table, node).await;
        let mut missed = self.missed.lock();
        let known = missed.iter().position(|(known, _)| known == node);
        match known {
            Some(at) if lives => drop(missed.remove(at)),
            Some(at) => return now.saturating_sub(missed[at].1) >= RENEW * GONE,
            None if lives => {}
            None => remember(&mut missed, (node.to_owned(), now)),
        }
        false
    }

    /// A node has been gone for long enough to be sure.
    #[cfg(feature = "http-server")]
    pub(crate) fn note_gone(&self, node: &str) {
        let mut gone = self.gone.lock();
        if !gone.iter().any(|known| known == node) {
            remember(&mut gone, node.to_owned());
        }
    }

    /// Whether that was noted of a node.
    #[cfg(feature = "http-server")]
    pub(crate) fn noted_gone(&self, node: &str) -> bool {
        self.gone.lock().iter().any(|known| known == node)
    }
}

/// The oldest is forgotten for one more.
fn remember<T>(known: &mut VecDeque<T>, one: T) {
    if known.len() == REMEMBERED {
        known.pop_front();
    }
    known.push_back(one);
}

/// Whether a node lives, as far as is known: what the store does not say counts as yes.
pub(crate) async fn lives(table: &dyn Table, node: &str) -> bool {
    !matches!(table.get(&key(node)).await, Ok(None))
}

fn key(node: &str) -> String {
    format!("node/{node}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::MemoryTable;

    #[tokio::test]
    async fn a_node_is_missed_when_no_look_found_it_for_long_enough() {
        let (lease, table) = (Lease::default(), MemoryTable::new(10, 1_000));
        let at = Duration::from_secs;
        assert!(!lease.misses(&table, "a", at(0)).await, "missed for the first time");
        assert!(!lease.misses(&table, "a", at(7)).await);
        assert!(lease.misses(&table, "a", at(8)).await);
        assert!(!lease.misses(&table, "b", at(8)).await, "another one");
        table.put("node/a", Bytes::new(), Condition::Any, None).await.unwrap();
        assert!(!lease.misses(&table, "a", at(9)).await, "it lives");
        table.delete("node/a").await.unwrap();
        assert!(!lease.misses(&table, "a", at(20)).await, "missed anew");
        assert!(lease.misses(&table, "a", at(28)).await);
    }
}
