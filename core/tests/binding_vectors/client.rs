//! The client program, on the bridge's verbs.

use std::collections::HashMap;
use std::sync::Arc;

use mcpbolt::bridge::{ClientOptions, Failure, Framing, HostClient, Item, Outcome, Request, RequestPlan};
use mcpbolt_proto::jsonrpc::RawJson;
use serde_json::{Value, json};

use crate::desk::{Desk, Side};

pub(crate) struct ClientProgram {
    desk: Desk,
    client: Arc<HostClient>,
    connection: u64,
    protocol: String,
    open: bool,
    /// By the names scripts give them.
    calls: HashMap<String, u64>,
    /// Questions that wait until they are cancelled.
    hanging: Vec<u64>,
}

fn value(raw: &RawJson) -> Value {
    serde_json::from_str(raw.as_str()).expect("JSON")
}

impl ClientProgram {
    pub(crate) fn new(options: &Value, protocol: &str) -> Self {
        let desk = Desk::new();
        let mut all = json!({"client_info": {"name": "vectors", "version": "1"},
            "capabilities": {"elicitation": {"form": {}}, "sampling": {}, "roots": {"listChanged": true}}});
        for (name, value) in options.as_object().into_iter().flatten() {
            all[name] = value.clone();
        }
        let options = ClientOptions::parse(&all.into()).expect("options");
        let client = HostClient::new(options, Arc::clone(&desk.inbox));
        let connection = client.open_fed(Framing::Message).expect("a connection");
        let protocol = protocol.to_owned();
        Self { desk, client, connection, protocol, open: true, calls: HashMap::new(), hanging: Vec::new() }
    }

    fn call(&mut self, action: &Value) -> Result<(), String> {
        let method = action["call"].as_str().ok_or("a call has a method")?;
        let mut plan = json!({});
        for name in ["timeout", "progress"] {
            if let Some(value) = action.get(name) {
                plan[name] = value.clone();
            }
        }
        let plan = RequestPlan::parse(&plan.into()).map_err(|e| e.message)?;
        let params = action.get("params").map(RawJson::from);
        let id = self.desk.inbox.request_with(self.connection, method, params, plan);
        let name = action["as"].as_str().unwrap_or(method).to_owned();
        self.calls.insert(name, id);
        Ok(())
    }

    fn name_of(&self, id: u64) -> String {
        self.calls.iter().find(|(_, of)| **of == id).map_or_else(String::new, |(name, _)| name.clone())
    }

    fn answered(&mut self, id: u64, outcome: Result<RawJson, Failure>) {
        let name = self.name_of(id);
        self.desk.events.push(match outcome {
            Ok(result) => json!({"answered": name, "result": value(&result)}),
            Err(failure) => json!({"failed": name, "kind": failure.kind, "code": failure.code,
                "message": failure.message, "data": failure.data.as_ref().map(value)}),
        });
    }

    fn served(&mut self, request: &Request) {
        let params = request.params.as_ref().map_or(Value::Null, value);
        self.desk.note("asked", request.method.to_string());
        let answer = match &*request.method {
            "elicitation/create" => match params["message"].as_str().unwrap_or_default() {
                "hang" => return self.hanging.push(request.call),
                "fail" => {
                    let failure = Failure {
                        kind: "internal".into(),
                        code: -32603,
                        message: "failed".into(),
                        data: None,
                    };
                    self.desk.inbox.complete(request.call, Outcome::Error(failure));
                    return;
                }
                action @ ("decline" | "cancel") => json!({ "action": action }),
                name => json!({"action": "accept", "content": {"name": name}}),
            },
            "roots/list" => json!({"roots": [{"uri": "file:///one", "name": "one"}]}),
            _ => {
                let prompt = params["messages"][0]["content"]["text"].as_str().unwrap_or_default();
                json!({"role": "assistant", "model": "vectors", "stopReason": "endTurn",
                    "content": {"type": "text", "text": format!("echo: {prompt}")}})
            }
        };
        self.desk.answer(request.call, answer);
    }
}

impl Side for ClientProgram {
    fn desk(&mut self) -> &mut Desk {
        &mut self.desk
    }

    fn recv(&mut self, text: String) {
        let sent = self.client.feed(self.connection, text.into()).unwrap_or_default();
        self.desk.keep(sent);
        self.pump();
    }

    fn act(&mut self, name: &str, action: &Value) -> Result<(), String> {
        match name {
            "call" => self.call(action)?,
            "cancel" => {
                let id = self.calls.get(action["cancel"].as_str().unwrap_or_default());
                self.desk.inbox.cancel(*id.ok_or("no call of that name")?);
            }
            "notify" => {
                let method = action["notify"].as_str().unwrap_or_default();
                self.desk.inbox.send(self.connection, method, None);
            }
            "open" => {
                let id = self.client.initialize(self.connection, Some(&self.protocol));
                self.calls.insert("open".to_owned(), id.map_err(|e| e.message)?);
            }
            "close" => {
                self.open = false;
                self.desk.inbox.close_connection(self.connection);
            }
            _ => return Err(format!("unknown action {name}")),
        }
        Ok(())
    }

    fn disconnect(&mut self) {
        if std::mem::take(&mut self.open) {
            let _ = self.client.disconnect(self.connection, None);
        }
    }

    fn item(&mut self, item: Item) {
        match item {
            Item::Request(request) => self.served(&request),
            Item::Response { id, outcome, .. } => self.answered(id, outcome),
            Item::Progress { id, params } => {
                let event = json!({"progress": self.name_of(id), "params": value(&params)});
                self.desk.events.push(event);
            }
            Item::Cancel { call, .. } if self.hanging.contains(&call) => {
                self.hanging.retain(|of| *of != call);
                self.desk.note("cancelled", "elicitation/create");
            }
            Item::Notification { method, params, .. } => {
                let params = params.as_ref().map_or(Value::Null, value);
                self.desk.events.push(json!({"notified": method.to_string(), "params": params}));
            }
            Item::Outgoing { .. } => self.take(),
            Item::Closed { failure, .. } => {
                let kind = failure.map(|failure| failure.kind);
                self.desk.events.push(json!({"closed": true, "kind": kind}));
            }
            _ => {}
        }
    }

    fn take(&mut self) {
        if self.desk.reading {
            let sent = self.client.take_outgoing(self.connection).unwrap_or_default();
            self.desk.keep(sent);
        }
    }

    fn end(&mut self) -> Result<(), String> {
        self.disconnect();
        self.settle()?;
        self.client.close();
        self.settle()?;
        if self.hanging.is_empty() { Ok(()) } else { Err("a question still waits".to_owned()) }
    }
}
