//! The way of a call through the guard rails to its handler.
//!
//! Owns: the order rate, concurrency, access, handler; what a client learns that is turned
//! away. Must not know: how each of them decides.

use std::sync::Arc;

use mcpbolt_proto::policy::access::Action;
use mcpbolt_proto::protocol::{Era, Error, methods};
use mcpbolt_proto::session::Answer;

use crate::handler::result_limits::tool_failure;
use crate::handler::{Call, Reply};

use super::state::{GuardRails, Guarded};

impl GuardRails {
    /// Lets a call through to its handler, or answers it.
    pub(in crate::handler) fn call(&self, call: &Arc<Call>) -> Reply {
        if call.is_rerun() {
            // The client asked once, and was let in.
            self.time(call);
            return call.reach_handler();
        }
        if let Err(error) = self.limit_request(call) {
            return Reply::Done(call.turned_away(error));
        }
        if let Err(error) = self.enter(call) {
            call.fail(error.clone());
            return Reply::Done(Answer::Error { error, gate: true });
        }
        if self.authorize.is_some() { self.access(call) } else { proceed(call) }
    }
}

/// On to the handler.
pub(super) fn proceed(call: &Arc<Call>) -> Reply {
    call.reach_handler()
}

impl Call {
    /// Whether the engine runs it again, with answers that it asked for itself.
    pub(super) fn is_rerun(&self) -> bool {
        self.given.round > 0 && (self.revision().era() == Era::Legacy || self.link().task().is_some())
    }

    pub(super) fn action(&self) -> Option<Action> {
        match self.spec() {
            Some(row) => Action::of_row(row, self.revision(), self.members()),
            None => Action::of(self.method(), self.members()),
        }
    }

    pub(super) fn guard<T>(&self, body: impl FnOnce(&mut Guarded) -> T) -> T {
        body(self.guarded.lock().get_or_insert_default())
    }

    /// What the client learns of a refusal: a model must read what became of its tool call.
    pub(super) fn turned_away(&self, error: Error) -> Answer {
        if self.method() != methods::TOOLS_CALL {
            return Answer::error(error);
        }
        let answer = tool_failure(&error.message);
        self.fail(error);
        answer
    }
}
