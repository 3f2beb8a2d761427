//! A server behind requests over HTTP that the host carries.

use mcpbolt::bridge::Item;
use serde_json::{Value, json};

use crate::driver::{Driver, text};

/// The next request that the host is to carry, and its number.
pub(crate) fn asked_for(driver: &mut Driver) -> (u64, Value) {
    driver.next("client.fetch", |item| match item {
        Item::Ask { id, service, payload } if service == "client.fetch" => Some((*id, text(payload))),
        _ => None,
    })
}

/// What a server of 2025-11-25 answers over HTTP. Its answer to a call is a stream, with a question
/// of its own before the result.
pub(crate) fn answer(request: &Value) -> Value {
    let Some(body) = request["body"].as_str() else {
        return json!({"status": 405, "headers": [], "body": ""});
    };
    let message: Value = serde_json::from_str(body).unwrap();
    let result = |result: Value| json!({"jsonrpc": "2.0", "id": message["id"], "result": result});
    let (kind, body) = match message["method"].as_str() {
        Some("initialize") => {
            let welcome = json!({"protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
                "serverInfo": {"name": "s", "version": "1"}});
            ("application/json", result(welcome).to_string())
        }
        Some("tools/call") => {
            let question = json!({"jsonrpc": "2.0", "id": "q", "method": "roots/list"});
            let result = result(json!({"content": []}));
            ("text/event-stream", format!("id: e-1\ndata: {question}\n\nid: e-2\ndata: {result}\n\n"))
        }
        _ => return json!({"status": 202, "headers": [], "body": ""}),
    };
    json!({"status": 200, "headers": [["content-type", kind]], "body": body})
}
