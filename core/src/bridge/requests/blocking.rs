//! Requests of threads that may block: a plain function on a worker thread that asks
//! the user something.
//!
//! Owns: how long such a thread waits. Must not know: how a request is made.

use std::sync::Arc;
use std::time::{Duration, Instant};

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::Error;

use crate::bridge::boundary::outcome::Failure;
use crate::bridge::options::request::RequestPlan;
use crate::bridge::queue::inbox::Inbox;
use crate::bridge::queue::numbers::own_number;

use super::answer_slot::AnswerSlot;

/// Beyond the time of a request, for its answer to travel.
const GRACE: Duration = Duration::from_secs(1);

impl Inbox {
    /// As [`Inbox::request_with`], and waits for the answer; nothing of it comes out as
    /// an item. A call that asks so parks at once on the modern era. Never on the thread
    /// of the host's loop: what it waits for may have to be taken there.
    ///
    /// # Errors
    /// The peer's error or a local failure; `Closed` when the inbox ends first, `Usage`
    /// in a forked child.
    pub fn request_sync(
        self: &Arc<Self>,
        target: u64,
        method: &str,
        params: Option<RawJson>,
        plan: RequestPlan,
    ) -> Result<RawJson, Failure> {
        self.process.check().map_err(|forked| Failure::from(Error::from(forked)))?;
        let id = own_number();
        let slot = Arc::<AnswerSlot>::default();
        // Before the request is made: its answer may come before this thread waits.
        self.answer_into(id, &slot).map_err(Failure::from)?;
        // The engine keeps the time; this is for an answer that never travels.
        let longest = plan.request.max.or(plan.request.timeout).filter(|time| *time != Duration::MAX);
        let until = longest.and_then(|time| Instant::now().checked_add(time)?.checked_add(GRACE));
        self.begin_request(id, target, method, params, plan);
        self.flush(target);
        if let Some(outcome) = slot.wait(until) {
            return outcome;
        }
        self.cancel(id);
        self.stop_answering_into(id);
        Err(Failure::from(Error::timeout()))
    }
}
