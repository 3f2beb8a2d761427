//! A request of the host's that its server has not answered to its end.
//!
//! Owns: how far it has come. Must not know: connections, items.

use std::collections::{BTreeMap, HashSet};

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::{Error, methods};
use mcpbolt_proto::session::OutgoingId;
use mcpbolt_proto::session::client::Answered;
use mcpbolt_proto::tasks::RESULT_TYPE;

use crate::bridge::options::request::RequestPlan;
use crate::client::cache::Asked;

/// A task that is followed to its end.
pub(crate) struct Followed {
    pub(super) id: String,
    /// The questions that were answered: each stays open until the server has taken its answer.
    pub(super) answered: HashSet<String>,
    /// Whether it is being told answers, after which it is asked for.
    pub(super) updating: bool,
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
