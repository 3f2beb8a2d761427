//! The answer to a question of a call, waited for without a task or a runtime.
//!
//! Owns: polling one [`AskFuture`] on the thread that answers it. Must not know: who hears
//! the answer.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};

use parking_lot::Mutex;

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::Error;

use crate::handler::AskFuture;

/// Called with the answer, once.
type OnAnswer = Box<dyn Fn(Result<RawJson, Error>) + Send + Sync>;

/// Waits for one answer.
pub(crate) struct AskWaiter {
    future: Mutex<Option<AskFuture>>,
    on_answer: OnAnswer,
}

impl AskWaiter {
    pub(crate) fn new(future: AskFuture, on_answer: OnAnswer) -> Arc<Self> {
        Arc::new(Self { future: Mutex::new(Some(future)), on_answer })
    }

    /// Looks whether the answer is there.
    pub(crate) fn poll(self: &Arc<Self>) {
        let waker = Waker::from(Arc::clone(self));
        let mut slot = self.future.lock();
        let Some(future) = slot.as_mut() else { return };
        let Poll::Ready(outcome) = Pin::new(future).poll(&mut Context::from_waker(&waker)) else { return };
        // Answered: dropping it withdraws nothing.
        let future = slot.take();
        drop(slot);
        drop(future);
        (self.on_answer)(outcome);
    }

    /// Takes the question back.
    pub(crate) fn withdraw(&self) {
        // Dropping the future wakes the waiter, which takes this lock.
        let future = self.future.lock().take();
        drop(future);
    }
}

impl Wake for AskWaiter {
    fn wake(self: Arc<Self>) {
        self.poll();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.poll();
    }
}
