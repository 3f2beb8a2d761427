//! Requests of the host's own to the peer, from the first word to the answer.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Weak};
use std::task::{Context, Poll, Wake as WakeTask, Waker};

use parking_lot::Mutex;

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::Error;
use mcpbolt_proto::session::OutgoingId;

use crate::handler::{AskFuture, Call, Link};

use super::inbox::Inbox;
use super::item::Item;
use super::outcome::Failure;

/// A request in flight.
pub(super) enum Asking {
    /// Not sent yet.
    Starting,
    /// Of a call: on the modern era it parks.
    Call(Arc<Waiter>),
    /// Of a connection.
    Link(Arc<dyn Link>, OutgoingId),
}

impl Asking {
    /// Withdraws the request.
    pub(super) fn give_up(self) {
        match self {
            Self::Starting => {}
            Self::Call(waiter) => {
                // Dropping it wakes the waiter, which takes this lock.
                let future = waiter.future.lock().take();
                drop(future);
            }
            Self::Link(link, request) => link.give_up(request),
        }
    }
}

/// Polls one [`AskFuture`] on the thread that answers it: no task, no runtime.
pub(super) struct Waiter {
    id: u64,
    call: Arc<Call>,
    inbox: Weak<Inbox>,
    future: Mutex<Option<AskFuture>>,
}

impl Waiter {
    pub(super) fn new(inbox: &Arc<Inbox>, id: u64, call: Arc<Call>, future: AskFuture) -> Arc<Self> {
        Arc::new(Self { id, call, inbox: Arc::downgrade(inbox), future: Mutex::new(Some(future)) })
    }

    pub(super) fn poll(self: &Arc<Self>) {
        let waker = Waker::from(Arc::clone(self));
        let mut slot = self.future.lock();
        let Some(future) = slot.as_mut() else { return };
        let Poll::Ready(outcome) = Pin::new(future).poll(&mut Context::from_waker(&waker)) else { return };
        // Answered: dropping it withdraws nothing.
        let future = slot.take();
        drop(slot);
        drop(future);
        if let Some(inbox) = self.inbox.upgrade() {
            inbox.answered(self.id, Some(&self.call), outcome);
        }
    }
}

impl WakeTask for Waiter {
    fn wake(self: Arc<Self>) {
        self.poll();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.poll();
    }
}

impl Inbox {
    /// Tells the host the answer to a request of its own.
    pub(super) fn answered(&self, id: u64, call: Option<&Arc<Call>>, outcome: Result<RawJson, Error>) {
        let origin = call.map_or(0, |call| call.scope().origin.0);
        let number = call.map_or(0, |call| call.id().0);
        let (closed, wakeup) = {
            let mut state = self.lock();
            if state.asking.remove(&id).is_none() {
                return;
            }
            let closed = state.table.rebind(number, origin);
            let outcome = outcome.map_err(Failure::from);
            (closed, state.push(Item::Response { id, call: number, origin, outcome }))
        };
        wakeup.fire();
        self.origin_closed(closed);
    }
}
