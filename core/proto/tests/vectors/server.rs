//! Scripts of the server side.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use mcpbolt_proto::jsonrpc::{DecodeLimits, ErrorCode, Id, Incoming, RawJson, decode};
use mcpbolt_proto::policy::skills;
use mcpbolt_proto::protocol::capabilities::ServerCapabilities;
use mcpbolt_proto::protocol::extensions::Topic;
use mcpbolt_proto::protocol::types::LoggingLevel;
use mcpbolt_proto::protocol::wire::{CacheHint, CacheScope};
use mcpbolt_proto::protocol::{Error, Method, Revision, methods};
use mcpbolt_proto::session::outgoing::Patience;
use mcpbolt_proto::session::server::{LogMessage, ServerSession, ServerSettings};
use mcpbolt_proto::session::{Answer, Change, ExchangeId, Facts, OutgoingId, Output, StreamId};
use mcpbolt_proto::tasks::{self, Stamp, Task, Terms};
use serde_json::{Value, json};

use crate::{Bench, Done};

struct Server(ServerCapabilities);

impl Facts for Server {
    fn allows(&self, method: &Method, revision: Revision) -> bool {
        self.0.allows(method, revision)
    }

    fn handles(&self, _: &str) -> bool {
        false
    }

    fn row(&self, method: &str) -> Option<&'static Method> {
        methods::lookup(method).or_else(|| skills::METHODS.iter().find(|row| row.name == method))
    }

    fn topics(&self) -> &[&'static Topic] {
        static TOPICS: [&Topic; 1] = [&tasks::TOPIC];
        &TOPICS
    }

    fn server_info(&self) -> Option<RawJson> {
        RawJson::parse(r#"{"name":"server","version":"1"}"#).ok()
    }

    fn announces(&self, change: &Change) -> bool {
        let list = |list: Option<bool>| list.unwrap_or(false);
        match change {
            Change::Tools => self.0.tools.as_ref().is_some_and(|c| list(c.list_changed)),
            Change::Prompts => self.0.prompts.as_ref().is_some_and(|c| list(c.list_changed)),
            Change::Resources => self.0.resources.as_ref().is_some_and(|c| list(c.list_changed)),
            Change::Resource(_) => self.0.resources.as_ref().is_some_and(|c| list(c.subscribe)),
            Change::Topic { topic, .. } => self.0.has_extension(topic.extension),
        }
    }
}

pub(crate) struct ServerBench {
    session: ServerSession,
    server: Server,
    now: Duration,
    outputs: Vec<Output>,
    calls: HashMap<Id, ExchangeId>,
    asked: Vec<OutgoingId>,
}

/// The capabilities scripts have unless they say otherwise.
fn everything() -> Value {
    json!({
        "tools": {"listChanged": true}, "prompts": {"listChanged": true},
        "resources": {"listChanged": true, "subscribe": true}, "logging": {}, "completions": {}
    })
}

impl ServerBench {
    pub(crate) fn new(script: &Value) -> Self {
        let wanted = &script["settings"];
        let mut settings = ServerSettings::default();
        if let Some(list) = wanted["revisions"].as_array() {
            settings.revisions = list
                .iter()
                .map(|r| Revision::parse(r.as_str().unwrap_or_default()).expect("revision"))
                .collect();
        }
        if let Some(max) = wanted["max_in_flight"].as_u64() {
            settings.max_in_flight = usize::try_from(max).expect("small");
        }
        let capabilities = wanted.get("capabilities").cloned().unwrap_or_else(everything);
        let mut this = Self {
            session: ServerSession::new(Arc::new(settings)),
            server: Server(serde_json::from_value(capabilities).expect("capabilities")),
            now: Duration::ZERO,
            outputs: Vec::new(),
            calls: HashMap::new(),
            asked: Vec::new(),
        };
        if let Some(revision) = script["begin"].as_str() {
            this.begin(revision, &wanted["client"]);
        }
        this
    }

    fn begin(&mut self, revision: &str, client: &Value) {
        let client = if client.is_null() { json!({}) } else { client.clone() };
        let params = json!({
            "protocolVersion": revision, "capabilities": client, "clientInfo": {"name": "c", "version": "1"}
        });
        let message = json!({"jsonrpc": "2.0", "id": "begin", "method": "initialize", "params": params});
        self.recv(message.to_string());
        self.done();
        let result = json!({"capabilities": {}, "serverInfo": {"name": "server", "version": "1"}});
        self.complete(&json!({"id": "begin", "result": result}));
        self.recv(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#.to_owned());
        self.done();
    }

    fn call(&self, id: &Value) -> Option<ExchangeId> {
        if id.is_null() {
            return None;
        }
        let id: Id = serde_json::from_value(id.clone()).expect("an id");
        Some(*self.calls.get(&id).unwrap_or_else(|| panic!("no call {id:?}")))
    }

    fn ask(&mut self, ask: &Value) -> Result<(), String> {
        let params = ask.get("params").map(raw);
        let timeout = Duration::from_millis(ask["timeout_ms"].as_u64().unwrap_or(60_000));
        let patience = Patience { timeout, max: timeout * 3 };
        let call = self.call(&ask["call"]);
        let method = ask["method"].as_str().expect("a method");
        let request = self
            .session
            .ask(self.now, call, method, params.as_ref(), Some(patience))
            .map_err(|e| format!("{:?}", e.kind))?;
        self.asked.push(request);
        Ok(())
    }

    fn log(&mut self, log: &Value) -> Result<(), String> {
        let level = LoggingLevel::parse(log["level"].as_str().unwrap_or_default()).expect("a level");
        let call = self.call(&log["call"]);
        let data = raw(&log["data"]);
        let message = LogMessage { exchange: call, level, logger: log["logger"].as_str(), data };
        self.session.log(self.now, message, false).map(drop).map_err(|e| format!("{e:?}"))
    }

    fn progress(&mut self, progress: &Value) -> Result<(), String> {
        let call = self.call(&progress["call"]).expect("a call");
        let (value, total) = (progress["progress"].as_f64().expect("a number"), progress["total"].as_f64());
        let message = progress["message"].as_str();
        self.session.progress(self.now, call, value, total, message).map_err(|e| format!("{e:?}"))
    }
}

pub(crate) fn raw(value: &Value) -> RawJson {
    RawJson::parse(value.to_string()).expect("JSON")
}

/// An error as scripts name it.
pub(crate) fn error(error: &Value) -> Error {
    if let Some(uri) = error["resource_not_found"].as_str() {
        return Error::resource_not_found(uri);
    }
    let code = error["code"].as_i64().expect("a code");
    Error::with_code(ErrorCode(code), error["message"].as_str().unwrap_or("failed"))
}

/// What the engine says of the task `t`, which has just begun.
fn of_a_task(form: &str) -> Answer {
    let at = Stamp { millis: 0, text: "2026-07-28T00:00:00.000Z".into() };
    let task = Task::new("t", None, "r", Terms { ttl: Some(60_000), poll: 500 }, &at);
    let value = match form {
        "created" => tasks::created(&task),
        "detailed" => tasks::detailed(&task),
        "acknowledged" => tasks::acknowledged(),
        "unknown" => return Answer::error(tasks::unknown()),
        other => panic!("nothing is called {other}"),
    };
    Answer::Result { value, cache: None }
}

impl Bench for ServerBench {
    fn recv(&mut self, text: String) {
        match decode(text, DecodeLimits::default()) {
            Ok(Incoming::Single(message)) => {
                self.session.receive(self.now, StreamId::CONNECTION, message, &self.server);
            }
            Ok(Incoming::Batch(messages)) => {
                self.session.receive_batch(self.now, StreamId::CONNECTION, messages, &self.server);
            }
            Err(malformed) => self.session.receive_malformed(StreamId::CONNECTION, &malformed),
        }
    }

    fn act(&mut self, action: &Value) -> Result<(), String> {
        let (name, what) = action.as_object().and_then(|a| a.iter().next()).expect("an action");
        match name.as_str() {
            "ask" => return self.ask(what),
            "log" => return self.log(what),
            "progress" => return self.progress(what),
            "publish" => {
                let change = match what.as_str() {
                    Some("tools") => Change::Tools,
                    Some("prompts") => Change::Prompts,
                    Some("resources") => Change::Resources,
                    _ if what["task"].is_string() => Change::Topic {
                        topic: &tasks::TOPIC,
                        key: what["task"].as_str().unwrap_or_default().to_owned(),
                        params: raw(&json!({"taskId": what["task"]})),
                    },
                    _ => Change::Resource(what["resource"].as_str().expect("a uri").to_owned()),
                };
                self.session.publish(&change, &self.server);
            }
            "give_up" => {
                let at = usize::try_from(what.as_u64().expect("a number")).expect("small");
                self.session.cancel_request(self.asked[at - 1], None);
            }
            "close" => self.session.close(what == "graceful"),
            other => panic!("unknown action {other}"),
        }
        Ok(())
    }

    fn complete(&mut self, answer: &Value) {
        let exchange = self.call(&answer["id"]).expect("a call");
        let cache = answer["cache"].as_object().map(|cache| CacheHint {
            ttl_ms: cache["ttl_ms"].as_u64().expect("a number"),
            scope: if cache["scope"] == "public" { CacheScope::Public } else { CacheScope::Private },
        });
        let answer = if let Some(form) = answer["task"].as_str() {
            of_a_task(form)
        } else if let Some(result) = answer.get("result") {
            Answer::Result { value: raw(result), cache }
        } else if let Some(input) = answer.get("input_required") {
            let requests = input["requests"].as_array().into_iter().flatten().map(|q| {
                let text = |name: &str| q[name].as_str().expect("text").to_owned();
                (text("key"), text("method"), q.get("params").map(raw))
            });
            Answer::InputRequired {
                requests: requests.collect(),
                state: input["state"].as_str().map(str::to_owned),
            }
        } else {
            Answer::error(error(&answer["error"]))
        };
        self.session.answer(exchange, answer, &self.server);
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
                Output::Send(out) => {
                    done.sent.push(serde_json::from_str(&out.text).expect("JSON"));
                    continue;
                }
                Output::Request(request) => {
                    self.calls.insert(request.id.clone(), request.exchange);
                    json!({"request": request.method.to_string(), "revision": request.revision.as_str()})
                }
                Output::Notification(note) => json!({"notification": note.method.to_string()}),
                Output::Cancel { .. } => json!("cancel"),
                Output::Answered { outcome: Ok(value), .. } => {
                    json!({"answered": serde_json::from_str::<Value>(value.as_str()).expect("JSON")})
                }
                Output::Answered { outcome: Err(error), .. } => {
                    json!({"failed": format!("{:?}", error.kind)})
                }
                Output::Progress { .. } => json!("progress"),
                Output::Subscription { uri, active } => json!({"subscription": uri, "active": active}),
                Output::Ready { revision, .. } => json!({"ready": revision.as_str()}),
                Output::Problem(problem) => json!({"problem": format!("{:?}", problem.kind)}),
                // Vectors do not ask to be told.
                Output::Ended { .. } | Output::Settled(_) => continue,
            };
            done.events.push(event);
        }
        done
    }
}
