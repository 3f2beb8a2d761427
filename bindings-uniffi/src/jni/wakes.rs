//! Which inboxes have something to take. Owns: the queue that a loop of the host waits at.
//! Must not know: the JVM.
//!
//! A loop waits in Rust, so that no thread of the engine has to enter the JVM, and nothing
//! of the JVM has to be kept for it.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use crate::numbers::Numbers;

/// The loops of this process; each class loader of a JVM may have one.
static LOOPS: Numbers<Arc<Wakes>> = Numbers::new();

/// The queue of one loop.
#[derive(Default)]
pub(super) struct Wakes {
    due: Mutex<VecDeque<u64>>,
    some: Condvar,
}

impl Wakes {
    /// Makes one; its number.
    pub(super) fn enter() -> u64 {
        LOOPS.enter(Arc::default())
    }

    /// The one with this number.
    pub(super) fn find(number: u64) -> Option<Arc<Self>> {
        LOOPS.find(number)
    }

    /// An inbox has something to take; 0: the loop itself is wanted.
    pub(super) fn push(&self, inbox: u64) {
        self.due.lock().unwrap_or_else(PoisonError::into_inner).push_back(inbox);
        self.some.notify_one();
    }

    /// The next that was pushed. Waits for it.
    pub(super) fn next(&self) -> u64 {
        let mut due = self.due.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(inbox) = due.pop_front() {
                return inbox;
            }
            due = self.some.wait(due).unwrap_or_else(PoisonError::into_inner);
        }
    }
}
