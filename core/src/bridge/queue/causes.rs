//! The host's numbers for what caused an input, and how long each is needed.
//!
//! Owns: how many things refer to a cause, and telling the host when nothing does any more.
//! Must not know: what refers to it, what the host keeps under it.

use std::collections::HashMap;
use std::sync::Weak;

use crate::bridge::boundary::fork_guard::ForkGuard;
use crate::bridge::boundary::item::Item;

use super::inbox::Inbox;
use super::open::{Closing, Open};

/// How many things refer to each cause. The cause 0 is that of things without one.
#[derive(Default)]
pub(crate) struct Causes(HashMap<u64, usize>);

impl Causes {
    /// One more reference to a cause.
    pub(crate) fn hold(&mut self, cause: u64) {
        if cause != 0 {
            *self.0.entry(cause).or_default() += 1;
        }
    }

    /// One less; returns the cause if that was the last.
    pub(crate) fn release(&mut self, cause: u64) -> Option<u64> {
        let count = self.0.get_mut(&cause)?;
        *count -= 1;
        (*count == 0).then(|| {
            self.0.remove(&cause);
            cause
        })
    }

    /// A reference moves on. Returns the old cause if nothing refers to it any more.
    pub(crate) fn swap(&mut self, old: u64, new: u64) -> Option<u64> {
        // Held first, so that a cause which stays the same is not let go in between.
        self.hold(new);
        self.release(old)
    }
}

impl Open for Causes {
    fn close(&mut self, _: ForkGuard) -> Closing {
        self.0.clear();
        Box::new(|| ())
    }
}

impl Inbox {
    /// Tells the host that nothing refers to a cause any more.
    pub(crate) fn cause_closed(&self, cause: Option<u64>) {
        if let Some(cause) = cause {
            self.post_deferred(Item::CauseClosed { cause });
        }
    }
}

/// A reference to a cause, let go when it is dropped.
pub(crate) struct CauseHold {
    inbox: Weak<Inbox>,
    cause: u64,
}

impl CauseHold {
    pub(crate) fn new(inbox: Weak<Inbox>, cause: u64) -> Self {
        if let Some(inbox) = inbox.upgrade() {
            inbox.lock().of::<Causes>().hold(cause);
        }
        Self { inbox, cause }
    }

    pub(crate) fn cause(&self) -> u64 {
        self.cause
    }
}

impl Drop for CauseHold {
    fn drop(&mut self) {
        if let Some(inbox) = self.inbox.upgrade() {
            let closed = inbox.lock().of::<Causes>().release(self.cause);
            inbox.cause_closed(closed);
        }
    }
}
