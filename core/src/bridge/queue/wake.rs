//! Telling the host, or a task that waits, that there is something to take.
//!
//! Owns: telling them, never under a lock. Must not know: what there is to take.

use std::sync::Arc;
use std::task::Waker;

use crate::bridge::boundary::panics::contain;

/// Tells the host that there is something to take. Carries no data, may come for
/// nothing, may come from any thread, and must not call the inbox.
pub type Wake = Arc<dyn Fn() + Send + Sync>;

/// A wake that is due once the inbox's lock is released.
#[must_use]
#[derive(Default)]
pub(crate) struct Wakeup {
    host: Option<Wake>,
    /// Futures of `Inbox::ready`, each under the number it waits with.
    tasks: Vec<(u64, Waker)>,
}

impl Wakeup {
    pub(crate) fn new(host: Option<Wake>, tasks: Vec<(u64, Waker)>) -> Self {
        Self { host, tasks }
    }

    /// Wakes them all. A wake of the host that panics does not keep tasks from being woken.
    pub(crate) fn fire(self) {
        if let Some(wake) = self.host {
            let _ = contain(|| wake());
        }
        self.tasks.into_iter().for_each(|(_, waker)| waker.wake());
    }
}
