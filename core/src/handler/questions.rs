//! Questions to the client, as data: what a call has asked, and what a retry brought.
//!
//! Owns: the open questions of a call, their keys, and which answers have the right shape.
//! Must not know: calls, connections, or how a question is sent.

use mcpbolt_proto::jsonrpc::{RawJson, RawObject};
use mcpbolt_proto::protocol::{Error, ErrorKind};
use mcpbolt_proto::session::used_states::StateId;

use super::ask_plan::ReplyFn;

/// How a handler's questions are asked on the modern era.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum InputMode {
    /// The call waits in memory for the client's retry on this node.
    #[default]
    Park,
    /// Nothing waits: the state carries the answers and the retry runs the handler
    /// again, on any node. Handlers must be idempotent up to their last question.
    Replay,
}

/// What the client sent along with a retry.
#[derive(Debug, Clone, Default)]
pub(super) struct Given {
    pub(super) responses: RawObject,
    pub(super) state: Option<String>,
    /// Which state brought it here, where that is taken once.
    pub(super) once: Option<StateId>,
    pub(super) round: u32,
}

/// What a handler wants to know and has not been told.
#[derive(Default)]
pub(super) struct Questions {
    pub(super) asked: u32,
    pub(super) waiting: Vec<Question>,
}

pub(super) struct Question {
    pub(super) key: String,
    pub(super) method: String,
    pub(super) params: Option<RawJson>,
    pub(super) answer: Option<RawJson>,
    /// Whether the client has been asked.
    pub(super) sent: bool,
    pub(super) reply: Option<ReplyFn>,
}

impl Questions {
    /// Ends all questions: the call is cancelled.
    pub(super) fn fail_all(&mut self) {
        for question in self.waiting.drain(..) {
            if let Some(reply) = question.reply {
                reply(Err(Error::new(ErrorKind::Cancelled, "the call was cancelled")));
            }
        }
    }

    pub(super) fn has_unsent(&self) -> bool {
        self.waiting.iter().any(|q| !q.sent)
    }

    /// Key, method and params of what still has no answer; marks it as sent.
    pub(super) fn unanswered(&mut self) -> Vec<(String, String, Option<RawJson>)> {
        self.waiting
            .iter_mut()
            .filter(|q| q.answer.is_none())
            .map(|q| {
                q.sent = true;
                (q.key.clone(), q.method.clone(), q.params.clone())
            })
            .collect()
    }

    /// Takes over the well-formed answers of a retry. `true` when none is missing.
    pub(super) fn fill(&mut self, responses: &RawObject) -> bool {
        for question in self.waiting.iter_mut().filter(|q| q.sent && q.answer.is_none()) {
            question.answer =
                responses.get(&question.key).filter(|a| is_answer(&question.method, a)).cloned();
        }
        self.waiting.iter().filter(|q| q.sent).all(|q| q.answer.is_some())
    }

    /// Removes the answered questions, with whom to tell.
    pub(super) fn take_answered(&mut self) -> Vec<(ReplyFn, RawJson)> {
        let (done, waiting): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.waiting).into_iter().partition(|q| q.answer.is_some());
        self.waiting = waiting;
        done.into_iter().filter_map(|q| q.reply.zip(q.answer)).collect()
    }
}

/// Whether a bare result has the shape its method demands.
pub(crate) fn is_answer(method: &str, answer: &RawJson) -> bool {
    let Some(members) = RawObject::parse(answer) else { return false };
    let text = |name: &str| members.get(name).and_then(RawJson::as_string);
    match method {
        "elicitation/create" => matches!(text("action").as_deref(), Some("accept" | "decline" | "cancel")),
        "sampling/createMessage" => text("role").is_some() && members.contains("content"),
        "roots/list" => {
            members.get("roots").is_some_and(|r| r.kind() == mcpbolt_proto::jsonrpc::JsonKind::Array)
        }
        _ => true,
    }
}
