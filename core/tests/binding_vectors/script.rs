//! One vector, step by step.

use std::time::Duration;

use mcpbolt::bridge::testing;
use serde_json::{Value, json};

use crate::desk::Side;
use crate::pattern::{Names, filled, matches};

const INPUTS: [&str; 5] = ["recv", "do", "disconnect", "advance", "reading"];

pub(crate) struct Run<S> {
    side: S,
    names: Names,
    revision: String,
    modern: bool,
    server: bool,
    peer: Value,
}

impl<S: Side> Run<S> {
    pub(crate) fn new(side: S, vector: &Value, revision: &str) -> Self {
        let server = vector["side"] == "server";
        let peer = vector.get("peer").cloned().unwrap_or_else(|| default_peer(server));
        let modern = revision >= "2026-07-28";
        Self { side, names: Names::new(), revision: revision.to_owned(), modern, server, peer }
    }

    /// Runs it; the texts that were sent, with bound values replaced by their names.
    pub(crate) fn run(mut self, vector: &Value) -> Result<Vec<String>, String> {
        if vector["open"] != false {
            self.open().map_err(|why| format!("opening: {why}"))?;
        }
        let steps =
            vector["steps"].as_array().filter(|steps| !steps.is_empty()).ok_or("there are no steps")?;
        for (at, step) in steps.iter().enumerate() {
            self.step(step).map_err(|why| format!("step {at} {step}: {why}"))?;
        }
        self.side.end()?;
        self.side.desk().events.retain(|event| event.get("closed").is_none());
        self.all_named()?;
        Ok(self.transcript())
    }

    fn open(&mut self) -> Result<(), String> {
        match (self.server, self.modern) {
            (true, true) => Ok(()),
            (true, false) => {
                let hello = json!({"id": "open", "method": "initialize", "params": {
                    "protocolVersion": self.revision, "capabilities": self.peer,
                    "clientInfo": {"name": "peer", "version": "1"}}});
                self.recv(&hello)?;
                self.sent(&json!({"id": "open", "result": {"protocolVersion": self.revision}}))?;
                self.recv(&json!({"method": "notifications/initialized"}))
            }
            (false, modern) => {
                self.side.act("open", &json!({}))?;
                let (method, result) = if modern {
                    let result = json!({"resultType": "complete", "supportedVersions": [self.revision],
                        "capabilities": self.peer, "ttlMs": 0, "cacheScope": "private"});
                    ("server/discover", result)
                } else {
                    let result = json!({"protocolVersion": self.revision, "capabilities": self.peer,
                        "serverInfo": {"name": "peer", "version": "1"}});
                    ("initialize", result)
                };
                self.sent(&json!({"id": "$let:open", "method": method}))?;
                self.recv(&json!({"id": "$get:open", "result": result}))?;
                if !modern {
                    self.sent(&json!({"method": "notifications/initialized"}))?;
                }
                self.event(&json!({"answered": "open"}))
            }
        }
    }

    fn step(&mut self, step: &Value) -> Result<(), String> {
        let members = step.as_object().ok_or("a step is an object")?;
        let (verb, what) = members.iter().find(|(name, _)| *name != "times").ok_or("a step is empty")?;
        if INPUTS.contains(&verb.as_str()) {
            self.side.pump();
            if let Some(text) = self.side.desk().sent.front() {
                return Err(format!("sent before and not named: {text}"));
            }
        }
        match verb.as_str() {
            "recv" => self.recv(what),
            "do" => {
                let action = filled(what, &self.names)?;
                let (name, inner) =
                    action.as_object().and_then(|action| action.iter().next()).ok_or("an action is empty")?;
                let whole = ["call", "cancel", "notify"].into_iter().find(|name| action.get(name).is_some());
                let done = match whole {
                    Some(name) => self.side.act(name, &action),
                    None => self.side.act(name, inner),
                };
                self.side.pump();
                done
            }
            "disconnect" => {
                self.side.disconnect();
                Ok(())
            }
            "advance" => {
                let seconds = what.as_f64().ok_or("advance takes seconds")?;
                testing::advance(Duration::from_secs_f64(seconds));
                Ok(())
            }
            "reading" => {
                self.side.desk().reading = *what == true;
                self.side.take();
                Ok(())
            }
            "send" => (0..step["times"].as_u64().unwrap_or(1)).try_for_each(|_| self.sent(what)),
            "event" => self.event(what),
            "quiet" => self.side.settle().and_then(|()| self.all_named()),
            _ => Err(format!("unknown step {verb}")),
        }
    }

    fn recv(&mut self, message: &Value) -> Result<(), String> {
        let dressed = match message {
            Value::Array(parts) => parts.iter().map(|part| self.dressed(part.clone())).collect(),
            whole => self.dressed(whole.clone()),
        };
        let text = match filled(&dressed, &self.names)? {
            Value::String(text) => text,
            whole => whole.to_string(),
        };
        self.side.recv(text);
        Ok(())
    }

    /// A message with all that scripts leave out.
    fn dressed(&self, mut message: Value) -> Value {
        if message.is_object() && message.get("jsonrpc").is_none() {
            message["jsonrpc"] = "2.0".into();
        }
        let method = message["method"].as_str().unwrap_or_default();
        let request = !method.is_empty() && message.get("id").is_some();
        if self.server && self.modern && (request || method == "notifications/cancelled") {
            let meta = json!({
                "io.modelcontextprotocol/protocolVersion": self.revision,
                "io.modelcontextprotocol/clientInfo": {"name": "peer", "version": "1"},
                "io.modelcontextprotocol/clientCapabilities": self.peer});
            for (name, value) in meta.as_object().into_iter().flatten() {
                if message["params"]["_meta"].get(name).is_none() {
                    message["params"]["_meta"][name] = value.clone();
                }
            }
        }
        message
    }

    fn sent(&mut self, pattern: &Value) -> Result<(), String> {
        let text = self.side.wait(|desk| desk.sent.pop_front()).ok_or("nothing was sent")?;
        let value = serde_json::from_str(&text).map_err(|e| format!("sent no JSON: {e}"))?;
        matches(&value, pattern, &mut self.names)
    }

    fn event(&mut self, pattern: &Value) -> Result<(), String> {
        let names = &mut self.names;
        let found = self.side.wait(|desk| {
            let at = desk.events.iter().position(|event| matches(event, pattern, names).is_ok())?;
            Some(desk.events.remove(at))
        });
        match found {
            Some(_) => Ok(()),
            None => Err(format!("no such event among {}", Value::from(self.side.desk().events.clone()))),
        }
    }

    fn all_named(&mut self) -> Result<(), String> {
        let desk = self.side.desk();
        if let Some(text) = desk.sent.front() {
            return Err(format!("sent and not named: {text}"));
        }
        if let Some(event) = desk.events.first() {
            return Err(format!("noted and not named: {event}"));
        }
        Ok(())
    }

    fn transcript(&mut self) -> Vec<String> {
        let mut texts = std::mem::take(&mut self.side.desk().transcript);
        for text in &mut texts {
            for (name, value) in self.names.iter().filter(|(_, value)| value.is_string()) {
                *text = text.replace(&value.to_string(), &format!("\"${name}\""));
            }
        }
        texts
    }
}

fn default_peer(server: bool) -> Value {
    if server {
        return json!({"elicitation": {"form": {}}, "sampling": {}, "roots": {"listChanged": true}});
    }
    json!({"tools": {"listChanged": true}, "prompts": {}, "resources": {"subscribe": true}, "logging": {},
        "completions": {}})
}
