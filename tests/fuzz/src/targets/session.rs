//! Lines of a stranger into a server session.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use mcpbolt_proto::jsonrpc::{DecodeLimits, Incoming, Message, RawJson, decode};
use mcpbolt_proto::protocol::{Error, Method, Revision, methods};
use mcpbolt_proto::session::server::{ServerSession, ServerSettings};
use mcpbolt_proto::session::{Answer, Change, ExchangeId, Facts, OutboundKind, Output, StreamId};

struct Everything;

impl Facts for Everything {
    fn allows(&self, _: &Method, _: Revision) -> bool {
        true
    }

    fn handles(&self, method: &str) -> bool {
        method.len() == 1
    }

    fn server_info(&self) -> Option<RawJson> {
        None
    }

    fn announces(&self, _: &Change) -> bool {
        true
    }
}

struct Stranger {
    session: ServerSession,
    now: Duration,
    running: VecDeque<ExchangeId>,
}

/// What one input led to.
#[derive(Default)]
struct Effect {
    responses: usize,
    started: usize,
}

impl Stranger {
    fn line(&mut self, line: &[u8]) {
        match line {
            [b'!', rest @ ..] => self.program(rest.first().copied().unwrap_or_default()),
            _ => self.message(line),
        }
    }

    fn message(&mut self, line: &[u8]) {
        let (now, stream) = (self.now, StreamId::CONNECTION);
        let before = self.session.in_flight();
        match decode(line.to_vec(), DecodeLimits::default()) {
            Ok(Incoming::Single(message)) => {
                let wanted = matches!(message, Message::Request(_));
                self.session.receive(now, stream, message, &Everything);
                let pending = self.session.in_flight() > before;
                let effect = self.drain();
                if wanted {
                    assert!(effect.responses + usize::from(pending) == 1, "one answer, now or later");
                    assert!(effect.started <= usize::from(pending));
                } else {
                    assert!(effect.responses == 0 && !pending, "only requests are answered");
                }
            }
            Ok(Incoming::Batch(messages)) => {
                self.session.receive_batch(now, stream, messages, &Everything);
                assert!(self.drain().responses <= 1, "a batch has one answer");
            }
            Err(malformed) => {
                self.session.receive_malformed(stream, &malformed);
                assert!(self.drain().responses <= 1);
            }
        }
    }

    /// The program behind the session does something.
    fn program(&mut self, what: u8) {
        let exchange = self.running.front().copied();
        let raw = |text: &'static str| RawJson::parse(text).unwrap_or_else(|_| RawJson::null());
        match (what, exchange) {
            (b'a', Some(exchange)) => {
                self.end(exchange, Answer::result(raw(r#"{"content":[]}"#)));
            }
            (b'e', Some(exchange)) => self.end(exchange, Answer::error(Error::internal("failed"))),
            (b'i', Some(exchange)) => {
                self.end(exchange, Answer::InputRequired { requests: Vec::new(), state: Some("s".into()) });
            }
            (b'p', Some(exchange)) => {
                let _ = self.session.progress(self.now, exchange, 1.5, None, Some("m\n"));
            }
            (b'q', exchange) => drop(self.session.ask(self.now, exchange, methods::ROOTS_LIST, None, None)),
            (b'u', _) => self.session.publish(&Change::Resource("file:///a".into()), &Everything),
            (b's', _) => self.session.stream_closed(StreamId::CONNECTION),
            (b't', _) => {
                self.now += Duration::from_mins(11);
                self.session.tick(self.now);
            }
            (b'c', _) => self.session.close(true),
            _ => {}
        }
        self.drain();
    }

    fn end(&mut self, exchange: ExchangeId, answer: Answer) {
        self.running.retain(|running| *running != exchange);
        assert!(self.session.answer(exchange, answer, &Everything), "a running call was forgotten");
    }

    fn drain(&mut self) -> Effect {
        let mut outputs = Vec::new();
        self.session.take_outputs(&mut outputs);
        let mut effect = Effect::default();
        for output in outputs {
            match output {
                Output::Send(out) => {
                    assert!(!out.text.contains(['\n', '\r']), "a line break");
                    assert!(decode(out.text.into_bytes(), DecodeLimits::default()).is_ok(), "not a message");
                    effect.responses += usize::from(matches!(out.kind, OutboundKind::Response { .. }));
                }
                Output::Request(request) => {
                    effect.started += 1;
                    self.running.push_back(request.exchange);
                }
                _ => {}
            }
        }
        effect
    }
}

/// Lines are messages, or acts of the program when they begin with `!`.
pub(super) fn session(data: &[u8]) {
    let settings = ServerSettings { max_in_flight: 20, ..ServerSettings::default() };
    let session = ServerSession::new(Arc::new(settings));
    let mut stranger = Stranger { session, now: Duration::ZERO, running: VecDeque::new() };
    for line in data.split(|byte| *byte == b'\n').take(200) {
        stranger.line(line);
    }
    stranger.session.close(true);
    stranger.drain();
    while let Some(exchange) = stranger.running.front().copied() {
        stranger.end(exchange, Answer::result(RawJson::empty_object()));
    }
    assert!(stranger.drain().responses == 0, "an answer after the end");
    let left = (stranger.session.in_flight(), stranger.session.asking());
    assert!(left == (0, 0), "something is left after the end: {left:?}");
}
