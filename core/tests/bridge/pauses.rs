//! Waits of the HTTP client that the host takes over: the service `client.pause`.

use mcpbolt::bridge::{Item, Outcome};
use serde_json::{Value, json};

use crate::driver::{Driver, client, text};
use crate::peer::raw;

/// What a server answers that has sessions, and streams that end at once, or none any more.
fn answered(payload: &Value, gone: bool) -> Value {
    if payload["method"] == "GET" {
        let status = if gone { 503 } else { 200 };
        return json!({"status": status, "headers": [["content-type", "text/event-stream"]], "body": ""});
    }
    let body: Value = serde_json::from_str(payload["body"].as_str().unwrap_or("null")).unwrap();
    if body["id"].is_null() {
        return json!({"status": 202, "headers": [], "body": ""});
    }
    let welcome = json!({"jsonrpc": "2.0", "id": body["id"], "result": {"protocolVersion": "2025-11-25",
        "serverInfo": {"name": "s", "version": "1"}, "capabilities": {}}});
    let headers = json!([["content-type", "application/json"], ["mcp-session-id", "s"]]);
    json!({"status": 200, "headers": headers, "body": welcome.to_string()})
}

#[test]
fn a_host_waits_before_a_lost_stream_is_opened_again() {
    let mut driver = Driver::new();
    let client = client(&driver, json!({}));
    let target = json!({"url": "http://127.0.0.1:9/mcp", "carrier": true, "pause": true,
        "reconnect": {"initial": 3600, "max": 7200, "stream_attempts": 2, "growth_percent": 150}});
    let connection = client.open(&raw(target)).unwrap();
    client.initialize(connection, Some("legacy")).unwrap();
    let mut pauses = Vec::new();
    while pauses.len() < 2 {
        let (id, service, payload) = driver.next("ask", |item| match item {
            Item::Ask { id, service, payload } => Some((*id, service.clone(), text(payload))),
            _ => None,
        });
        let answer = if service == "client.pause" {
            assert_eq!(payload["connection"], connection);
            pauses.push(payload["seconds"].clone());
            Value::Null
        } else {
            answered(&payload, !pauses.is_empty())
        };
        driver.inbox.complete(id, Outcome::Result(raw(answer)));
    }
    assert_eq!(pauses, [json!(3600.0), json!(5400.0)], "as the options say, and no hour has passed");
}
