//! One POST's answer: the exchange machine, and what it wrote so far.
//!
//! Owns: the way from a connection's messages to a response head and body.
//! Must not know: hyper, sessions.

use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use bytes::Bytes;
use bytestring::ByteString;
use parking_lot::Mutex;

use mcpbolt_proto::http::{
    Delivery, ErrorOrigin, ExchangeConfig, ExchangeOutput, Head, HttpExchange, Outgoing,
};
use mcpbolt_proto::jsonrpc::ErrorCode;
use mcpbolt_proto::limits::Limits;
use mcpbolt_proto::session::{Outbound, OutboundKind, StreamId};

use crate::handler::Wake;
use crate::transport::connection::{Sink, Wire};

use super::pipe::Pipe;

/// When a client may try again after a cap was reached.
const RETRY_AFTER: Duration = Duration::from_secs(1);

/// How an answer begins.
pub(super) enum Start {
    /// All of it.
    Whole(Head, Bytes),
    /// The head of a stream; the rest comes through the pipe.
    Stream(Head),
}

/// The answer of one POST.
pub(super) struct PostAnswer {
    state: Mutex<State>,
    pipe: Arc<Pipe>,
}

struct State {
    exchange: HttpExchange,
    head: Option<Head>,
    body: Option<Bytes>,
    outputs: Vec<ExchangeOutput>,
    waiting: Option<Waker>,
}

impl PostAnswer {
    pub(super) fn new(config: ExchangeConfig, limits: &Limits) -> Self {
        let state = State {
            exchange: HttpExchange::new(config),
            head: None,
            body: None,
            outputs: Vec::new(),
            waiting: None,
        };
        Self { state: Mutex::new(state), pipe: Pipe::new(limits) }
    }

    pub(super) fn pipe(&self) -> &Arc<Pipe> {
        &self.pipe
    }

    /// Takes a message. The second value: whether the answer is a stream.
    pub(super) fn send(
        &self,
        kind: &OutboundKind,
        text: ByteString,
        event_id: Option<&str>,
    ) -> (Delivery, bool) {
        let message = match kind {
            OutboundKind::Notification | OutboundKind::Cancellation => Outgoing::Notification(text),
            OutboundKind::Request => Outgoing::Request(text),
            OutboundKind::Response { error, gate } => {
                Outgoing::Response { text, error: error.map(|code| (code, origin(code, *gate))) }
            }
        };
        self.change(|exchange, out| {
            let delivery = exchange.send(message, event_id, out);
            let streamed =
                matches!(out.first(), Some(ExchangeOutput::Body(_))) || is_stream_head(out.first());
            (delivery, streamed)
        })
    }

    /// The exchange ended without an answer.
    pub(super) fn end(&self) {
        self.change(|exchange, out| {
            if exchange.is_ended() {
                return;
            }
            let streamed = exchange.is_streaming() || exchange.keep_alive(out);
            exchange.abort();
            if !streamed {
                out.push(ExchangeOutput::Head(Head::accepted()));
            }
            out.push(ExchangeOutput::End);
        });
    }

    /// Ends the stream early; the client comes back for the answer. `false`: it cannot.
    pub(super) fn detach(&self) -> bool {
        self.change(HttpExchange::close_without_answer)
    }

    /// Makes an undecided answer a stream. `false`: it is JSON.
    pub(super) fn begin(&self) -> bool {
        self.change(HttpExchange::begin)
    }

    /// Whether the answer is a stream by now.
    pub(super) fn is_streaming(&self) -> bool {
        self.state.lock().exchange.is_streaming()
    }

    fn change<T>(&self, body: impl FnOnce(&mut HttpExchange, &mut Vec<ExchangeOutput>) -> T) -> T {
        let mut state = self.state.lock();
        let mut outputs = std::mem::take(&mut state.outputs);
        let result = body(&mut state.exchange, &mut outputs);
        let mut waiting = None;
        let whole =
            matches!(outputs.first(), Some(ExchangeOutput::Head(_))) && !is_stream_head(outputs.first());
        for output in outputs.drain(..) {
            match output {
                ExchangeOutput::Head(head) => {
                    state.head = Some(head);
                    waiting = state.waiting.take();
                }
                ExchangeOutput::Body(bytes) if whole => state.body = Some(bytes),
                ExchangeOutput::Body(bytes) => {
                    self.pipe.write(|buffer| buffer.extend_from_slice(&bytes));
                }
                ExchangeOutput::End if whole => state.body = Some(state.body.take().unwrap_or_default()),
                ExchangeOutput::End => self.pipe.end(),
            }
        }
        state.outputs = outputs;
        drop(state);
        if let Some(waiting) = waiting {
            waiting.wake();
        }
        result
    }

    /// How the answer begins, if that is known.
    pub(super) fn start(&self) -> Option<Start> {
        self.state.lock().start()
    }

    pub(super) fn poll_start(&self, cx: &mut Context<'_>) -> Poll<Start> {
        let mut state = self.state.lock();
        if let Some(start) = state.start() {
            return Poll::Ready(start);
        }
        if !state.waiting.as_ref().is_some_and(|waker| waker.will_wake(cx.waker())) {
            state.waiting = Some(cx.waker().clone());
        }
        Poll::Pending
    }
}

impl State {
    fn start(&mut self) -> Option<Start> {
        let head = self.head.take()?;
        Some(match self.body.take() {
            Some(body) => Start::Whole(head, body),
            None => Start::Stream(head),
        })
    }
}

fn is_stream_head(output: Option<&ExchangeOutput>) -> bool {
    matches!(output, Some(ExchangeOutput::Head(head)) if head.content_type == Some(mcpbolt_proto::http::headers::EVENT_STREAM))
}

/// A gate's internal error is a cap.
fn origin(code: ErrorCode, gate: bool) -> ErrorOrigin {
    match gate {
        true if code == ErrorCode::INTERNAL_ERROR => {
            ErrorOrigin::Refused { status: 503, retry_after: Some(RETRY_AFTER) }
        }
        true => ErrorOrigin::Gate,
        false => ErrorOrigin::Handler,
    }
}

/// The sink of a connection that serves one POST and nothing else.
impl Sink for PostAnswer {
    fn send(&self, steps: &mut Vec<Wire>) {
        for step in steps.drain(..) {
            match step {
                Wire::Message(Outbound { kind, text, .. }) => drop(Self::send(self, &kind, text, None)),
                Wire::Ended(_) => self.end(),
                Wire::Detach(_) => {}
            }
        }
    }

    fn is_full(&self, _: StreamId) -> bool {
        self.pipe.is_full()
    }

    fn on_writable(&self, _: StreamId, wake: Wake) {
        self.pipe.on_writable(wake);
    }

    fn close(&self) {
        self.end();
    }
}
