//! A server behind a gateway that has no node for the first call of each tool.

use std::collections::HashSet;
use std::sync::mpsc;

use serde_json::{Value, json};
use tokio::runtime::Builder;

use crate::http_client_support::Server;

/// Its tools, with what the server says of calling them twice.
fn tools() -> Value {
    let tool = |name: &str, annotations: Value| {
        let schema = json!({"type": "object"});
        json!({"name": name, "inputSchema": schema, "annotations": annotations})
    };
    json!([
        tool("look", json!({"readOnlyHint": true})),
        tool("set", json!({"readOnlyHint": false, "idempotentHint": true})),
        tool("add", json!({"destructiveHint": false})),
    ])
}

/// Starts one; its URL. It answers until the test ends.
pub(crate) fn start() -> String {
    let (told, url) = mpsc::channel();
    std::thread::spawn(move || {
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let mut server = Server::start().await;
            told.send(server.url()).unwrap();
            let mut called = HashSet::new();
            loop {
                let exchange = server.whenever().await;
                let asked = serde_json::from_slice(&exchange.body).unwrap_or_default();
                let (status, body) = answer(&asked, &mut called);
                exchange.json(status, &body.map(|body| body.to_string()).unwrap_or_default()).await;
            }
        });
    });
    url.recv().unwrap()
}

fn answer(asked: &Value, called: &mut HashSet<String>) -> (u16, Option<Value>) {
    let modern = asked["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"].is_string();
    let mut result = match asked["method"].as_str() {
        Some("initialize") => json!({"protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
            "serverInfo": {"name": "s", "version": "1"}}),
        Some("server/discover") => json!({"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}},
            "serverInfo": {"name": "s", "version": "1"}, "ttlMs": 0, "cacheScope": "private"}),
        Some("tools/list") if modern => json!({"tools": tools(), "ttlMs": 0, "cacheScope": "private"}),
        Some("tools/list") => json!({"tools": tools()}),
        Some("tools/call") if called.insert(asked["params"]["name"].to_string()) => return (502, None),
        Some("tools/call") => json!({"content": [{"type": "text", "text": "done"}]}),
        Some(_) => return (202, None),
        None => return (405, None),
    };
    if modern {
        result["resultType"] = json!("complete");
    }
    (200, Some(json!({"jsonrpc": "2.0", "id": asked["id"], "result": result})))
}
