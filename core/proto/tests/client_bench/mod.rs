//! A client session on a bench: scripted replies, virtual time.

use std::sync::Arc;
use std::time::Duration;

use mcpbolt_proto::jsonrpc::{DecodeLimits, Incoming, RawJson, RawObject, decode};
use mcpbolt_proto::protocol::ErrorKind;
use mcpbolt_proto::protocol::types::Implementation;
use mcpbolt_proto::session::OutgoingId;
use mcpbolt_proto::session::client::{Answered, ClientOutput, ClientSession, ClientSettings, RequestOptions};
use mcpbolt_proto::session::negotiate::ProtocolPolicy;

pub(crate) const SECOND: Duration = Duration::from_secs(1);
pub(crate) const DISCOVERY: &str = r#"{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"prompts":{},"resources":{}},"ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}}"#;
pub(crate) const HANDSHAKE: &str = r#"{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"logging":{},"resources":{"subscribe":true}},"serverInfo":{"name":"s","version":"1"}}"#;

pub(crate) fn raw(text: &str) -> RawJson {
    RawJson::parse(text.to_owned()).expect("test data")
}

pub(crate) fn member(message: &RawJson, path: &[&str]) -> Option<RawJson> {
    path.iter().try_fold(message.clone(), |at, name| RawObject::parse(&at)?.get(name).cloned())
}

/// A session under test, with everything it wanted done.
pub(crate) struct Bench {
    pub(crate) session: ClientSession,
    pub(crate) now: Duration,
    pub(crate) outputs: Vec<ClientOutput>,
}

impl Bench {
    pub(crate) fn with(change: impl FnOnce(&mut ClientSettings)) -> Self {
        let mut this = Self::unopened(change);
        this.session.start(this.now);
        this
    }

    /// Nothing is said yet.
    pub(crate) fn unopened(change: impl FnOnce(&mut ClientSettings)) -> Self {
        let capabilities =
            raw(r#"{"roots":{},"sampling":{},"elicitation":{}}"#).decode().expect("capabilities");
        let mut settings = ClientSettings::new(Implementation::new("c", "1"), capabilities);
        change(&mut settings);
        Self { session: ClientSession::new(Arc::new(settings)), now: Duration::ZERO, outputs: Vec::new() }
    }

    pub(crate) fn modern() -> Self {
        Self::modern_with(|_| {})
    }

    pub(crate) fn modern_with(change: impl FnOnce(&mut ClientSettings)) -> Self {
        let mut this = Self::with(change);
        this.reply(1, DISCOVERY);
        this.outputs();
        this
    }

    pub(crate) fn legacy() -> Self {
        Self::legacy_with(|_| {})
    }

    pub(crate) fn legacy_with(change: impl FnOnce(&mut ClientSettings)) -> Self {
        let mut this = Self::with(|settings| {
            settings.policy = ProtocolPolicy::LegacyFirst;
            change(settings);
        });
        this.reply(1, HANDSHAKE);
        this.outputs();
        this
    }

    pub(crate) fn receive(&mut self, text: &str) {
        match decode(text.to_owned(), DecodeLimits::default()) {
            Ok(Incoming::Single(message)) => self.session.receive(self.now, message, None),
            Ok(Incoming::Batch(messages)) => self.session.receive_batch(self.now, messages, None),
            Err(malformed) => self.session.receive_malformed(self.now, &malformed, None),
        }
    }

    pub(crate) fn reply(&mut self, id: i64, result: &str) {
        self.receive(&format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#));
    }

    pub(crate) fn advance(&mut self, by: Duration) {
        self.now += by;
        self.session.tick(self.now);
    }

    pub(crate) fn request(&mut self, method: &str, params: Option<&str>) -> OutgoingId {
        self.request_with(method, params, RequestOptions::default())
    }

    pub(crate) fn request_with(
        &mut self,
        method: &str,
        params: Option<&str>,
        options: RequestOptions,
    ) -> OutgoingId {
        self.session.request(self.now, method, params.map(raw), options).expect("request")
    }

    pub(crate) fn outputs(&mut self) -> Vec<ClientOutput> {
        self.session.take_outputs(&mut self.outputs);
        std::mem::take(&mut self.outputs)
    }

    /// The messages sent since the last look, parsed.
    pub(crate) fn sent(&mut self) -> Vec<RawJson> {
        let message = |output| match output {
            ClientOutput::Send(frame) => Some(RawJson::parse(frame.text.into_bytes()).expect("valid JSON")),
            _ => None,
        };
        self.outputs().into_iter().filter_map(message).collect()
    }

    pub(crate) fn methods_sent(&mut self) -> Vec<String> {
        self.sent().iter().filter_map(|m| member(m, &["method"])?.as_string()).collect()
    }
}

pub(crate) fn outcomes(outputs: &[ClientOutput]) -> Vec<(u64, Result<String, ErrorKind>)> {
    let outcome = |output: &ClientOutput| match output {
        ClientOutput::Answered { request, outcome: Ok(Answered::Complete(raw)) } => {
            Some((request.0, Ok(raw.as_str().to_owned())))
        }
        ClientOutput::Answered { request, outcome: Ok(other) } => Some((request.0, Ok(format!("{other:?}")))),
        ClientOutput::Answered { request, outcome: Err(error) } => Some((request.0, Err(error.kind))),
        _ => None,
    };
    outputs.iter().filter_map(outcome).collect()
}

pub(crate) fn problems(outputs: &[ClientOutput]) -> usize {
    outputs.iter().filter(|o| matches!(o, ClientOutput::Problem(_))).count()
}
