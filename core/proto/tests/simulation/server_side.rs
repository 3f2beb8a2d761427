//! The server session, and what its program does and was told.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use mcpbolt_proto::jsonrpc::{Message, RawJson};
use mcpbolt_proto::protocol::{Error, Method, Revision};
use mcpbolt_proto::session::outgoing::Patience;
use mcpbolt_proto::session::server::{ServerSession, ServerSettings};
use mcpbolt_proto::session::{Answer, Change, ExchangeId, Facts, OutboundKind, OutgoingId, Output, StreamId};

use crate::world::Checked;

struct Everything;

impl Facts for Everything {
    fn allows(&self, _: &Method, _: Revision) -> bool {
        true
    }

    fn handles(&self, _: &str) -> bool {
        false
    }

    fn server_info(&self) -> Option<RawJson> {
        None
    }

    fn announces(&self, _: &Change) -> bool {
        true
    }
}

#[derive(Default)]
struct Call {
    cancelled: bool,
    progress: Option<f64>,
}

pub(crate) struct ServerSide {
    pub(crate) session: ServerSession,
    running: BTreeMap<ExchangeId, Call>,
    /// Handshakes, answered at once.
    greetings: Vec<ExchangeId>,
    asking: BTreeMap<OutgoingId, bool>,
    over: BTreeSet<StreamId>,
    outputs: Vec<Output>,
}

fn raw(text: &'static str) -> RawJson {
    RawJson::parse(text).expect("JSON")
}

impl ServerSide {
    pub(crate) fn new(revision: Revision) -> Self {
        let settings =
            ServerSettings { revisions: vec![revision], max_in_flight: 30, ..ServerSettings::default() };
        Self {
            session: ServerSession::new(Arc::new(settings)),
            running: BTreeMap::new(),
            greetings: Vec::new(),
            asking: BTreeMap::new(),
            over: BTreeSet::new(),
            outputs: Vec::new(),
        }
    }

    pub(crate) fn receive(&mut self, now: Duration, stream: StreamId, message: Message) {
        self.session.receive(now, stream, message, &Everything);
    }

    fn pick(&self, pick: u8) -> Option<ExchangeId> {
        let open: Vec<ExchangeId> = self.running.keys().copied().collect();
        open.get(usize::from(pick) % open.len().max(1)).copied()
    }

    pub(crate) fn answer(&mut self, pick: u8, good: bool, trace: &mut Vec<String>) -> Checked {
        let Some(exchange) = self.pick(pick) else { return Ok(()) };
        let answer = if good {
            Answer::result(raw(r#"{"content":[]}"#))
        } else {
            Answer::error(Error::internal("failed"))
        };
        self.end(exchange, answer, trace)
    }

    /// Answers a call: one response if it is wanted, none if it was cancelled.
    fn end(&mut self, exchange: ExchangeId, answer: Answer, trace: &mut Vec<String>) -> Checked {
        let call = self.running.remove(&exchange).ok_or("no such call")?;
        self.session.take_outputs(&mut self.outputs);
        let before = self.outputs.len();
        if !self.session.answer(exchange, answer, &Everything) {
            return Err(format!("{exchange:?} was forgotten while its call ran"));
        }
        self.session.take_outputs(&mut self.outputs);
        let response = |output: &&Output| matches!(output, Output::Send(out) if matches!(out.kind, OutboundKind::Response { .. }));
        let responses = self.outputs[before..].iter().filter(response).count();
        trace.push(format!("server ends {} with {responses}", exchange.0));
        if responses != usize::from(!call.cancelled) {
            return Err(format!("{responses} responses, cancelled: {}", call.cancelled));
        }
        Ok(())
    }

    pub(crate) fn answer_the_rest(&mut self, trace: &mut Vec<String>) -> Checked {
        while let Some(exchange) = self.running.keys().next().copied() {
            self.end(exchange, Answer::result(raw("{}")), trace)?;
        }
        Ok(())
    }

    /// What is sent has grown, and nothing is sent for a cancelled call.
    pub(crate) fn progress(&mut self, now: Duration, pick: u8, value: f64) -> Checked {
        let Some(exchange) = self.pick(pick) else { return Ok(()) };
        let sent = self.session.progress(now, exchange, value, None, None).is_ok();
        let Some(call) = self.running.get_mut(&exchange) else { return Ok(()) };
        if sent && (call.cancelled || call.progress.is_some_and(|last| value <= last)) {
            return Err(format!("progress {value} after {:?}", call.progress));
        }
        if sent {
            call.progress = Some(value);
        }
        Ok(())
    }

    pub(crate) fn ask(&mut self, now: Duration, pick: u8) {
        let exchange = self.pick(pick);
        let patience = Patience { timeout: Duration::from_secs(30), max: Duration::from_mins(2) };
        if let Ok(request) = self.session.ask(now, exchange, "roots/list", None, Some(patience)) {
            self.asking.insert(request, false);
        }
    }

    pub(crate) fn give_up(&mut self, pick: u8) {
        let all: Vec<OutgoingId> = self.asking.keys().copied().collect();
        if let Some(request) = all.get(usize::from(pick) % all.len().max(1)) {
            self.session.cancel_request(*request, None);
        }
    }

    pub(crate) fn publish(&mut self) {
        self.session.publish(&Change::Tools, &Everything);
    }

    pub(crate) fn stream_gone(&mut self, stream: StreamId) {
        self.session.stream_closed(stream);
    }

    pub(crate) fn close(&mut self, graceful: bool) {
        self.session.close(graceful);
    }

    pub(crate) fn drain(&mut self, sent: &mut Vec<String>, trace: &mut Vec<String>) -> Checked {
        self.session.take_outputs(&mut self.outputs);
        for output in std::mem::take(&mut self.outputs) {
            match output {
                Output::Send(out) => {
                    self.check_stream(out.stream, &out.kind)?;
                    trace.push(format!("server sends {}", out.text));
                    sent.push(out.text.to_string());
                }
                Output::Ended { stream } => {
                    self.over.insert(stream);
                }
                Output::Request(request) if request.method.starts_with("tools/") => {
                    self.running.insert(request.exchange, Call::default());
                }
                Output::Request(request) => self.greetings.push(request.exchange),
                Output::Cancel { exchange, .. } => {
                    let call = self.running.get_mut(&exchange).ok_or("a cancellation of no call")?;
                    if std::mem::replace(&mut call.cancelled, true) {
                        return Err(format!("{exchange:?} was cancelled twice"));
                    }
                }
                Output::Answered { request, outcome } => {
                    let answered = self.asking.get_mut(&request).ok_or("an answer to no question")?;
                    if std::mem::replace(answered, true) {
                        return Err(format!("{request:?} was answered twice"));
                    }
                    trace.push(format!("server answered {} {}", request.0, outcome.is_ok()));
                }
                other => trace.push(format!("server {other:?}")),
            }
        }
        if self.greetings.is_empty() {
            return Ok(());
        }
        for exchange in std::mem::take(&mut self.greetings) {
            let value = raw(r#"{"capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}"#);
            self.session.answer(exchange, Answer::result(value), &Everything);
        }
        self.drain(sent, trace)
    }

    /// A stream of one request says nothing after its end.
    fn check_stream(&mut self, stream: StreamId, kind: &OutboundKind) -> Checked {
        if stream == StreamId::CONNECTION {
            return Ok(());
        }
        if self.over.contains(&stream) {
            return Err(format!("{kind:?} on {stream:?} after its end"));
        }
        if matches!(kind, OutboundKind::Response { .. }) {
            self.over.insert(stream);
        }
        Ok(())
    }

    pub(crate) fn ended(&self) -> Checked {
        if let Some((request, _)) = self.asking.iter().find(|(_, answered)| !**answered) {
            return Err(format!("the server's {request:?} was never answered"));
        }
        let left = (self.session.in_flight(), self.session.asking());
        if left != (0, 0) || self.session.next_deadline().is_some() {
            return Err(format!("the server keeps {left:?} after its end"));
        }
        Ok(())
    }
}
