//! Calls of clients that the host answers, from their arrival to their completion.
//!
//! Owns: letting calls in, delivering them, cancelling those that still wait. Must not know:
//! what is called, how a call is completed.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::{Error, ErrorKind};
use mcpbolt_proto::session::{Answer, CancelReason};

use crate::bridge::boundary::fork_guard::ForkGuard;
use crate::bridge::boundary::item::{CancelWhy, Item, Request};
use crate::bridge::queue::causes::Causes;
use crate::bridge::queue::inbox::Inbox;
use crate::bridge::queue::lane::Lane;
use crate::bridge::queue::limits::InboxLimits;
use crate::bridge::queue::open::{Closing, IsStill, Open};
use crate::bridge::queue::state::InboxState;
use crate::bridge::queue::wake::Wakeup;
use crate::handler::Call;

use super::connection_table::ConnectionTable;

/// A call that is not completed.
pub(crate) struct CallEntry {
    pub(crate) call: Arc<Call>,
    connection: u64,
    lane: Lane,
    size: usize,
    /// Whether the host has it.
    is_taken: bool,
    /// The cause it holds; 0 while parked.
    cause: u64,
    /// Violations of a tool's schema by its arguments.
    invalid: Option<RawJson>,
}

/// What the clients of a host's servers have open.
#[derive(Default)]
pub(crate) struct OpenCalls {
    calls: HashMap<u64, CallEntry>,
    pub(crate) connections: ConnectionTable,
    /// Calls and connections that wait to be writable.
    pub(crate) unwritable: HashSet<u64>,
}

impl OpenCalls {
    /// A call that is queued, running or parked.
    pub(crate) fn get(&self, call: u64) -> Option<&Arc<Call>> {
        self.calls.get(&call).map(|entry| &entry.call)
    }

    /// Whether the host has a call and has not completed it.
    pub(crate) fn is_taken(&self, call: u64) -> bool {
        self.calls.get(&call).is_some_and(|entry| entry.is_taken)
    }
}

impl Open for OpenCalls {
    fn close(&mut self, _: ForkGuard) -> Closing {
        let calls = std::mem::take(&mut self.calls);
        Box::new(move || {
            for entry in calls.into_values() {
                entry.call.finish(Answer::error(Error::closed()));
            }
        })
    }

    fn count(&self) -> usize {
        self.calls.len()
    }

    fn is_still(&self) -> IsStill {
        let calls: Vec<_> = self.calls.values().map(|entry| Arc::clone(&entry.call)).collect();
        Box::new(move || calls.iter().all(|call| call.is_parked()))
    }

    fn is_waiting(&self, number: u64) -> bool {
        self.calls.get(&number).is_some_and(|entry| !entry.is_taken)
    }

    fn redeem(&mut self, number: u64) -> Option<Item> {
        let entry = self.calls.get_mut(&number)?;
        // From here on a cancel becomes an item, and only the host ends the call.
        entry.is_taken = true;
        self.connections.name(entry.connection);
        let call = &entry.call;
        Some(Item::Request(Request {
            call: number,
            connection: entry.connection,
            cause: entry.cause,
            method: call.method().into(),
            name: call.name(),
            params: call.params().cloned(),
            invalid: entry.invalid.take(),
        }))
    }
}

/// Takes a call out. The second is its cause, if nothing refers to that any more.
pub(crate) fn take_call(state: &mut InboxState, call: u64) -> Option<(CallEntry, Option<u64>)> {
    let entry = state.of::<OpenCalls>().calls.remove(&call)?;
    let closed = state.of::<Causes>().release(entry.cause);
    Some((entry, closed))
}

/// A retry, or parking, gave a call another cause. Returns the old one if nothing refers to
/// it any more.
pub(crate) fn rebind(state: &mut InboxState, call: u64, cause: u64) -> Option<u64> {
    let entry = state.of::<OpenCalls>().calls.get_mut(&call)?;
    let old = std::mem::replace(&mut entry.cause, cause);
    state.of::<Causes>().swap(old, cause)
}

impl Inbox {
    /// Calls that are not completed: queued, running or parked.
    pub fn open_calls(&self) -> usize {
        self.lock().of::<OpenCalls>().count()
    }

    /// A call that is not completed.
    pub(crate) fn call(&self, call: u64) -> Option<Arc<Call>> {
        self.lock().of::<OpenCalls>().get(call).cloned()
    }

    /// Queues a call. Above a cap it is refused at once.
    pub(crate) fn admit(
        &self,
        call: &Arc<Call>,
        connection: u64,
        lane: Lane,
        invalid: Option<RawJson>,
        caps: Option<InboxLimits>,
    ) -> Result<(), Error> {
        let id = call.id().0;
        let size = call.params().map_or(0, |p| p.as_str().len());
        let cause = call.scope().cause.0;
        let wakeup = {
            let mut state = self.lock();
            if state.is_closed() {
                return Err(Error::closed());
            }
            if self.is_full(&state, caps, size) {
                return Err(Error::overloaded("too many requests wait for the program"));
            }
            let call = Arc::clone(call);
            let entry = CallEntry { call, connection, lane, size, is_taken: false, cause, invalid };
            state.of::<Causes>().hold(cause);
            state.of::<OpenCalls>().calls.insert(id, entry);
            state.push_ticket::<OpenCalls>(lane, id, size);
            if lane == Lane::Worker {
                self.wake_worker();
                Wakeup::default()
            } else {
                state.arrived()
            }
        };
        wakeup.fire();
        Ok(())
    }

    /// A call is not wanted any more. `false` if it is not of this inbox. One that is
    /// still queued is removed and never delivered.
    pub(crate) fn call_cancelled(&self, call: &Arc<Call>) -> bool {
        let id = call.id().0;
        // A `take` may deliver the call at this moment, and an outcome may complete it. All
        // three look at its entry under the lock, so one of them comes first: taken out here
        // it is never delivered, and this is where it ends; once taken it stays open
        // until the host completes it, and the host is told; once completed it is unknown.
        let mut state = self.lock();
        let Some(entry) = state.of::<OpenCalls>().calls.get(&id) else { return false };
        if entry.is_taken {
            drop(state);
            let reason = call.cancel_reason();
            let why = reason.as_ref().map_or(CancelWhy::StreamGone, CancelWhy::from);
            let words = match reason {
                Some(CancelReason::Peer(words)) => words,
                _ => None,
            };
            self.post(Item::Cancel { call: id, why, reason: words });
            return true;
        }
        let (lane, size) = (entry.lane, entry.size);
        let closed = take_call(&mut state, id).and_then(|(_, cause)| cause);
        state.forget_ticket(lane, size);
        drop(state);
        call.finish(Answer::error(Error::new(ErrorKind::Cancelled, "the call was cancelled")));
        self.cause_closed(closed);
        self.changed.notify_all();
        true
    }
}
