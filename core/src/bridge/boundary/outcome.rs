//! How the host ends a call or a service, how failures look to it, and what became of a
//! message it sent.
//!
//! Owns: the way between these and the engine's errors and answers. Must not know: which
//! call or service is meant.

use mcpbolt_proto::jsonrpc::{ErrorCode, RawJson};
use mcpbolt_proto::protocol::{Error, ErrorKind};
use mcpbolt_proto::session::Answer;

use super::errors::{kind_named, names_of};

/// An error as it crosses the boundary: in numbers and names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The kind of error, by its name in the table of error names; if empty, the code says.
    pub kind: String,
    /// The JSON-RPC code.
    pub code: i64,
    /// What went wrong, in one sentence.
    pub message: String,
    /// The JSON-RPC `data`, if any.
    pub data: Option<RawJson>,
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let kind = names_of(error.kind).name.to_owned();
        Self { kind, code: error.code.0, message: error.message, data: error.data }
    }
}

impl Failure {
    /// As an error of the engine: by the kind's name if it has one, else by the code.
    pub fn into_error(self) -> Error {
        let mut error = match kind_named(&self.kind) {
            Some(kind) if kind != ErrorKind::Peer => Error::new(kind, self.message),
            _ => Error::with_code(ErrorCode(self.code), self.message),
        };
        error.data = self.data;
        error
    }
}

/// A question of a handler that ends its call with questions and runs again with the
/// answers.
#[derive(Debug, Clone)]
pub struct Question {
    /// The handler's name for it; the answer comes back under it.
    pub key: String,
    /// `elicitation/create`, `sampling/createMessage` or `roots/list`.
    pub method: String,
    /// Params of that request.
    pub params: Option<RawJson>,
}

/// How a call or a service ended.
#[derive(Debug, Clone)]
pub enum Outcome {
    /// With a result object.
    Result(RawJson),
    /// With an error.
    Error(Failure),
    /// With questions: the handler runs again with the answers.
    InputRequired {
        /// The questions.
        questions: Vec<Question>,
        /// The handler's own state, sealed and handed back with the answers.
        state: Option<String>,
    },
}

impl Outcome {
    /// As the answer of a call, for the wire.
    pub(crate) fn into_answer(self) -> Answer {
        match self {
            Self::Result(value) if value.is_object() => Answer::result(value),
            Self::Result(_) => Answer::error(Error::new(ErrorKind::Internal, "a result must be an object")),
            Self::Error(failure) => Answer::error(failure.into_error()),
            Self::InputRequired { questions, state } => Answer::InputRequired {
                requests: questions.into_iter().map(|q| (q.key, q.method, q.params)).collect(),
                state,
            },
        }
    }

    /// As the answer of a service: any JSON value is a result.
    pub(crate) fn into_service_result(self) -> Result<RawJson, Error> {
        match self {
            Self::Result(value) => Ok(value),
            Self::Error(failure) => Err(failure.into_error()),
            Self::InputRequired { .. } => Err(Error::new(ErrorKind::Usage, "a service cannot ask questions")),
        }
    }
}

/// What became of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delivery {
    /// Handed to the transport, or not wanted by the peer.
    Sent,
    /// The queue is full: a `Writable` item says when to send it again.
    Full,
    /// The call or connection is over.
    Gone,
}
