//! Inboxes by number. Owns: that a number leads to its inbox while that is there, and to
//! nothing afterwards. Must not know: who asks.
//!
//! A number crosses where a pointer would be wrong: used too late it finds nothing, and
//! none is given twice.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock, Weak};

use mcpbolt::bridge::Inbox;

static INBOXES: RwLock<BTreeMap<u64, Weak<Inbox>>> = RwLock::new(BTreeMap::new());

/// Gives an inbox its number, which is never 0.
pub(crate) fn enter(inbox: &Arc<Inbox>) -> u64 {
    static LAST: AtomicU64 = AtomicU64::new(0);
    let number = LAST.fetch_add(1, Ordering::Relaxed) + 1;
    INBOXES.write().unwrap_or_else(PoisonError::into_inner).insert(number, Arc::downgrade(inbox));
    number
}

/// The number leads nowhere from here on.
pub(crate) fn leave(number: u64) {
    INBOXES.write().unwrap_or_else(PoisonError::into_inner).remove(&number);
}

/// The inbox with this number.
pub(crate) fn find(number: u64) -> Option<Arc<Inbox>> {
    INBOXES.read().unwrap_or_else(PoisonError::into_inner).get(&number)?.upgrade()
}
