//! What a host's spans and durations say: names and attributes by the semantic conventions for MCP.
//!
//! Owns: their arguments and results as JSON text. Must not know: the conventions, or what records.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use mcpbolt_proto::jsonrpc::ErrorCode;
use mcpbolt_proto::policy::skills;
use mcpbolt_proto::protocol::{Error, methods};

use crate::observe::conventions::{
    self, Attribute, BOUNDS, CLIENT_OPERATION, CLIENT_SESSION, Failure, REQUEST_ID, SERVER_OPERATION,
    SERVER_SESSION, Subject,
};

/// Makes the decision `name`; arguments and result are JSON text. A request is
/// `{method, declared, name, uri, id, revision}`: `declared` if its method is an extension's that the
/// program declared, `name` and `uri` as they are in the params, whatever they mean there. A failure
/// is `{type, code}`: the class of the error, if it was not meant for the other side, and the code
/// that the other side got or sent; `{}` is a result of a tool that says that it failed.
///
/// | name | arguments | result |
/// |---|---|---|
/// | `began` | `{request}` | `{name, attributes}` of its span |
/// | `sent` | `{id}`, under which the request went to the other side | the attributes that its span gets |
/// | `ended` | `{request, failure}` | `{span, duration}`: the attributes that its span gets at the end, and those of its duration |
/// | `session` | `{revision, failure}` | the attributes of its duration |
/// | `histograms` | `{}` | `{client, server}`, each `{operation, session}`, each `{name, description, unit, bounds}` |
pub fn decide_telemetry(name: &str, arguments: &str) -> Result<String, Error> {
    let value = match name {
        "began" => began(&read(name, arguments)?),
        "sent" => sent(read(name, arguments)?),
        "ended" => ended(&read(name, arguments)?),
        "session" => session(read(name, arguments)?),
        "histograms" => histograms(),
        _ => return Err(Error::usage(format!("there is no decision {name} about telemetry"))),
    };
    Ok(value.to_string())
}

fn read<'a, T: Deserialize<'a>>(name: &str, text: &'a str) -> Result<T, Error> {
    serde_json::from_str(text).map_err(|error| Error::usage(format!("{name}: {error}")))
}

#[derive(Deserialize)]
struct Operation {
    request: Request,
    failure: Option<Failed>,
}

#[derive(Deserialize)]
struct Request {
    method: String,
    #[serde(default)]
    declared: bool,
    name: Option<String>,
    uri: Option<String>,
    id: Option<String>,
    revision: Option<String>,
}

#[derive(Clone, Deserialize)]
struct Failed {
    r#type: Option<String>,
    code: Option<i64>,
}

impl Request {
    fn subject(&self) -> Subject {
        let skill = [skills::LIST, skills::GET, skills::READ_DIRECTORY].contains(&self.method.as_str());
        let known = self.declared || skill || methods::lookup(&self.method).is_some();
        Subject::new(known.then(|| Cow::Owned(self.method.clone())), |member| match member {
            "name" => self.name.clone(),
            "uri" => self.uri.clone(),
            _ => None,
        })
    }

    fn revision(&self) -> Option<Attribute> {
        self.revision.clone().map(conventions::revision)
    }
}

impl Failed {
    fn failure(self) -> Failure {
        let code = self.code.map(ErrorCode);
        match (self.r#type, code) {
            (Some(class), code) => Failure::named(class, code),
            (None, Some(code)) => Failure::coded(code),
            (None, None) => Failure::tool(),
        }
    }
}

fn object(attributes: impl IntoIterator<Item = Attribute>) -> Value {
    let members = attributes.into_iter().map(|(name, value)| (name.to_owned(), Value::from(value)));
    members.collect::<Map<_, _>>().into()
}

fn began(given: &Operation) -> Value {
    let subject = given.request.subject();
    let id = given.request.id.clone().map(|id| (REQUEST_ID, Cow::Owned(id)));
    let attributes = subject.attributes().into_iter().chain(given.request.revision()).chain(id);
    json!({ "name": subject.name(), "attributes": object(attributes) })
}

#[derive(Deserialize)]
struct Sent {
    id: String,
}

fn sent(given: Sent) -> Value {
    object([(REQUEST_ID, Cow::Owned(given.id))])
}

fn ended(given: &Operation) -> Value {
    let failure = given.failure.clone().map(Failed::failure);
    let duration = given.request.subject().counted(failure.as_ref());
    let span = failure.iter().flat_map(Failure::attributes);
    json!({ "span": object(span), "duration": object(duration.into_iter().chain(given.request.revision())) })
}

#[derive(Deserialize)]
struct Session {
    revision: Option<String>,
    failure: Option<Failed>,
}

fn session(given: Session) -> Value {
    let failure = given.failure.map(Failed::failure);
    let failed = failure.iter().flat_map(Failure::attributes);
    object(given.revision.map(conventions::revision).into_iter().chain(failed))
}

fn histograms() -> Value {
    let one = |(name, description): conventions::Histogram| json!({ "name": name, "description": description, "unit": "s", "bounds": BOUNDS });
    json!({
        "client": { "operation": one(CLIENT_OPERATION), "session": one(CLIENT_SESSION) },
        "server": { "operation": one(SERVER_OPERATION), "session": one(SERVER_SESSION) },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decided(name: &str, arguments: &Value) -> Value {
        serde_json::from_str(&decide_telemetry(name, &arguments.to_string()).expect("decided")).expect("JSON")
    }

    #[test]
    fn a_request_is_described_by_what_it_is_about() {
        let call = json!({ "method": "tools/call", "name": "add", "uri": "x:y", "id": "7", "revision": "2025-11-25" });
        assert_eq!(
            decided("began", &json!({ "request": call })),
            json!({ "name": "tools/call add", "attributes": {
                "mcp.method.name": "tools/call", "gen_ai.operation.name": "execute_tool",
                "gen_ai.tool.name": "add", "mcp.protocol.version": "2025-11-25", "jsonrpc.request.id": "7",
            }})
        );
        let read = json!({ "request": { "method": "resources/read", "uri": "x:y" } });
        assert_eq!(decided("began", &read)["attributes"]["mcp.resource.uri"], "x:y");
        assert_eq!(
            decided("ended", &read),
            json!({ "span": {}, "duration": { "mcp.method.name": "resources/read" } })
        );
    }

    #[test]
    fn what_a_peer_makes_up_is_no_series() {
        let named = |request: Value| decided("began", &json!({ "request": request }))["name"].clone();
        assert_eq!(named(json!({ "method": "own/one", "name": "x" })), "_OTHER");
        assert_eq!(named(json!({ "method": "own/one", "declared": true })), "own/one");
        assert_eq!(named(json!({ "method": "skills/list" })), "skills/list");
        let refused = |code: i64| {
            let call = json!({ "method": "tools/call", "name": "invented" });
            decided("ended", &json!({ "request": call, "failure": { "code": code } }))
        };
        assert_eq!(refused(-32602)["duration"].get("gen_ai.tool.name"), None);
        assert_eq!(refused(-32602)["span"]["error.type"], "-32602");
        assert_eq!(refused(-32000)["duration"]["gen_ai.tool.name"], "invented");
    }

    #[test]
    fn failures_are_named_by_what_the_other_side_knows() {
        let failed = |failure: Value| {
            decided("ended", &json!({ "request": { "method": "tools/call" }, "failure": failure }))["span"]
                .clone()
        };
        assert_eq!(failed(json!({})), json!({ "error.type": "tool_error" }));
        assert_eq!(failed(json!({ "type": "Leak" })), json!({ "error.type": "Leak" }));
        assert_eq!(
            failed(json!({ "type": "Leak", "code": -32603 })),
            json!({ "error.type": "Leak", "rpc.response.status_code": "-32603" })
        );
        let closed = json!({ "revision": "2026-07-28", "failure": { "type": "closed" } });
        assert_eq!(
            decided("session", &closed),
            json!({ "mcp.protocol.version": "2026-07-28", "error.type": "closed" })
        );
    }

    #[test]
    fn histograms_are_in_seconds() {
        let found = decided("histograms", &json!({}));
        assert_eq!(found["client"]["operation"]["name"], "mcp.client.operation.duration");
        assert_eq!(found["server"]["session"]["bounds"].as_array().map(Vec::len), Some(BOUNDS.len()));
    }
}
