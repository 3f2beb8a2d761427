//! Waiting for items as a future, for hosts without file descriptors.
//!
//! Owns: that a wait which is given up loses nothing and leaves nothing behind. Must not know:
//! what is waited for.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use super::inbox::Inbox;
use super::numbers::own_number;

/// Resolves when an inbox has something to take; see [`Inbox::ready`].
#[derive(Debug)]
pub struct Ready {
    inbox: Arc<Inbox>,
    number: u64,
}

impl Inbox {
    /// Resolves when there is something to take, or the inbox is closed. May resolve
    /// for nothing; dropping it loses nothing.
    pub fn ready(self: &Arc<Self>) -> Ready {
        Ready { inbox: Arc::clone(self), number: own_number() }
    }
}

impl Future for Ready {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let mut state = self.inbox.lock();
        if state.has_work() || state.is_closed() {
            return Poll::Ready(());
        }
        state.wait(self.number, cx.waker());
        Poll::Pending
    }
}

impl Drop for Ready {
    fn drop(&mut self) {
        let left = self.inbox.lock().stop_waiting(self.number);
        // Not under the lock: a waker may be the last that holds its task.
        drop(left);
    }
}
