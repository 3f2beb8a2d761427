//! A request of the host's that its server has not answered to its end.
//!
//! Owns: how far it has come. Must not know: connections, items.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::policy::renewal::Renewal;
use mcpbolt_proto::protocol::{Error, methods};
use mcpbolt_proto::session::client::Answered;
use mcpbolt_proto::session::{OutgoingId, Time};
use mcpbolt_proto::tasks::RESULT_TYPE;

use crate::bridge::options::request::RequestPlan;
use crate::client::cache::Asked;
use crate::handler::timer::{Appointment, Due};

/// A task that is followed to its end.
pub(crate) struct Followed {
    pub(super) id: String,
    /// The questions that were answered: each stays open until the server has taken its answer.
    pub(super) answered: HashSet<String>,
    /// Whether it is being told answers, after which it is asked for.
    pub(super) updating: bool,
    /// The end of the caller's patience, which goes with it.
    pub(super) _patience: Option<(Appointment, Arc<dyn Due>)>,
}

/// A subscription that is asked for again when it ends.
#[derive(Default)]
pub(crate) struct Kept {
    renewal: Renewal,
    /// Whether the server has agreed to it, ever.
    known: bool,
    /// Since when it is agreed on, this time.
    since: Option<Time>,
    /// Whether the host knows that it could not be had again.
    told: bool,
}

/// What becomes of a subscription that ended.
#[derive(Default)]
pub(super) struct Renewed {
    /// The wait before it is asked for again; `None` if it is over.
    pub(super) wait: Option<Duration>,
    /// Whether the host has yet to hear that it cannot be had again.
    pub(super) is_lost: bool,
}

impl Kept {
    /// The server agrees. Whether it has before.
    pub(super) fn agreed(&mut self, now: Time) -> bool {
        (self.since, self.told) = (Some(now), false);
        std::mem::replace(&mut self.known, true)
    }

    fn ended(&mut self, error: Option<&Error>, now: Time) -> Renewed {
        let lasted = self.since.take().map(|since| now.saturating_sub(since));
        if !self.known {
            return Renewed::default();
        }
        let wait = self.renewal.after(error, lasted);
        let is_lost = wait.is_none() || error.is_some() && lasted.is_none() && !self.told;
        self.told |= is_lost;
        Renewed { wait, is_lost }
    }
}

/// A request that is not answered to its end.
pub(crate) struct PendingRequest {
    pub(super) method: String,
    /// The params of the first round.
    pub(super) params: Option<RawJson>,
    pub(super) plan: RequestPlan,
    /// How many of the plan's headers are the host's; the others repeat arguments.
    pub(super) own_headers: usize,
    /// Whether the host sees questions as they came.
    pub(super) raw_input: bool,
    /// Whether the host wants what came of a task.
    pub(super) waits: bool,
    /// The task that is waited for.
    pub(super) task: Option<Followed>,
    /// Whether it is a subscription that is kept, and how that went.
    pub(super) kept: Option<Kept>,
    /// When the host asked.
    pub(super) started: Time,
    /// When the first round was sent, for results that are kept.
    pub(super) asked: Asked,
    /// How often it came back with questions.
    pub(super) round: usize,
    /// How often it came back without any: to be sent again later.
    pub(super) put_off: u32,
    /// How deep in sampling it was made.
    pub(super) depth: usize,
    /// The round that is on the wire.
    pub(super) on_wire: Option<OutgoingId>,
    /// The round, a subscription, that the server has agreed to.
    pub(super) agreed: Option<OutgoingId>,
    /// Whether the host has yet to hear under which id the round is sent.
    pub(super) untold: bool,
    /// The answer, if it came before the host heard that.
    pub(super) early: Option<Box<Result<Answered, Error>>>,
    /// Questions the host has, with their keys.
    pub(super) open: BTreeMap<u64, String>,
    /// Answers to the others.
    pub(super) answers: Vec<(String, RawJson)>,
    /// Sealed state that goes back with the answers.
    pub(super) sealed: Option<String>,
}

impl PendingRequest {
    /// The host's headers.
    pub(super) fn headers(&self) -> Vec<(String, String)> {
        self.plan.request.headers.iter().take(self.own_headers).cloned().collect()
    }

    /// Whether it is asked again after this answer, which ends a subscription.
    pub(super) fn renews(
        &mut self,
        outcome: &Result<Answered, Error>,
        now: impl FnOnce() -> Time,
    ) -> Renewed {
        match (&mut self.kept, outcome) {
            (Some(kept), Ok(Answered::Complete(_))) => kept.ended(None, now()),
            (Some(kept), Err(error)) => kept.ended(Some(error), now()),
            _ => Renewed::default(),
        }
    }

    /// Whether this answer is about a task that the host waits for.
    pub(super) fn awaits(&self, outcome: &Result<Answered, Error>) -> bool {
        self.waits
            && match outcome {
                Ok(Answered::Extension { result_type, .. }) => result_type == RESULT_TYPE,
                Ok(Answered::Complete(_)) => self.task.is_some() || self.method == methods::TASKS_GET,
                Ok(Answered::InputRequired { .. }) | Err(_) => false,
            }
    }
}
