//! Requests of the host that are not answered.
//!
//! Owns: that each is answered once, by the peer, by a failure or by giving up on it.
//! Must not know: who is asked, how a request is made.

use std::collections::HashMap;
use std::sync::Arc;

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::{Error, ErrorKind};

use crate::bridge::boundary::fork_guard::ForkGuard;
use crate::bridge::boundary::item::Item;
use crate::bridge::boundary::outcome::Failure;
use crate::bridge::boundary::panics::contain;
use crate::bridge::queue::inbox::Inbox;
use crate::bridge::queue::open::{Closing, Open};
use crate::bridge::queue::state::InboxState;
use crate::bridge::queue::wake::Wakeup;
use crate::handler::Call;

use super::answer_slot::AnswerSlot;
use super::calls::rebind;

/// Takes a request back that is on its way, for a reason that the peer may be told.
pub(crate) type Withdraw = Box<dyn FnOnce(Option<&str>) + Send>;

/// What the host has asked.
#[derive(Default)]
pub(crate) struct HostRequests {
    /// How each can be withdrawn; nothing while it is being made.
    open: HashMap<u64, Option<Withdraw>>,
    /// Threads that wait for an answer instead of a `Response`.
    threads: HashMap<u64, Arc<AnswerSlot>>,
}

impl Open for HostRequests {
    fn close(&mut self, _: ForkGuard) -> Closing {
        let (open, threads) = (std::mem::take(&mut self.open), std::mem::take(&mut self.threads));
        Box::new(move || {
            for slot in threads.into_values() {
                slot.fill(Err(Failure::from(Error::closed())));
            }
            open.into_values().flatten().for_each(|withdraw| withdraw(None));
        })
    }
}

/// Hands an answer to the thread that waits for it, else to the host's loop.
fn respond(
    state: &mut InboxState,
    id: u64,
    call: u64,
    cause: u64,
    outcome: Result<RawJson, Failure>,
) -> Wakeup {
    match state.of::<HostRequests>().threads.remove(&id) {
        Some(slot) => {
            slot.fill(outcome);
            Wakeup::default()
        }
        None => state.push(Item::Response { id, call, cause, outcome }),
    }
}

impl Inbox {
    /// A request of the host begins. Until [`Inbox::request_started`] it cannot be withdrawn.
    pub(crate) fn request_begun(&self, id: u64) {
        self.lock().of::<HostRequests>().open.insert(id, None);
    }

    /// A thread waits for the answer to a request that is about to begin.
    ///
    /// # Errors
    /// `Closed` if the inbox has ended.
    pub(crate) fn answer_into(&self, id: u64, slot: &Arc<AnswerSlot>) -> Result<(), Error> {
        let mut state = self.lock();
        if state.is_closed() {
            return Err(Error::closed());
        }
        state.of::<HostRequests>().threads.insert(id, Arc::clone(slot));
        Ok(())
    }

    /// The thread does not wait any more.
    pub(crate) fn stop_answering_into(&self, id: u64) {
        self.lock().of::<HostRequests>().threads.remove(&id);
    }

    /// Notes how a request can be withdrawn. `false` if it is answered or given up already.
    pub(crate) fn request_started(&self, id: u64, withdraw: Withdraw) -> bool {
        let late = match self.lock().of::<HostRequests>().open.get_mut(&id) {
            Some(known) => {
                *known = Some(withdraw);
                return true;
            }
            None => withdraw,
        };
        // Not under the lock: it may hold the last reference to a call or a connection.
        drop(late);
        false
    }

    /// Answers a request that could not be made.
    pub(crate) fn refuse(&self, id: u64, error: Error) {
        let (begun, wakeup) = {
            let mut state = self.lock();
            let begun = state.of::<HostRequests>().open.remove(&id);
            (begun, respond(&mut state, id, 0, 0, Err(Failure::from(error))))
        };
        drop(begun);
        wakeup.fire();
    }

    /// Tells the host the answer to a request of its own.
    pub(crate) fn answered(&self, id: u64, call: Option<&Arc<Call>>, outcome: Result<RawJson, Error>) {
        let cause = call.map_or(0, |call| call.scope().cause.0);
        let number = call.map_or(0, |call| call.id().0);
        let (withdraw, closed, wakeup) = {
            let mut state = self.lock();
            // An answer, a failure of the connection and the host's giving up may come at
            // once. The first takes the request out of the table; the others find nothing.
            let Some(withdraw) = state.of::<HostRequests>().open.remove(&id) else { return };
            // A call that was parked goes on with the retry, and with the retry's cause: the
            // host must have that before it hears the answer.
            let closed = rebind(&mut state, number, cause);
            let outcome = outcome.map_err(Failure::from);
            (withdraw, closed, respond(&mut state, id, number, cause, outcome))
        };
        // Not under the lock, as above.
        drop(withdraw);
        wakeup.fire();
        self.cause_closed(closed);
    }

    /// Gives up on a request of the host's own; its `Response` says `cancelled`. `false` if
    /// it is unknown or answered.
    pub fn cancel(&self, id: u64) -> bool {
        self.cancel_because(id, None)
    }

    /// As [`Inbox::cancel`], and a server that was asked is told why.
    pub fn cancel_because(&self, id: u64, reason: Option<&str>) -> bool {
        let Some(withdraw) = self.lock().of::<HostRequests>().open.remove(&id) else { return false };
        if let Some(withdraw) = withdraw {
            let _ = contain(|| withdraw(reason));
        }
        let failure = Failure::from(Error::new(ErrorKind::Cancelled, "the request was cancelled"));
        let wakeup = respond(&mut self.lock(), id, 0, 0, Err(failure));
        wakeup.fire();
        true
    }
}
