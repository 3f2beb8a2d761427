//! Where a thread waits for one answer.
//!
//! Owns: putting it there and waiting for it. Must not know: what was asked.

use std::time::Instant;

use parking_lot::{Condvar, Mutex};

use mcpbolt_proto::jsonrpc::RawJson;

use crate::bridge::boundary::outcome::Failure;

/// A place for one answer.
#[derive(Default)]
pub(crate) struct AnswerSlot {
    answer: Mutex<Option<Result<RawJson, Failure>>>,
    filled: Condvar,
}

impl AnswerSlot {
    /// Puts the answer there; the first one stays.
    pub(crate) fn fill(&self, outcome: Result<RawJson, Failure>) {
        self.answer.lock().get_or_insert(outcome);
        self.filled.notify_all();
    }

    /// Waits for the answer; `None` if it has not come by then.
    pub(crate) fn wait(&self, until: Option<Instant>) -> Option<Result<RawJson, Failure>> {
        let mut answer = self.answer.lock();
        loop {
            if let Some(outcome) = answer.take() {
                return Some(outcome);
            }
            match until {
                None => self.filled.wait(&mut answer),
                Some(until) if self.filled.wait_until(&mut answer, until).timed_out() => {
                    return answer.take();
                }
                Some(_) => {}
            }
        }
    }
}
