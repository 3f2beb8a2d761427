//! Scripts of the client side.

use std::sync::Arc;
use std::time::Duration;

use mcpbolt_proto::jsonrpc::{DecodeLimits, Incoming, decode};
use mcpbolt_proto::policy::skills;
use mcpbolt_proto::protocol::types::Implementation;
use mcpbolt_proto::protocol::{Error, Revision};
use mcpbolt_proto::session::client::{
    Answered, ClientOutput, ClientSession, ClientSettings, FrameFacts, KeepAlive, RequestOptions,
};
use mcpbolt_proto::session::negotiate::ProtocolPolicy;
use mcpbolt_proto::session::{ExchangeId, OutgoingId};
use serde_json::{Value, json};

use crate::server::{error, raw};
use crate::{Bench, Done};

pub(crate) struct ClientBench {
    session: ClientSession,
    now: Duration,
    outputs: Vec<ClientOutput>,
    /// By the names scripts give them.
    requests: Vec<(String, OutgoingId)>,
    asked: Vec<ExchangeId>,
}

fn policy(text: &str) -> ProtocolPolicy {
    match text {
        "auto" => ProtocolPolicy::Auto,
        "legacy-first" => ProtocolPolicy::LegacyFirst,
        "modern-only" => ProtocolPolicy::ModernOnly,
        name => ProtocolPolicy::Pinned(Revision::parse(name).expect("a policy")),
    }
}

impl ClientBench {
    pub(crate) fn new(script: &Value) -> Self {
        let wanted = &script["settings"];
        let capabilities = wanted.get("capabilities").cloned().unwrap_or_else(|| json!({}));
        let capabilities = serde_json::from_value(capabilities).expect("capabilities");
        let mut settings = ClientSettings::new(Implementation::new("client", "1"), capabilities);
        settings.policy = policy(wanted["policy"].as_str().or(script["begin"].as_str()).unwrap_or("auto"));
        let types = wanted["result_types"].as_array().into_iter().flatten();
        settings.result_types = types.map(|name| name.as_str().expect("a name").to_owned()).collect();
        settings.http = wanted["http"] == true;
        if wanted["skills"] == true {
            settings.rows = skills::METHODS.iter().map(|row| (row.name, row)).collect();
        }
        if let Some(interval) = wanted["ping_ms"].as_u64() {
            let interval = Duration::from_millis(interval);
            settings.keep_alive = Some(KeepAlive { interval, timeout: interval / 2 });
        }
        let mut this = Self {
            session: ClientSession::new(Arc::new(settings)),
            now: Duration::ZERO,
            outputs: Vec::new(),
            requests: Vec::new(),
            asked: Vec::new(),
        };
        this.session.start(this.now);
        if let Some(revision) = script["begin"].as_str() {
            let capabilities = wanted.get("server").cloned().unwrap_or_else(|| {
                json!({
                    "tools": {"listChanged": true}, "prompts": {},
                    "resources": {"subscribe": true}, "logging": {}
                })
            });
            this.begin(Revision::parse(revision).expect("a revision"), &capabilities);
        }
        this
    }

    fn begin(&mut self, revision: Revision, capabilities: &Value) {
        let result = if revision.is_modern() {
            json!({
                "resultType": "complete", "supportedVersions": [revision.as_str()], "capabilities": capabilities,
                "ttlMs": 0, "cacheScope": "private"
            })
        } else {
            json!({
                "protocolVersion": revision.as_str(), "capabilities": capabilities,
                "serverInfo": {"name": "s", "version": "1"}
            })
        };
        self.recv(json!({"jsonrpc": "2.0", "id": 1, "result": result}).to_string());
        self.done();
        assert!(self.session.is_ready(), "the handshake of {revision} is complete");
    }

    fn name_of(&self, request: OutgoingId) -> &str {
        self.requests.iter().find(|(_, r)| *r == request).map_or("?", |(name, _)| name)
    }

    fn request_of(&self, name: &Value) -> OutgoingId {
        let wanted = name.as_str().expect("a name");
        self.requests.iter().find(|(name, _)| name == wanted).expect("a request of that name").1
    }

    fn request(&mut self, wanted: &Value) -> Result<(), String> {
        let method = wanted["method"].as_str().expect("a method");
        let options = RequestOptions {
            timeout: wanted["timeout_ms"].as_u64().map(Duration::from_millis),
            max: wanted["max_ms"].as_u64().map(Duration::from_millis),
            progress: wanted["progress"] == true,
            ..RequestOptions::default()
        };
        let request = self
            .session
            .request(self.now, method, wanted.get("params").map(raw), options)
            .map_err(|e| format!("{:?}", e.kind))?;
        let name = wanted["as"].as_str().unwrap_or(method).to_owned();
        self.requests.push((name, request));
        Ok(())
    }

    fn outcome(&self, request: OutgoingId, outcome: Result<Answered, Error>) -> Value {
        let value = |raw: &mcpbolt_proto::jsonrpc::RawJson| -> Value {
            serde_json::from_str(raw.as_str()).expect("JSON")
        };
        let name = self.name_of(request);
        match outcome {
            Ok(Answered::Complete(raw)) => json!({"answered": name, "result": value(&raw)}),
            Ok(Answered::InputRequired { requests, state }) => {
                let keys: Vec<_> = requests.iter().map(|(key, method, _)| json!([key, method])).collect();
                json!({"answered": name, "questions": keys, "state": state})
            }
            Ok(Answered::Extension { result_type, .. }) => {
                json!({"answered": name, "extension": result_type})
            }
            Err(error) => json!({"answered": name, "error": format!("{:?}", error.kind)}),
        }
    }
}

impl Bench for ClientBench {
    fn recv(&mut self, text: String) {
        match decode(text, DecodeLimits::default()) {
            Ok(Incoming::Single(message)) => self.session.receive(self.now, message, None),
            Ok(Incoming::Batch(messages)) => self.session.receive_batch(self.now, messages, None),
            Err(malformed) => self.session.receive_malformed(self.now, &malformed, None),
        }
    }

    fn act(&mut self, action: &Value) -> Result<(), String> {
        let (name, what) = action.as_object().and_then(|a| a.iter().next()).expect("an action");
        match name.as_str() {
            "request" => return self.request(what),
            "cancel" => self.session.cancel(self.request_of(what), Some("enough")),
            "notify" => {
                let params = what.get("params").map(raw);
                let method = what["method"].as_str().expect("a method");
                return self.session.notify(method, params.as_ref()).map_err(|e| format!("{:?}", e.kind));
            }
            "close" => self.session.close(&Error::closed()),
            other => panic!("unknown action {other}"),
        }
        Ok(())
    }

    fn complete(&mut self, answer: &Value) {
        let at = usize::try_from(answer["number"].as_u64().expect("a number")).expect("small");
        let exchange = self.asked[at - 1];
        let outcome = answer.get("result").map_or_else(|| Err(error(&answer["error"])), |r| Ok(raw(r)));
        self.session.answer(exchange, outcome);
    }

    fn advance(&mut self, milliseconds: u64) {
        self.now += Duration::from_millis(milliseconds);
        self.session.tick(self.now);
    }

    fn done(&mut self) -> Done {
        self.session.take_outputs(&mut self.outputs);
        let mut done = Done::default();
        for output in std::mem::take(&mut self.outputs) {
            let event = match output {
                ClientOutput::Send(frame) => {
                    done.sent.push(serde_json::from_str(&frame.text).expect("JSON"));
                    match frame.facts {
                        FrameFacts::Request(facts) if facts.name.is_some() => json!({"named": facts.name}),
                        _ => continue,
                    }
                }
                ClientOutput::Abandon { notice, .. } => {
                    let text = |frame: mcpbolt_proto::session::client::ClientFrame| {
                        serde_json::from_str(&frame.text).expect("JSON")
                    };
                    done.sent.extend(notice.map(text));
                    continue;
                }
                ClientOutput::Restart => json!("restart"),
                ClientOutput::Lost(error) => json!({"lost": format!("{:?}", error.kind)}),
                ClientOutput::Ready(agreed) => json!({"ready": agreed.revision.as_str()}),
                ClientOutput::Answered { request, outcome } => self.outcome(request, outcome),
                ClientOutput::Progress { request, .. } => json!({"progress": self.name_of(request)}),
                ClientOutput::Notification { method, subscription, .. } => {
                    json!({
                        "notification": method.to_string(), "subscription": subscription.map(|s| self.name_of(s))
                    })
                }
                ClientOutput::Request(request) => {
                    self.asked.push(request.exchange);
                    json!({"request": request.method.to_string(), "number": self.asked.len()})
                }
                ClientOutput::CancelRequest { .. } => json!("cancel"),
                ClientOutput::Problem(problem) => json!({"problem": format!("{:?}", problem.kind)}),
                ClientOutput::Refused(error) => json!({"refused": format!("{:?}", error.kind)}),
                ClientOutput::Closed(error) => json!({"closed": format!("{:?}", error.kind)}),
            };
            done.events.push(event);
        }
        done
    }
}
