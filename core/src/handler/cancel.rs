//! Cancellation of one call: a flag, its reason, and who waits for it.
//!
//! Owns: that it is set once, and that none who waits is missed. Must not know: calls, or
//! what follows from it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Waker;

use parking_lot::Mutex;

use mcpbolt_proto::session::CancelReason;

/// Set once, never unset.
#[derive(Debug, Default)]
pub(super) struct CancelFlag {
    set: AtomicBool,
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    reason: Option<CancelReason>,
    wakers: Vec<Waker>,
}

impl CancelFlag {
    pub(super) fn is_set(&self) -> bool {
        self.set.load(Ordering::Acquire)
    }

    /// `false` if it was set before.
    pub(super) fn set(&self, reason: CancelReason) -> bool {
        let wakers = {
            let mut inner = self.inner.lock();
            if self.set.swap(true, Ordering::AcqRel) {
                return false;
            }
            inner.reason = Some(reason);
            std::mem::take(&mut inner.wakers)
        };
        wakers.into_iter().for_each(Waker::wake);
        true
    }

    pub(super) fn reason(&self) -> Option<CancelReason> {
        self.inner.lock().reason.clone()
    }

    pub(super) fn register(&self, waker: &Waker) {
        let mut inner = self.inner.lock();
        if self.is_set() {
            drop(inner);
            waker.wake_by_ref();
        } else if !inner.wakers.iter().any(|known| known.will_wake(waker)) {
            // Most calls have one, and there may be many calls.
            inner.wakers.reserve_exact(1);
            inner.wakers.push(waker.clone());
        }
    }
}

/// A handler's future that waits, as its call sees it.
pub(super) trait Pending: Send + Sync {
    /// Ends a cancelled call, unless its task has it in hand and will see for itself.
    fn let_go(&self);
}
