//! The server program, on the bridge's verbs.

use std::collections::HashMap;
use std::sync::Arc;

use mcpbolt::bridge::{
    CancelWhy, Delivery, Failure, Framing, HostServer, Item, Options, Outcome, OutdatedList, Request,
};
use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::Error;
use serde_json::{Value, json};

use crate::desk::{Desk, Side, WAIT};
use crate::registry::{CAPABILITIES, INSTRUCTIONS, Registry, echo_tool};

pub(crate) struct ServerProgram {
    desk: Desk,
    server: Arc<HostServer>,
    connection: u64,
    open: bool,
    registry: Registry,
    calls: HashMap<u64, Doing>,
    /// Which call asked.
    asked: HashMap<u64, u64>,
}

/// What a call that takes its time is at.
enum Doing {
    Hang,
    Hold(String),
    Ask,
    /// The action of the form and the number of roots, as far as they are there.
    AskBoth(Option<String>, Option<String>),
    Sample,
    Roots,
    Flood {
        next: i64,
        messages: i64,
        text: String,
    },
}

fn text(text: impl Into<String>) -> Value {
    json!({"content": [{"type": "text", "text": text.into()}]})
}

fn fault(message: &str) -> Value {
    json!({"content": [{"type": "text", "text": message}], "isError": true})
}

fn value(raw: &RawJson) -> Value {
    serde_json::from_str(raw.as_str()).expect("JSON")
}

impl ServerProgram {
    pub(crate) fn new(options: &Value, fast_path: bool) -> Self {
        let desk = Desk::new();
        let mut all = json!({"fast_path": fast_path});
        for (name, value) in options.as_object().into_iter().flatten() {
            all[name] = value.clone();
        }
        let options = Options::parse(&all.into()).expect("options");
        let server = HostServer::new(options, vec![Arc::clone(&desk.inbox)]).expect("a server");
        let about = format!(
            r#"{{"serverInfo":{{"name":"vectors","version":"1"}},"instructions":"{INSTRUCTIONS}","capabilities":{CAPABILITIES}}}"#
        );
        server.set_snapshot("server", 0, &RawJson::parse(about).expect("JSON")).expect("an introduction");
        let registry = Registry::new();
        show(&server, &registry);
        let connection = server.connect(Framing::Message).expect("a connection");
        Self { desk, server, connection, open: true, registry, calls: HashMap::new(), asked: HashMap::new() }
    }

    fn request(&mut self, request: &Request) {
        let params = request.params.as_ref().map_or(Value::Null, value);
        if &*request.method != "tools/call" {
            let outcome = self.registry.answer(&request.method, &params);
            self.desk.inbox.complete(request.call, outcome);
            return;
        }
        let name = request.name.clone().unwrap_or_default();
        if !self.registry.has_tool(&name) {
            let failure = Failure::from(Error::unknown_tool(&name));
            self.desk.inbox.complete(request.call, Outcome::Error(failure));
            return;
        }
        if request.invalid.is_some() {
            return self.desk.answer(request.call, fault(&format!("Invalid arguments for tool {name}")));
        }
        self.tool(request.call, &name, &params["arguments"]);
    }

    fn tool(&mut self, call: u64, name: &str, arguments: &Value) {
        let word = |name: &str| arguments[name].as_str().unwrap_or_default().to_owned();
        match name {
            "fail" => self.desk.answer(call, fault(&word("message"))),
            "refuse" => {
                let code = arguments["code"].as_i64().unwrap_or_default();
                let data = Some(arguments["data"].clone().into());
                let failure = Failure { kind: String::new(), code, message: word("message"), data };
                self.desk.inbox.complete(call, Outcome::Error(failure));
            }
            "hang" => {
                self.desk.note("started", "hang");
                self.calls.insert(call, Doing::Hang);
            }
            "hold" => {
                self.desk.note("started", word("name"));
                self.calls.insert(call, Doing::Hold(word("name")));
            }
            "ask" => self.ask(call, Doing::Ask, &[("elicitation/create", form(&word("message")))]),
            "ask_both" => {
                let both = [("elicitation/create", form("who?")), ("roots/list", json!({}))];
                self.ask(call, Doing::AskBoth(None, None), &both);
            }
            "sample" => {
                let message = json!({"role": "user", "content": {"type": "text", "text": word("prompt")}});
                let params = json!({"messages": [message], "maxTokens": 10});
                self.ask(call, Doing::Sample, &[("sampling/createMessage", params)]);
            }
            "roots" => self.ask(call, Doing::Roots, &[("roots/list", json!({}))]),
            "progress" => {
                let steps = arguments["steps"].as_i64().unwrap_or_default();
                for step in 1..=steps {
                    let params = json!({"progress": step, "total": steps, "message": format!("step {step}")});
                    self.desk.inbox.send(call, "notifications/progress", Some(&params.into()));
                }
                self.desk.answer(call, text("done"));
            }
            "log" => {
                let params =
                    json!({"level": arguments["level"], "data": arguments["data"], "logger": "vectors"});
                self.desk.inbox.send(call, "notifications/message", Some(&params.into()));
                self.desk.answer(call, text("logged"));
            }
            "flood" => {
                let bytes = usize::try_from(arguments["bytes"].as_u64().unwrap_or_default());
                let text = "x".repeat(bytes.unwrap_or_default());
                let messages = arguments["messages"].as_i64().unwrap_or_default();
                self.calls.insert(call, Doing::Flood { next: 1, messages, text });
                self.flood(call);
            }
            _ => self.desk.answer(call, text(word("text"))),
        }
    }

    fn ask(&mut self, call: u64, doing: Doing, questions: &[(&str, Value)]) {
        self.calls.insert(call, doing);
        for (method, params) in questions {
            let id = self.desk.inbox.request(call, method, Some(params.clone().into()), None);
            self.asked.insert(id, call);
        }
    }

    fn answered(&mut self, id: u64, outcome: &Result<RawJson, Failure>) {
        let Some(call) = self.asked.remove(&id) else { return };
        let Some(doing) = self.calls.get_mut(&call) else { return };
        let words = match outcome {
            Err(failure) => format!("failed {}", failure.kind),
            Ok(answer) => words_of(&value(answer)),
        };
        if let Doing::AskBoth(action, roots) = doing {
            let slot = if words.ends_with("roots") { &mut *roots } else { &mut *action };
            *slot = Some(words);
            let (Some(action), Some(roots)) = (action, roots) else { return };
            let both = format!("{}, {roots}", action.split(' ').next().unwrap_or_default());
            self.calls.remove(&call);
            return self.desk.answer(call, text(both));
        }
        self.calls.remove(&call);
        self.desk.answer(call, text(words));
    }

    fn flood(&mut self, call: u64) {
        let Some(Doing::Flood { next, messages, text: filler }) = self.calls.get_mut(&call) else { return };
        while *next <= *messages {
            let params = json!({"progress": *next, "total": *messages, "message": filler});
            match self.desk.inbox.send(call, "notifications/progress", Some(&params.into())) {
                // `Writable` says when to go on.
                Delivery::Full => return,
                Delivery::Sent | Delivery::Gone => *next += 1,
            }
        }
        self.calls.remove(&call);
        self.desk.answer(call, text("done"));
    }

    fn cancelled(&mut self, call: u64, _: CancelWhy) {
        if let Some(Doing::Hang) = self.calls.remove(&call) {
            self.desk.note("cancelled", "hang");
        }
        let failure = Failure { kind: "cancelled".into(), code: -32603, message: String::new(), data: None };
        self.desk.inbox.complete(call, Outcome::Error(failure));
    }

    fn changed(&mut self) {
        assert!(self.server.list_changed("tools", true).expect("a kind"));
        show(&self.server, &self.registry);
    }
}

/// Gives the engine the lists that it asks for.
fn show(server: &HostServer, registry: &Registry) {
    let mut rows: HashMap<_, _> = registry.snapshots().into_iter().collect();
    for OutdatedList { kind, generation } in server.refresh_lists().expect("lists") {
        let rows = rows.remove(kind).expect("a list by this name");
        server.set_snapshot(kind, generation, &rows.into()).expect("a snapshot");
    }
}

fn form(message: &str) -> Value {
    let schema = json!({"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]});
    json!({"message": message, "requestedSchema": schema})
}

fn words_of(answer: &Value) -> String {
    if let Some(roots) = answer["roots"].as_array() {
        return format!("{} roots", roots.len());
    }
    if let Some(text) = answer["content"]["text"].as_str() {
        return text.to_owned();
    }
    let action = answer["action"].as_str().unwrap_or_default();
    match answer["content"]["name"].as_str() {
        Some(name) if action == "accept" => format!("accept {name}"),
        _ => action.to_owned(),
    }
}

impl Side for ServerProgram {
    fn desk(&mut self) -> &mut Desk {
        &mut self.desk
    }

    fn recv(&mut self, text: String) {
        let sent = self.server.feed(self.connection, text.into(), 0).unwrap_or_default();
        self.desk.keep(sent);
        self.pump();
    }

    fn act(&mut self, name: &str, action: &Value) -> Result<(), String> {
        let word = action.as_str().unwrap_or_default();
        match name {
            "release" => {
                let held = |doing: &Doing| matches!(doing, Doing::Hold(name) if name == word);
                let call = self.calls.iter().find(|(_, doing)| held(doing)).map(|(call, _)| *call);
                let call = call.ok_or_else(|| format!("{word} does not wait"))?;
                self.calls.remove(&call);
                self.desk.answer(call, text(format!("released {word}")));
            }
            "add_tool" => {
                self.registry.tools.push(echo_tool(word));
                self.changed();
            }
            "remove_tool" => {
                self.registry.tools.retain(|tool| tool["name"] != word);
                self.changed();
            }
            "updated" => self.server.announce("resource", Some(word)).map_err(|e| e.message)?,
            "close" => drop(self.desk.inbox.close_connection(self.connection)),
            _ => return Err(format!("unknown action {name}")),
        }
        Ok(())
    }

    fn disconnect(&mut self) {
        if std::mem::take(&mut self.open) {
            let sent = self.server.disconnect(self.connection).unwrap_or_default();
            self.desk.keep(sent);
        }
    }

    fn item(&mut self, item: Item) {
        match item {
            Item::Request(request) => self.request(&request),
            Item::Response { id, outcome, .. } => self.answered(id, &outcome),
            Item::Cancel { call, why, .. } => self.cancelled(call, why),
            Item::Writable { target } => self.flood(target),
            Item::Outgoing { .. } => self.take(),
            Item::Subscription { uri, active, .. } => {
                self.desk.note(if active { "subscribed" } else { "unsubscribed" }, uri);
            }
            Item::Notification { method, .. } if &*method == "notifications/roots/list_changed" => {
                self.desk.note("notified", method.to_string());
            }
            Item::Closed { .. } => self.desk.note("closed", true),
            _ => {}
        }
    }

    fn take(&mut self) {
        if self.desk.reading {
            let sent = self.server.take_outgoing(self.connection).unwrap_or_default();
            self.desk.keep(sent);
        }
    }

    fn end(&mut self) -> Result<(), String> {
        self.disconnect();
        self.settle()?;
        self.server.close();
        self.settle()?;
        let open = self.desk.inbox.open_calls();
        if open > 0 || !self.calls.is_empty() {
            return Err(format!("{open} calls are open after the end, {} handlers wait", self.calls.len()));
        }
        assert!(self.desk.inbox.settle(WAIT));
        Ok(())
    }
}
