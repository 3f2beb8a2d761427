//! What a host collects in one turn of its loop and does at its end.
//!
//! Owns: which calls asked something, which connections hold requests back, until
//! `drained`. Must not know: what is asked.

use std::collections::HashMap;
use std::sync::Arc;

use crate::bridge::boundary::fork_guard::ForkGuard;
use crate::bridge::boundary::panics::contain;
use crate::bridge::queue::inbox::Inbox;
use crate::bridge::queue::open::{Closing, Open};

use super::calls::rebind;
use super::client_link::ClientLink;
use super::clients::Clients;

/// What waits for the end of the turn.
#[derive(Default)]
pub(crate) struct Turn {
    /// Calls that asked something.
    asked: Vec<u64>,
    /// Clients' connections that hold back what is sent, and how many requests of this turn
    /// were made on each.
    held: HashMap<u64, (Arc<dyn ClientLink>, usize)>,
}

impl Open for Turn {
    fn close(&mut self, _: ForkGuard) -> Closing {
        let turn = std::mem::take(self);
        Box::new(move || drop(turn))
    }
}

impl Inbox {
    /// A call asked something: it parks at the end of the turn.
    pub(crate) fn call_asked(&self, call: u64) {
        self.lock().of::<Turn>().asked.push(call);
    }

    /// Has a client's connection send with the next `drained`. Returns the connection, and
    /// how many requests of this turn were made on it before.
    pub(crate) fn hold_back(&self, connection: u64) -> Option<(Arc<dyn ClientLink>, usize)> {
        let (link, number) = {
            let mut state = self.lock();
            let link = Arc::clone(state.of::<Clients>().get(connection)?);
            let (_, count) =
                state.of::<Turn>().held.entry(connection).or_insert_with(|| (Arc::clone(&link), 0));
            *count += 1;
            (link, *count - 1)
        };
        if number == 0 {
            let _ = contain(|| link.hold());
        }
        Some((link, number))
    }

    /// Parks a call that asked something and has nothing else to do for now.
    pub fn flush(&self, call: u64) -> bool {
        let Some(found) = self.call(call) else { return false };
        if contain(|| found.flush_questions()).is_err() {
            return false;
        }
        let closed = {
            let mut state = self.lock();
            // A parked call's exchange is over, and with it its cause. Looked at under the
            // lock, unlike all else of a call: a retry gives the call its new cause under the
            // same lock after it has woken the call, so that one is never taken away here.
            if found.is_parked() { rebind(&mut state, call, 0) } else { None }
        };
        self.cause_closed(closed);
        self.changed.notify_all();
        true
    }

    /// The end of a turn: every call that asked something since the last one parks,
    /// with all its questions in one answer, and what connections hold is sent.
    pub fn drained(&self) {
        let turn = std::mem::take(self.lock().of::<Turn>());
        for call in turn.asked {
            self.flush(call);
        }
        for (link, _) in turn.held.into_values() {
            let _ = contain(|| link.release());
        }
    }
}
