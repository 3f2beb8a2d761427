//! What the server program offers, and the answers that need no waiting.

use mcpbolt::bridge::{Failure, Outcome};
use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::Error;
use serde_json::{Value, json};

/// In the order the engine writes capabilities, for the runs without its fast path.
pub(crate) const CAPABILITIES: &str = r#"{"tools":{"listChanged":true},"prompts":{"listChanged":true},"resources":{"subscribe":true,"listChanged":true},"logging":{},"completions":{}}"#;
pub(crate) const INSTRUCTIONS: &str = "be kind";

/// The four registries.
pub(crate) struct Registry {
    pub(crate) tools: Vec<Value>,
}

fn tool(name: &str, properties: &Value) -> Value {
    let required: Vec<_> =
        properties.as_object().into_iter().flatten().map(|(name, _)| name.clone()).collect();
    json!({"name": name, "inputSchema": {"type": "object", "properties": properties, "required": required}})
}

pub(crate) fn echo_tool(name: &str) -> Value {
    tool(name, &json!({"text": {"type": "string"}}))
}

impl Registry {
    pub(crate) fn new() -> Self {
        let (text, whole) = (json!({"type": "string"}), json!({"type": "integer"}));
        let tools = vec![
            echo_tool("echo"),
            tool("fail", &json!({"message": text})),
            tool("refuse", &json!({"code": whole, "message": text, "data": {}})),
            tool("hang", &json!({})),
            tool("hold", &json!({"name": text})),
            tool("ask", &json!({"message": text})),
            tool("ask_both", &json!({})),
            tool("sample", &json!({"prompt": text})),
            tool("roots", &json!({})),
            tool("progress", &json!({"steps": whole})),
            tool("log", &json!({"level": text, "data": {}})),
            tool("flood", &json!({"messages": whole, "bytes": whole})),
        ];
        Self { tools }
    }

    /// Name of the snapshot, and what it holds.
    pub(crate) fn snapshots(&self) -> [(&'static str, Value); 4] {
        let tools = self.tools.iter().map(|tool| json!({"tool": tool, "validation": "engine"})).collect();
        [
            ("tools", tools),
            ("prompts", self.list("prompts")),
            ("resources", self.list("resources")),
            ("resourceTemplates", self.list("resourceTemplates")),
        ]
    }

    fn list(&self, member: &str) -> Value {
        match member {
            "tools" => self.tools.clone().into(),
            "prompts" => json!([{"name": "greet", "arguments": [{"name": "name", "required": true}]}]),
            "resources" => json!([{"uri": "note://one", "name": "one", "mimeType": "text/plain"}]),
            _ => json!([{"uriTemplate": "note://{id}/page/{page}", "name": "page"}]),
        }
    }

    pub(crate) fn has_tool(&self, name: &str) -> bool {
        self.tools.iter().any(|tool| tool["name"] == name)
    }

    /// The answer to everything that is no tool.
    pub(crate) fn answer(&self, method: &str, params: &Value) -> Outcome {
        let member = match method {
            "tools/list" => "tools",
            "prompts/list" => "prompts",
            "resources/list" => "resources",
            "resources/templates/list" => "resourceTemplates",
            "initialize" => return introduction(r#""serverInfo":{"name":"vectors","version":"1"},"#),
            "server/discover" => return introduction(""),
            "prompts/get" => return prompt(params),
            "resources/read" => return resource(params),
            "completion/complete" => return completion(params),
            _ => return Outcome::Result(RawJson::empty_object()),
        };
        Outcome::Result(json!({ member: self.list(member) }).into())
    }
}

fn introduction(info: &str) -> Outcome {
    let text = format!(r#"{{"capabilities":{CAPABILITIES},{info}"instructions":"{INSTRUCTIONS}"}}"#);
    Outcome::Result(RawJson::parse(text).expect("JSON"))
}

fn failed(error: Error) -> Outcome {
    Outcome::Error(Failure::from(error))
}

fn prompt(params: &Value) -> Outcome {
    let name = params["name"].as_str().unwrap_or_default();
    if name != "greet" {
        return failed(Error::unknown_prompt(name));
    }
    let text = format!("Hello {}", params["arguments"]["name"].as_str().unwrap_or_default());
    let message = json!({"role": "user", "content": {"type": "text", "text": text}});
    Outcome::Result(json!({ "messages": [message] }).into())
}

fn resource(params: &Value) -> Outcome {
    let uri = params["uri"].as_str().unwrap_or_default();
    let page = uri.strip_prefix("note://").and_then(|rest| rest.split_once("/page/"));
    let text = match page {
        Some((id, page)) => format!("{id}/{page}"),
        None if uri == "note://one" => "first note".to_owned(),
        None => return failed(Error::resource_not_found(uri)),
    };
    Outcome::Result(json!({"contents": [{"uri": uri, "mimeType": "text/plain", "text": text}]}).into())
}

fn completion(params: &Value) -> Outcome {
    let given = params["argument"]["value"].as_str().unwrap_or_default();
    let known: &[&str] = match params["argument"]["name"].as_str() {
        Some("name") if params["ref"]["type"] == "ref/prompt" => &["Ann", "Anna", "Bob"],
        Some("id") => &["a1", "a2", "b1"],
        _ => &[],
    };
    let values: Vec<_> = known.iter().filter(|value| value.starts_with(given)).collect();
    Outcome::Result(json!({"completion": {"values": values}}).into())
}
