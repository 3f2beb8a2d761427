//! The life of one POST answer: Undecided → JSON | event stream → Ended.
//!
//! Owns: when an answer becomes a stream, which status it gets, what opens and ends
//! it. Must not know: sockets, what messages mean, where event ids come from.
//!
//! ```
//! use mcpbolt_proto::http::{
//!     Delivery, ErrorOrigin, HttpExchange, ExchangeConfig, ExchangeOutput, Head, Outgoing, Prime, ResponseMode,
//! };
//! use mcpbolt_proto::jsonrpc::ErrorCode;
//! use mcpbolt_proto::protocol::Revision;
//!
//! let mut out = Vec::new();
//!
//! // A refusal chooses the status.
//! let mut refused = HttpExchange::new(ExchangeConfig::single(Revision::LATEST_MODERN));
//! let error = Some((ErrorCode::METHOD_NOT_FOUND, ErrorOrigin::Gate));
//! refused.send(Outgoing::Response { text: "{}".into(), error }, None, &mut out);
//! assert!(matches!(&out[0], ExchangeOutput::Head(Head { status: 404, .. })));
//!
//! // A client that wants one JSON document hears nothing on the way.
//! let config = ExchangeConfig { mode: ResponseMode::Json, ..ExchangeConfig::single(Revision::V2025_11_25) };
//! let mut quiet = HttpExchange::new(config);
//! assert_eq!(quiet.send(Outgoing::Notification("{}".into()), None, &mut out), Delivery::Undeliverable);
//!
//! // A stream that can be resumed begins with an id.
//! let prime = Some(Prime { id: "7-0".to_owned(), retry: None });
//! let config = ExchangeConfig { prime, ..ExchangeConfig::single(Revision::V2025_11_25) };
//! out.clear();
//! assert!(HttpExchange::new(config).prime(&mut out));
//! assert!(matches!(&out[1], ExchangeOutput::Body(bytes) if bytes.starts_with(b"id: 7-0")));
//! ```

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use bytestring::ByteString;

use super::headers::{Accepts, EVENT_STREAM, JSON};
use super::sse;
use crate::jsonrpc::{ErrorCode, encode};
use crate::protocol::{ErrorKind, Revision};

#[cfg(test)]
mod tests;

/// Which form answers take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ResponseMode {
    /// JSON if the answer is the first thing to say, else a stream. A client that names
    /// event streams first gets a stream in any case.
    #[default]
    Auto,
    /// Always JSON; what precedes the answer is not delivered here.
    Json,
    /// Always a stream, except for errors that choose the status.
    Sse,
}

/// The event that opens a stream that can be resumed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prime {
    /// Its event id.
    pub id: String,
    /// How long the client waits before it reconnects.
    pub retry: Option<Duration>,
}

/// What one exchange is.
#[derive(Debug, Clone)]
pub struct ExchangeConfig {
    /// Form of the answer.
    pub mode: ResponseMode,
    /// What the client reads. Without event streams, [`ResponseMode::Auto`] is JSON.
    pub accepts: Accepts,
    /// The revision, asked for its features only.
    pub revision: Revision,
    /// How many answers are awaited: the requests in the body, at least one.
    pub awaited: usize,
    /// The body was a batch: JSON answers are an array.
    pub batch: bool,
    /// Sent first when a stream opens; ignored by revisions without priming events.
    pub prime: Option<Prime>,
}

impl ExchangeConfig {
    /// One request in `auto` mode of a client that reads both forms.
    pub fn single(revision: Revision) -> Self {
        let (mode, accepts) = (ResponseMode::Auto, Accepts::BOTH);
        Self { mode, accepts, revision, awaited: 1, batch: false, prime: None }
    }
}

/// Who failed: it decides the status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorOrigin {
    /// Checks before the handler: envelope, version, headers, `_meta`, method,
    /// capability. A parameter check is [`ErrorOrigin::Handler`].
    Gate,
    /// The handler, or the check of its parameters.
    Handler,
    /// A cap or limit: the status says which (503, 429, 413, …).
    Refused {
        /// HTTP status.
        status: u16,
        /// When to try again, rounded up to seconds.
        retry_after: Option<Duration>,
    },
}

/// A message for the client.
#[derive(Debug, Clone)]
pub enum Outgoing {
    /// An answer.
    Response {
        /// The message.
        text: ByteString,
        /// Code and origin, if it is an error.
        error: Option<(ErrorCode, ErrorOrigin)>,
    },
    /// A notification.
    Notification(ByteString),
    /// A request of the server, legacy only.
    Request(ByteString),
}

/// What became of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delivery {
    /// Written, or kept for the answer.
    Accepted,
    /// This exchange has no place for it: JSON only, or ended. Notifications may be
    /// lost; a request of the server must fail or take another stream.
    Undeliverable,
}

/// Status and headers of the answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    /// HTTP status.
    pub status: u16,
    /// `Content-Type`; `None` for an empty body.
    pub content_type: Option<&'static str>,
    /// Further headers, names in lower case.
    pub headers: Vec<(&'static str, String)>,
}

impl Head {
    /// 202 without a body: notifications and responses were taken.
    pub const fn accepted() -> Self {
        Self { status: 202, content_type: None, headers: Vec::new() }
    }

    /// 200 with events to come: nobody on the way keeps them, changes them or waits for more of them.
    pub fn of_events() -> Self {
        let headers = [("cache-control", "no-cache, no-transform"), ("x-accel-buffering", "no")]
            .map(|(name, value)| (name, value.to_owned()));
        Self { status: 200, content_type: Some(EVENT_STREAM), headers: headers.into() }
    }
}

/// What to write, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExchangeOutput {
    /// Comes first, once.
    Head(Head),
    /// A part of the body.
    Body(Bytes),
    /// The body is complete.
    End,
}

#[derive(Debug)]
enum State {
    /// Nothing written. Answers of a batch wait with their event ids.
    Undecided(Vec<(ByteString, Option<String>)>),
    Streaming,
    Ended,
}

/// One POST answer.
///
/// ```
/// use mcpbolt_proto::http::{HttpExchange, ExchangeConfig, ExchangeOutput, Outgoing};
/// use mcpbolt_proto::protocol::Revision;
///
/// let mut exchange = HttpExchange::new(ExchangeConfig::single(Revision::LATEST_MODERN));
/// let mut out = Vec::new();
/// exchange.send(Outgoing::Notification("{}".into()), None, &mut out);
/// assert!(exchange.is_streaming());
/// assert!(matches!(&out[0], ExchangeOutput::Head(head) if head.status == 200));
/// ```
#[derive(Debug)]
pub struct HttpExchange {
    config: ExchangeConfig,
    state: State,
    awaited: usize,
}

impl HttpExchange {
    /// An exchange that has said nothing yet.
    pub fn new(config: ExchangeConfig) -> Self {
        Self { awaited: config.awaited.max(1), config, state: State::Undecided(Vec::new()) }
    }

    /// Whether the answer is a stream by now.
    pub fn is_streaming(&self) -> bool {
        matches!(self.state, State::Streaming)
    }

    /// Whether everything is said.
    pub fn is_ended(&self) -> bool {
        matches!(self.state, State::Ended)
    }

    /// Takes a message. `event_id` is written when the answer is a stream.
    pub fn send(
        &mut self,
        message: Outgoing,
        event_id: Option<&str>,
        out: &mut Vec<ExchangeOutput>,
    ) -> Delivery {
        if self.is_ended() {
            return Delivery::Undeliverable;
        }
        match message {
            Outgoing::Response { text, error } => self.response(text, error, event_id, out),
            Outgoing::Request(_) if !self.config.revision.features().server_requests => {
                return Delivery::Undeliverable;
            }
            Outgoing::Notification(text) | Outgoing::Request(text) => {
                if !self.open(out) {
                    return Delivery::Undeliverable;
                }
                out.push(event(&text, event_id));
            }
        }
        Delivery::Accepted
    }

    /// Opens the stream with its priming event before there is anything to say.
    /// `false`: the answer is not a stream, or the revision has no priming events.
    pub fn prime(&mut self, out: &mut Vec<ExchangeOutput>) -> bool {
        self.can_prime() && self.open(out)
    }

    /// Makes the answer a stream before there is anything to say, so that its head can
    /// leave. `false`: it is JSON, or ended.
    pub fn begin(&mut self, out: &mut Vec<ExchangeOutput>) -> bool {
        self.open(out)
    }

    /// Says that we are still here, opening the stream if need be. `false`: the
    /// answer is JSON, which has no place for it, or it is ended.
    pub fn keep_alive(&mut self, out: &mut Vec<ExchangeOutput>) -> bool {
        if !self.open(out) {
            return false;
        }
        let mut bytes = BytesMut::new();
        sse::keep_alive(&mut bytes);
        out.push(ExchangeOutput::Body(bytes.freeze()));
        true
    }

    /// Ends the stream without an answer; the client comes back for it with the id
    /// of the priming event. `false` where that is impossible: nothing is written.
    pub fn close_without_answer(&mut self, out: &mut Vec<ExchangeOutput>) -> bool {
        if !self.can_prime() || !self.open(out) {
            return false;
        }
        self.end(out);
        true
    }

    /// The peer is gone: nothing more is written.
    pub fn abort(&mut self) {
        self.state = State::Ended;
    }

    fn can_prime(&self) -> bool {
        self.config.prime.is_some() && self.config.revision.features().prime_events
    }

    /// Makes the answer a stream, if it may be one.
    fn open(&mut self, out: &mut Vec<ExchangeOutput>) -> bool {
        let waiting = match &mut self.state {
            State::Streaming => return true,
            State::Ended => return false,
            State::Undecided(_) if self.config.mode == ResponseMode::Json || !self.config.accepts.sse => {
                return false;
            }
            State::Undecided(waiting) => std::mem::take(waiting),
        };
        self.state = State::Streaming;
        out.push(ExchangeOutput::Head(Head::of_events()));
        if let Some(prime) = self.config.prime.as_ref().filter(|_| self.can_prime()) {
            let mut bytes = BytesMut::new();
            sse::priming(&mut bytes, &prime.id, prime.retry);
            out.push(ExchangeOutput::Body(bytes.freeze()));
        }
        out.extend(waiting.iter().map(|(text, id)| event(text, id.as_deref())));
        true
    }

    fn response(
        &mut self,
        text: ByteString,
        error: Option<(ErrorCode, ErrorOrigin)>,
        event_id: Option<&str>,
        out: &mut Vec<ExchangeOutput>,
    ) {
        self.awaited = self.awaited.saturating_sub(1);
        let (status, headers) = self.status(error);
        let chooses_status = status != 200 && !self.config.batch;
        let wants_stream = match self.config.mode {
            ResponseMode::Auto => !self.config.accepts.json || self.config.accepts.sse_first,
            ResponseMode::Json => false,
            ResponseMode::Sse => true,
        };
        if self.is_streaming() || (wants_stream && !chooses_status && self.open(out)) {
            out.push(event(&text, event_id));
            if self.awaited == 0 {
                self.end(out);
            }
            return;
        }
        let State::Undecided(waiting) = &mut self.state else { return };
        if self.awaited > 0 {
            waiting.push((text, event_id.map(str::to_owned)));
            return;
        }
        let body = if self.config.batch {
            let mut texts: Vec<_> = waiting.drain(..).map(|(text, _)| text).collect();
            texts.push(text);
            encode::batch(&texts)
        } else {
            text
        };
        let status = if self.config.batch { 200 } else { status };
        out.push(ExchangeOutput::Head(Head { status, content_type: Some(JSON), headers }));
        out.push(ExchangeOutput::Body(body.into_bytes()));
        self.end(out);
    }

    fn end(&mut self, out: &mut Vec<ExchangeOutput>) {
        self.state = State::Ended;
        out.push(ExchangeOutput::End);
    }

    /// The status an error chooses while nothing is written: by its code where the revision has
    /// such statuses, else by what failed.
    fn status(&self, error: Option<(ErrorCode, ErrorOrigin)>) -> (u16, Vec<(&'static str, String)>) {
        let Some((code, origin)) = error else { return (200, Vec::new()) };
        let by_code = self.config.revision.features().error_status;
        let status = match origin {
            ErrorOrigin::Refused { status, retry_after } => {
                let seconds = |wait: Duration| wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
                let header = retry_after.map(|wait| ("retry-after", seconds(wait).max(1).to_string()));
                return (status, header.into_iter().collect());
            }
            ErrorOrigin::Gate if code == ErrorCode::PARSE_ERROR || code == ErrorCode::INVALID_REQUEST => 400,
            ErrorOrigin::Gate if by_code && code == ErrorCode::METHOD_NOT_FOUND => 404,
            ErrorOrigin::Gate if by_code && is_refusal(code) => 400,
            ErrorOrigin::Handler if by_code && is_for_the_sender(code) => 400,
            _ => 200,
        };
        (status, Vec::new())
    }
}

/// Codes with which a handler, too, says that the request should not have been sent so.
fn is_for_the_sender(code: ErrorCode) -> bool {
    code == ErrorKind::MissingClientCapability.code() || code == ErrorKind::HeaderMismatch.code()
}

/// Codes of the checks before the handler that mean "not like this".
fn is_refusal(code: ErrorCode) -> bool {
    [
        ErrorKind::InvalidParams,
        ErrorKind::HeaderMismatch,
        ErrorKind::MissingClientCapability,
        ErrorKind::UnsupportedProtocolVersion,
    ]
    .into_iter()
    .any(|kind| kind.code() == code)
}

fn event(text: &str, id: Option<&str>) -> ExchangeOutput {
    let mut bytes = BytesMut::new();
    sse::message(&mut bytes, id, text);
    ExchangeOutput::Body(bytes.freeze())
}
