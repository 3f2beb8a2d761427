//! Requests of threads that may block: a plain function on a worker thread that asks
//! the user something.

use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::Error;

use crate::bridge::boundary::outcome::Failure;
use crate::bridge::options::client::RequestPlan;
use crate::bridge::queue::inbox::{Inbox, own_number};

/// Beyond the time of a request, for its answer to travel.
const GRACE: Duration = Duration::from_secs(1);

/// Where one answer is put.
#[derive(Default)]
pub(crate) struct Slot {
    answer: Mutex<Option<Result<RawJson, Failure>>>,
    filled: Condvar,
}

impl Slot {
    pub(crate) fn fill(&self, outcome: Result<RawJson, Failure>) {
        self.answer.lock().get_or_insert(outcome);
        self.filled.notify_all();
    }

    fn wait(&self, until: Option<Instant>) -> Option<Result<RawJson, Failure>> {
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
        self.birth.check().map_err(|forked| Failure::from(Error::from(forked)))?;
        let id = own_number();
        let slot = Arc::<Slot>::default();
        {
            let mut state = self.lock();
            if state.closed {
                return Err(Failure::from(Error::closed()));
            }
            state.sync.insert(id, Arc::clone(&slot));
        }
        // The engine keeps the time; this is for an answer that never travels.
        let longest = plan.request.max.or(plan.request.timeout).filter(|time| *time != Duration::MAX);
        let until = longest.and_then(|time| Instant::now().checked_add(time)?.checked_add(GRACE));
        self.begin_request(id, target, method, params, plan);
        self.flush(target);
        if let Some(outcome) = slot.wait(until) {
            return outcome;
        }
        self.cancel(id);
        self.lock().sync.remove(&id);
        Err(Failure::from(Error::timeout()))
    }
}
