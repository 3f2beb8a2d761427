//! The life of one POST answer: Undecided → JSON | event stream → Ended.
//!
//! Owns: when an answer becomes a stream, which status it gets, what opens and ends
//! it. Must not know: sockets, what messages mean, where event ids come from.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use bytestring::ByteString;

use super::headers::{Accepts, EVENT_STREAM, JSON};
use super::sse;
use crate::jsonrpc::{ErrorCode, encode};
use crate::protocol::{ErrorKind, Revision};

/// Which form answers take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ResponseMode {
    /// JSON if the answer is the first thing to say, else a stream.
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
    /// 202 without a body: notifications and responses were taken (W2).
    pub const fn accepted() -> Self {
        Self { status: 202, content_type: None, headers: Vec::new() }
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
#[derive(Debug)]
pub struct Exchange {
    config: ExchangeConfig,
    state: State,
    awaited: usize,
}

impl Exchange {
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
    /// `false`: the answer is no stream, or the revision has no priming events.
    pub fn prime(&mut self, out: &mut Vec<ExchangeOutput>) -> bool {
        self.can_prime() && self.open(out)
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
        let mut headers = vec![("cache-control", "no-cache".to_owned())];
        if self.config.revision.features().no_buffering_header {
            headers.push(("x-accel-buffering", "no".to_owned()));
        }
        out.push(ExchangeOutput::Head(Head { status: 200, content_type: Some(EVENT_STREAM), headers }));
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
            ResponseMode::Auto => !self.config.accepts.json,
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

    /// Requirements §1.11: the status an error chooses while nothing is written.
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
            ErrorOrigin::Handler if by_code && code == ErrorKind::MissingClientCapability.code() => 400,
            _ => 200,
        };
        (status, Vec::new())
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    const MODERN: Revision = Revision::LATEST_MODERN;
    const LEGACY: Revision = Revision::LATEST_LEGACY;

    fn note(text: &'static str) -> Outgoing {
        Outgoing::Notification(ByteString::from_static(text))
    }

    fn answer(text: &'static str) -> Outgoing {
        Outgoing::Response { text: ByteString::from_static(text), error: None }
    }

    fn failure(code: i64, origin: ErrorOrigin) -> Outgoing {
        Outgoing::Response { text: ByteString::from_static("E"), error: Some((ErrorCode(code), origin)) }
    }

    /// Status and type, then the pieces of the body, then `END`.
    fn run(config: ExchangeConfig, messages: Vec<Outgoing>) -> Vec<String> {
        let mut exchange = Exchange::new(config);
        let mut out = Vec::new();
        for (n, message) in messages.into_iter().enumerate() {
            exchange.send(message, Some(&n.to_string()), &mut out);
        }
        show(&out)
    }

    fn show(out: &[ExchangeOutput]) -> Vec<String> {
        let piece = |output: &ExchangeOutput| match output {
            ExchangeOutput::Head(head) => format!("{} {}", head.status, head.content_type.unwrap_or("-")),
            ExchangeOutput::Body(bytes) => String::from_utf8(bytes.to_vec()).unwrap(),
            ExchangeOutput::End => "END".to_owned(),
        };
        out.iter().map(piece).collect()
    }

    fn head(out: &[ExchangeOutput]) -> &Head {
        match &out[0] {
            ExchangeOutput::Head(head) => head,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn auto_is_json_when_the_answer_comes_first() {
        let got = run(ExchangeConfig::single(MODERN), vec![answer("A"), note("late"), answer("B")]);
        assert_eq!(got, ["200 application/json", "A", "END"]);
    }

    #[test]
    fn auto_is_a_stream_when_anything_precedes_the_answer() {
        let got = run(ExchangeConfig::single(MODERN), vec![note("N"), answer("A"), note("late")]);
        assert_eq!(got, ["200 text/event-stream", "id: 0\ndata: N\n\n", "id: 1\ndata: A\n\n", "END"]);
    }

    #[test]
    fn stream_heads_forbid_buffering() {
        let mut out = Vec::new();
        let mut exchange = Exchange::new(ExchangeConfig::single(MODERN));
        assert!(exchange.keep_alive(&mut out));
        let expected = [("cache-control", "no-cache".to_owned()), ("x-accel-buffering", "no".to_owned())];
        assert_eq!(head(&out).headers, expected);
        assert_eq!(out[1], ExchangeOutput::Body(Bytes::from_static(b":\n\n")));
    }

    #[test]
    fn what_the_client_accepts_binds_auto() {
        let json_only = Accepts { json: true, sse: false };
        let config = ExchangeConfig { accepts: json_only, ..ExchangeConfig::single(LEGACY) };
        assert_eq!(run(config, vec![note("lost"), answer("A")]), ["200 application/json", "A", "END"]);
        let sse_only = Accepts { json: false, sse: true };
        let config = ExchangeConfig { accepts: sse_only, ..ExchangeConfig::single(LEGACY) };
        assert_eq!(run(config, vec![answer("A")]), ["200 text/event-stream", "id: 0\ndata: A\n\n", "END"]);
    }

    #[test]
    fn fixed_modes() {
        let config = |mode| ExchangeConfig { mode, ..ExchangeConfig::single(LEGACY) };
        let mut exchange = Exchange::new(config(ResponseMode::Json));
        let mut out = Vec::new();
        let request = Outgoing::Request(ByteString::from_static("R"));
        assert_eq!(exchange.send(request, None, &mut out), Delivery::Undeliverable);
        assert_eq!(exchange.send(note("N"), None, &mut out), Delivery::Undeliverable);
        assert!(!exchange.keep_alive(&mut out) && out.is_empty());
        assert_eq!(exchange.send(answer("A"), None, &mut out), Delivery::Accepted);
        assert_eq!(show(&out), ["200 application/json", "A", "END"]);
        assert_eq!(exchange.send(answer("A"), None, &mut out), Delivery::Undeliverable);

        let got = run(config(ResponseMode::Sse), vec![answer("A")]);
        assert_eq!(got, ["200 text/event-stream", "id: 0\ndata: A\n\n", "END"]);
    }

    #[test]
    fn server_requests_are_legacy() {
        let request = || Outgoing::Request(ByteString::from_static("R"));
        let got = run(ExchangeConfig::single(LEGACY), vec![request(), answer("A")]);
        assert_eq!(got, ["200 text/event-stream", "id: 0\ndata: R\n\n", "id: 1\ndata: A\n\n", "END"]);
        let mut out = Vec::new();
        let mut exchange = Exchange::new(ExchangeConfig::single(MODERN));
        assert_eq!(exchange.send(request(), None, &mut out), Delivery::Undeliverable);
        assert!(out.is_empty());
    }

    #[test]
    fn the_origin_of_an_error_chooses_the_status() {
        use ErrorOrigin::{Gate, Handler};
        let status = |revision, code, origin| {
            run(ExchangeConfig::single(revision), vec![failure(code, origin)])[0].clone()
        };
        let table = [
            (-32700, Gate, "400", "400"),
            (-32600, Gate, "400", "400"),
            (-32601, Gate, "404", "200"),
            (-32602, Gate, "400", "200"),
            (-32020, Gate, "400", "200"),
            (-32021, Gate, "400", "200"),
            (-32022, Gate, "400", "200"),
            (-32603, Gate, "200", "200"),
            (-32601, Handler, "200", "200"),
            (-32602, Handler, "200", "200"),
            (-32603, Handler, "200", "200"),
            (-32021, Handler, "400", "200"),
        ];
        for (code, origin, modern, legacy) in table {
            assert_eq!(
                status(MODERN, code, origin),
                format!("{modern} application/json"),
                "{code} {origin:?}"
            );
            assert_eq!(
                status(LEGACY, code, origin),
                format!("{legacy} application/json"),
                "{code} {origin:?}"
            );
        }
    }

    #[test]
    fn overload_says_when_to_come_back() {
        let origin = ErrorOrigin::Refused { status: 503, retry_after: Some(Duration::from_millis(1200)) };
        for revision in [MODERN, LEGACY] {
            let mut out = Vec::new();
            let config = ExchangeConfig { mode: ResponseMode::Sse, ..ExchangeConfig::single(revision) };
            Exchange::new(config).send(failure(-32603, origin), None, &mut out);
            assert_eq!((head(&out).status, head(&out).content_type), (503, Some(JSON)));
            assert_eq!(head(&out).headers, [("retry-after", "2".to_owned())]);
        }
    }

    #[test]
    fn once_streaming_the_status_is_said() {
        let messages = vec![note("N"), failure(-32021, ErrorOrigin::Handler)];
        let got = run(ExchangeConfig::single(MODERN), messages);
        assert_eq!(got, ["200 text/event-stream", "id: 0\ndata: N\n\n", "id: 1\ndata: E\n\n", "END"]);
    }

    fn batch(awaited: usize) -> ExchangeConfig {
        ExchangeConfig { awaited, batch: true, ..ExchangeConfig::single(Revision::V2025_03_26) }
    }

    #[test]
    fn batches_answer_with_one_array() {
        let messages = vec![failure(-32600, ErrorOrigin::Gate), answer("B")];
        assert_eq!(run(batch(2), messages), ["200 application/json", "[E,B]", "END"]);
        assert_eq!(run(batch(1), vec![answer("A")]), ["200 application/json", "[A]", "END"]);
    }

    #[test]
    fn a_batch_that_becomes_a_stream_keeps_what_it_had() {
        let got = run(batch(2), vec![answer("A"), note("N"), answer("B")]);
        let events = ["id: 0\ndata: A\n\n", "id: 1\ndata: N\n\n", "id: 2\ndata: B\n\n"];
        assert_eq!(got, [&["200 text/event-stream"][..], &events, &["END"]].concat());
    }

    fn primed(revision: Revision) -> Exchange {
        let prime = Some(Prime { id: "p".into(), retry: Some(Duration::from_millis(500)) });
        Exchange::new(ExchangeConfig { prime, ..ExchangeConfig::single(revision) })
    }

    #[test]
    fn w4_the_priming_event_comes_first() {
        let mut out = Vec::new();
        let mut exchange = primed(LEGACY);
        exchange.send(note("N"), Some("1"), &mut out);
        assert!(exchange.prime(&mut out));
        let expected = ["200 text/event-stream", "id: p\nretry: 500\ndata: \n\n", "id: 1\ndata: N\n\n"];
        assert_eq!(show(&out), expected);
    }

    #[test]
    fn polling_closes_without_an_answer_where_the_revision_has_it() {
        let mut out = Vec::new();
        let mut exchange = primed(LEGACY);
        assert!(exchange.close_without_answer(&mut out));
        assert_eq!(show(&out), ["200 text/event-stream", "id: p\nretry: 500\ndata: \n\n", "END"]);
        assert!(exchange.is_ended() && !exchange.close_without_answer(&mut out));

        for mut exchange in [primed(Revision::V2025_06_18), Exchange::new(ExchangeConfig::single(LEGACY))] {
            let mut out = Vec::new();
            assert!(!exchange.close_without_answer(&mut out) && !exchange.prime(&mut out) && out.is_empty());
        }
    }

    #[test]
    fn after_abort_nothing_is_written() {
        let mut out = Vec::new();
        let mut exchange = primed(LEGACY);
        exchange.abort();
        assert_eq!(exchange.send(answer("A"), None, &mut out), Delivery::Undeliverable);
        assert!(!exchange.keep_alive(&mut out) && out.is_empty());
    }
}
