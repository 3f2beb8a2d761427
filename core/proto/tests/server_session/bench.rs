//! A session under test, the facts of a server behind it, and short ways to look.

use std::sync::Arc;
use std::time::Duration;

use mcpbolt_proto::jsonrpc::{DecodeLimits, Incoming, RawJson, decode};
use mcpbolt_proto::protocol::capabilities::ServerCapabilities;
use mcpbolt_proto::protocol::types::LoggingLevel;
use mcpbolt_proto::protocol::{Method, Revision};
use mcpbolt_proto::session::server::{LogMessage, NotSent, ServerSession, ServerSettings};
use mcpbolt_proto::session::{
    Answer, CancelReason, Change, ExchangeId, Facts, InboundRequest, OutboundKind, OutgoingId, Output,
    ProblemKind, StreamId,
};
use serde_json::{Value, json};

pub(crate) const SECOND: Duration = Duration::from_secs(1);

pub(crate) fn raw(value: &Value) -> RawJson {
    RawJson::parse(value.to_string()).expect("test data")
}

/// A server that declares what `capabilities` says and announces resources below `file:///`.
pub(crate) struct Server {
    pub(crate) capabilities: ServerCapabilities,
    pub(crate) announces: bool,
    pub(crate) host_ping: bool,
    pub(crate) host_listens: bool,
}

impl Facts for Server {
    fn allows(&self, method: &Method, revision: Revision) -> bool {
        self.capabilities.allows(method, revision)
    }

    fn handles(&self, method: &str) -> bool {
        method.starts_with("example/")
    }

    fn host_ping(&self) -> bool {
        self.host_ping
    }

    fn host_listens(&self) -> bool {
        self.host_listens
    }

    fn server_info(&self) -> Option<RawJson> {
        Some(raw(&json!({"name": "s", "version": "1"})))
    }

    fn announces(&self, change: &Change) -> bool {
        match change {
            Change::Tools | Change::Topic { .. } => self.announces,
            Change::Prompts | Change::Resources => false,
            Change::Resource(uri) => self.announces && uri.starts_with("file:///"),
        }
    }
}

pub(crate) struct Bench {
    pub(crate) session: ServerSession,
    pub(crate) server: Server,
    pub(crate) now: Duration,
    pub(crate) stream: StreamId,
    outputs: Vec<Output>,
}

/// What a look at the outputs found, in order.
#[derive(Default)]
pub(crate) struct Seen {
    pub(crate) sent: Vec<Value>,
    pub(crate) texts: Vec<String>,
    pub(crate) frames: Vec<(StreamId, OutboundKind)>,
    pub(crate) requests: Vec<InboundRequest>,
    pub(crate) cancels: Vec<(ExchangeId, CancelReason)>,
    pub(crate) answered: Vec<(OutgoingId, Result<Value, mcpbolt_proto::protocol::ErrorKind>)>,
    pub(crate) problems: Vec<ProblemKind>,
    pub(crate) settled: Vec<(String, Option<mcpbolt_proto::protocol::ErrorKind>)>,
    pub(crate) subscriptions: Vec<(String, bool)>,
    pub(crate) ended: Vec<StreamId>,
    pub(crate) ready: Vec<Revision>,
    pub(crate) progress: usize,
    pub(crate) notifications: Vec<String>,
}

impl Seen {
    /// Error codes of what was sent.
    pub(crate) fn codes(&self) -> Vec<i64> {
        self.sent.iter().filter_map(|m| m["error"]["code"].as_i64()).collect()
    }

    /// Method names of what was sent.
    pub(crate) fn methods(&self) -> Vec<&str> {
        self.sent.iter().filter_map(|m| m["method"].as_str()).collect()
    }

    pub(crate) fn is_silent(&self) -> bool {
        self.sent.is_empty() && self.requests.is_empty() && self.problems.is_empty()
    }
}

impl Bench {
    pub(crate) fn new() -> Self {
        Self::with(|_| {})
    }

    pub(crate) fn with(change: impl FnOnce(&mut ServerSettings)) -> Self {
        let mut settings = ServerSettings::default();
        change(&mut settings);
        Self::over(ServerSession::new(Arc::new(settings)))
    }

    pub(crate) fn over(session: ServerSession) -> Self {
        let capabilities = json!({
            "tools": {"listChanged": true}, "resources": {"subscribe": true}, "logging": {}
        });
        let server = Server {
            capabilities: raw(&capabilities).decode().expect("capabilities"),
            announces: true,
            host_ping: false,
            host_listens: false,
        };
        Self { session, server, now: Duration::ZERO, stream: StreamId::CONNECTION, outputs: Vec::new() }
    }

    /// A session whose legacy handshake is complete.
    pub(crate) fn ready(revision: Revision) -> Self {
        Self::ready_with(revision, &json!({"roots": {}, "sampling": {}, "elicitation": {}}))
    }

    pub(crate) fn ready_with(revision: Revision, capabilities: &Value) -> Self {
        let mut this = Self::new();
        this.initialize(revision.as_str(), capabilities);
        this.initialized();
        this.look();
        this
    }

    /// Sends `initialize` and answers it.
    pub(crate) fn initialize(&mut self, version: &str, capabilities: &Value) {
        let params = json!({
            "protocolVersion": version, "capabilities": capabilities,
            "clientInfo": {"name": "c", "version": "1"}
        });
        self.request(json!(0), "initialize", params);
        let exchange = self.outputs.iter().rev().find_map(|output| match output {
            Output::Request(request) => Some(request.exchange),
            _ => None,
        });
        if let Some(exchange) = exchange {
            self.answer(exchange, json!({"capabilities": {}, "serverInfo": {"name": "s", "version": "1"}}));
        }
    }

    pub(crate) fn initialized(&mut self) {
        self.notify("notifications/initialized", json!({}));
    }

    pub(crate) fn text(&mut self, text: &str) {
        match decode(text.to_owned(), DecodeLimits::default()) {
            Ok(Incoming::Single(message)) => {
                self.session.receive(self.now, self.stream, message, &self.server);
            }
            Ok(Incoming::Batch(messages)) => {
                self.session.receive_batch(self.now, self.stream, messages, &self.server);
            }
            Err(malformed) => self.session.receive_malformed(self.stream, &malformed),
        }
        self.session.take_outputs(&mut self.outputs);
    }

    pub(crate) fn request(&mut self, id: Value, method: &str, params: Value) {
        self.text(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string());
    }

    pub(crate) fn notify(&mut self, method: &str, params: Value) {
        self.text(&json!({"jsonrpc": "2.0", "method": method, "params": params}).to_string());
    }

    pub(crate) fn reply(&mut self, id: &Value, result: Value) {
        self.text(&json!({"jsonrpc": "2.0", "id": id, "result": result}).to_string());
    }

    /// Opens a call and returns its exchange.
    pub(crate) fn call(&mut self, id: Value, params: Value) -> ExchangeId {
        self.request(id, "tools/call", params);
        let seen = self.look();
        assert_eq!(seen.codes(), [0; 0], "the call was refused: {:?}", seen.sent);
        seen.requests.first().expect("a call starts").exchange
    }

    pub(crate) fn answer(&mut self, exchange: ExchangeId, result: Value) -> bool {
        self.answer_with(exchange, Answer::result(raw(&result)))
    }

    pub(crate) fn answer_with(&mut self, exchange: ExchangeId, answer: Answer) -> bool {
        self.session.answer(exchange, answer, &self.server)
    }

    /// A log message of the part `l`, on a stream with room.
    pub(crate) fn log(
        &mut self,
        exchange: Option<ExchangeId>,
        level: LoggingLevel,
        data: &Value,
    ) -> Result<u64, NotSent> {
        let message = LogMessage { exchange, level, logger: Some("l"), data: raw(data) };
        self.session.log(self.now, message, false)
    }

    pub(crate) fn publish(&mut self, change: &Change) {
        self.session.publish(change, &self.server);
    }

    pub(crate) fn advance(&mut self, by: Duration) {
        self.now += by;
        self.session.tick(self.now);
    }

    /// Everything since the last look.
    pub(crate) fn look(&mut self) -> Seen {
        self.session.take_outputs(&mut self.outputs);
        let mut seen = Seen::default();
        for output in std::mem::take(&mut self.outputs) {
            match output {
                Output::Send(out) => {
                    assert!(!out.text.contains(['\n', '\r']), "a message is one line");
                    seen.texts.push(out.text.to_string());
                    seen.sent.push(serde_json::from_str(&out.text).expect("messages are JSON"));
                    seen.frames.push((out.stream, out.kind));
                }
                Output::Ended { stream } => seen.ended.push(stream),
                Output::Request(request) => seen.requests.push(*request),
                Output::Notification(note) => seen.notifications.push(note.method.to_string()),
                Output::Cancel { exchange, reason } => seen.cancels.push((exchange, reason)),
                Output::Answered { request, outcome } => {
                    let outcome = outcome
                        .map(|raw| serde_json::from_str(raw.as_str()).expect("JSON"))
                        .map_err(|error| error.kind);
                    seen.answered.push((request, outcome));
                }
                Output::Progress { .. } => seen.progress += 1,
                Output::Subscription { uri, active } => seen.subscriptions.push((uri, active)),
                Output::Ready { revision, .. } => seen.ready.push(revision),
                Output::Settled(told) => {
                    seen.settled.push((told.method.to_string(), told.error.map(|error| error.kind)));
                }
                Output::Problem(problem) => seen.problems.push(problem.kind),
            }
        }
        seen
    }
}

/// Params of a modern request with further members.
pub(crate) fn modern(members: Value) -> Value {
    modern_with(members, json!({}), json!({}))
}

/// The same with client capabilities and further metadata.
pub(crate) fn modern_with(mut members: Value, capabilities: Value, meta: Value) -> Value {
    let mut all = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": capabilities,
    });
    for (key, value) in meta.as_object().expect("an object") {
        all[key] = value.clone();
    }
    members["_meta"] = all;
    members
}
