//! How the host ends what it was given: calls, requests of servers, asks.
//!
//! Owns: that each ends once, and one write per connection for all that one drain finished.
//! Must not know: what an outcome says.

use std::collections::HashMap;
use std::sync::Arc;

use crate::bridge::boundary::outcome::Outcome;
use crate::bridge::boundary::panics::contain;
use crate::bridge::queue::inbox::Inbox;
use crate::bridge::services::asks::{AskReply, Services};
use crate::handler::{Call, Link};

use super::calls::{OpenCalls, take_call};
use super::server_requests::{ServerRequest, ServerRequests};

/// What was taken out, to be ended without the lock.
enum Completed {
    /// A call, and its cause if nothing refers to that any more.
    Call(Arc<Call>, Option<u64>),
    Service(AskReply),
    ServerRequest(u64, Box<ServerRequest>),
}

impl Inbox {
    /// Ends a call, or answers an ask. `false`, and no effect, if it is unknown or has
    /// ended before.
    pub fn complete(&self, id: u64, outcome: Outcome) -> bool {
        let completed = self.take_out(id);
        contain(|| completed.is_some_and(|completed| self.finish(completed, outcome))).unwrap_or(false)
    }

    /// As [`Inbox::complete`] for all that one drain finished: one write per connection.
    pub fn complete_many(&self, outcomes: Vec<(u64, Outcome)>) -> Vec<bool> {
        let mut links: HashMap<u64, Arc<dyn Link>> = HashMap::new();
        let mut ended = Vec::with_capacity(outcomes.len());
        for (id, outcome) in outcomes {
            let completed = self.take_out(id);
            if let Some(Completed::Call(call, _)) = &completed {
                let link = call.link();
                links.entry(link.info().id.0).or_insert_with(|| {
                    link.hold();
                    link
                });
            }
            let end = || completed.is_some_and(|completed| self.finish(completed, outcome));
            ended.push(contain(end).unwrap_or(false));
        }
        for link in links.into_values() {
            let _ = contain(|| link.release());
        }
        ended
    }

    /// Takes out what the host has under a number. From then on nothing else ends it: a
    /// second outcome, a cancel and the end of the inbox find nothing.
    fn take_out(&self, id: u64) -> Option<Completed> {
        let mut state = self.lock();
        if let Some(reply) = state.of::<Services>().remove(id) {
            return Some(Completed::Service(reply));
        }
        if let Some(request) = state.of::<ServerRequests>().take_out(id) {
            return Some(Completed::ServerRequest(id, Box::new(request)));
        }
        let open = state.of::<OpenCalls>();
        if !open.is_taken(id) {
            return None;
        }
        open.unwritable.remove(&id);
        take_call(&mut state, id).map(|(entry, closed)| Completed::Call(entry.call, closed))
    }

    fn finish(&self, completed: Completed, outcome: Outcome) -> bool {
        let ended = match completed {
            Completed::Service(reply) => {
                reply(outcome.into_service_result());
                true
            }
            Completed::ServerRequest(id, request) => request.finish(id, outcome),
            Completed::Call(call, closed) => {
                let ended = self.finish_call(&call, outcome.into_answer());
                self.cause_closed(closed);
                ended
            }
        };
        self.changed.notify_all();
        ended
    }
}
