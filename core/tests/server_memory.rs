//! A server over an in-memory transport, message by message.

mod peer;

use mcpbolt::server::{Context, Server};
use mcpbolt_proto::protocol::types::{ElicitParams, FormSchema};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use peer::{Peer, modern};

#[derive(Deserialize, JsonSchema)]
struct Add {
    a: i64,
    b: i64,
}

#[derive(Deserialize, JsonSchema)]
struct Nothing {}

fn server() -> Server {
    Server::builder("test", "1.0.0")
        .tool("add", "Adds", |args: Add, _: Context| async move { (args.a + args.b).to_string() })
        .tool("ask", "Asks for a name", |_: Nothing, ctx: Context| async move {
            let answer = ctx.elicit(ElicitParams::form("Name?", FormSchema::builder().build())).await?;
            Ok::<_, mcpbolt::server::Failure>(format!("accepted: {}", answer.accepted()))
        })
        .build()
}

#[tokio::test]
async fn a_legacy_handshake_then_a_call() {
    let peer = Peer::new(&server());
    let reply = peer
        .call(json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}}))
        .await;
    assert_eq!(reply["result"]["protocolVersion"], "2025-06-18");
    assert_eq!(reply["result"]["capabilities"]["tools"]["listChanged"], true);
    assert_eq!(reply["result"]["serverInfo"]["name"], "test");
    peer.send(json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
    let reply = peer
        .call(json!({"jsonrpc": "2.0", "id": "x", "method": "tools/call",
            "params": {"name": "add", "arguments": {"a": 2, "b": 3}}}))
        .await;
    assert_eq!(
        reply,
        json!({"jsonrpc": "2.0", "id": "x", "result": {"content": [{"type": "text", "text": "5"}]}})
    );
}

#[tokio::test]
async fn a_parked_call_goes_on_with_the_retry() {
    let peer = Peer::new(&server());
    let ask = json!({"name": "ask", "arguments": {}});
    let reply = peer.call(modern(1, "tools/call", ask.clone(), &json!({"elicitation": {}}))).await;
    assert_eq!(reply["result"]["resultType"], "input_required", "{reply}");
    assert_eq!(reply["result"]["inputRequests"]["q1"]["method"], "elicitation/create");
    let mut retry = ask.clone();
    retry["requestState"] = reply["result"]["requestState"].clone();
    retry["inputResponses"] = json!({"q1": {"action": "accept", "content": {}}});
    let reply = peer.call(modern(2, "tools/call", retry.clone(), &json!({"elicitation": {}}))).await;
    assert_eq!(reply["id"], 2);
    assert_eq!(reply["result"]["content"][0]["text"], "accepted: true", "{reply}");
    let reply = peer.call(modern(3, "tools/call", retry, &json!({"elicitation": {}}))).await;
    assert_eq!(reply["error"]["code"], -32602, "{reply}");
}

#[tokio::test]
async fn a_modern_request_needs_its_capability() {
    let peer = Peer::new(&server());
    let reply = peer.call(modern(1, "tools/call", json!({"name": "ask"}), &json!({}))).await;
    assert_eq!(reply["error"]["code"], -32021, "{reply}");
    assert_eq!(reply["error"]["data"]["requiredCapabilities"], json!({"elicitation": {}}));
    let reply = peer.call(modern(2, "server/discover", json!({}), &json!({}))).await;
    assert_eq!(reply["result"]["supportedVersions"][0], "2026-07-28", "{reply}");
    assert_eq!(reply["result"]["resultType"], "complete");
}
