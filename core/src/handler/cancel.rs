//! Cancellation of one call: a flag, its reason, and whoever waits for it.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Waker};

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
            inner.wakers.push(waker.clone());
        }
    }
}

/// Resolves when the call is cancelled; pending for ever otherwise.
#[derive(Debug, Clone)]
pub struct Cancelled(pub(super) Arc<super::Call>);

impl Future for Cancelled {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        if self.0.is_cancelled() {
            return Poll::Ready(());
        }
        self.0.cancel_flag().register(cx.waker());
        if self.0.is_cancelled() { Poll::Ready(()) } else { Poll::Pending }
    }
}
