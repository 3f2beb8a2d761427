//! Results and failures of Rust handlers, as answers of a call.
//!
//! Owns: how they are encoded, and what is said of params that do not fit. Must not know:
//! which method is answered, or where its handler comes from.

use serde::Serialize;
use serde::de::DeserializeOwned;

use mcpbolt_proto::jsonrpc::{RawError, RawJson};
use mcpbolt_proto::protocol::types::InputRequiredResult;
use mcpbolt_proto::protocol::{Error, ErrorKind};
use mcpbolt_proto::session::Answer;

use crate::handler::{Call, Reply};

use super::outcome::{Failure, Outcome};

/// An error, at once.
pub(super) fn refuse(error: Error) -> Reply {
    Reply::Done(Answer::error(error))
}

/// A typed result as an answer.
pub(super) fn encoded<T: Serialize>(result: &T) -> Answer {
    written(RawJson::encode(result))
}

/// A result that was written, or not.
pub(super) fn written(result: Result<RawJson, RawError>) -> Answer {
    match result {
        Ok(value) => Answer::result(value),
        Err(error) => {
            Answer::error(Error::new(ErrorKind::Internal, format!("the result cannot be sent: {error}")))
        }
    }
}

/// What a handler of a tool, prompt or resource came to, as an answer.
pub(super) fn answer<T: Serialize>(outcome: Result<Outcome<T>, Failure>) -> Answer {
    match outcome {
        Ok(Outcome::Done(result)) => encoded(&result),
        Ok(Outcome::Ask(questions)) => ask(questions),
        Err(failure) => Answer::error(failure.into_error()),
    }
}

/// Questions as an answer.
fn ask(questions: InputRequiredResult) -> Answer {
    let requests = questions
        .input_requests
        .into_iter()
        .map(|(key, request)| (key, request.method, request.params))
        .collect();
    Answer::InputRequired { requests, state: questions.request_state }
}

/// The params of a call, typed; the error names what they should hold.
pub(super) fn params<T: DeserializeOwned>(call: &Call, shape: &str) -> Result<T, Error> {
    let wrong = || Error::invalid_params(format!("params must hold {shape}"));
    call.params().ok_or_else(wrong)?.decode().map_err(|_| wrong())
}
