//! A callback of a program that panics ends nothing but itself.

mod peer;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use mcpbolt::Error;
use mcpbolt::client::{CallOptions, Client, ProtocolPolicy};
use mcpbolt::protocol::types::{ElicitParams, ElicitResult, FormSchema, Resource};
use mcpbolt::server::{Context, Server};
use mcpbolt::transport::memory::MemoryTransport;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use peer::Peer;

#[derive(Deserialize, JsonSchema)]
struct Nothing {}

fn server() -> Server {
    Server::builder("test", "1.0.0")
        .tool("count", "Reports progress", |_: Nothing, ctx: Context| async move {
            ctx.progress(1.0, None, None).await;
            "done"
        })
        .tool("ask", "Asks for nothing", |_: Nothing, ctx: Context| async move {
            let asked = ctx.elicit(ElicitParams::form("?", FormSchema::builder())).await;
            asked.map_or_else(|error| format!("{:?}", error.kind), |_| "answered".to_owned())
        })
        .resource(Resource::new("file:///a", "a"), |_: Context| async { String::new() })
        .on_notification("notifications/odd", |_| panic!("of a test"))
        .on_subscription(|_, _| panic!("of a test"))
        .on_error(|_| panic!("of a test"))
        .build()
}

#[tokio::test]
async fn a_server_answers_after_its_callbacks_panicked() {
    let peer = Peer::legacy(&server(), "2025-11-25", json!({})).await;
    peer.send(json!({"jsonrpc": "2.0", "method": "notifications/odd"})).await;
    peer.send(json!({"jsonrpc": "2.0", "id": 77, "result": {}})).await;
    let subscribed = peer.request(1, "resources/subscribe", json!({"uri": "file:///a"})).await;
    assert_eq!((&subscribed["id"], &subscribed["result"]), (&json!(1), &json!({})), "{subscribed}");
    let called = peer.request(2, "tools/call", json!({"name": "count", "arguments": {}})).await;
    assert_eq!(called["result"]["content"][0]["text"], "done", "{called}");
}

#[tokio::test]
async fn a_client_hears_its_server_after_its_callbacks_panicked() {
    let (ours, theirs) = MemoryTransport::pair();
    let server = server();
    tokio::spawn(async move { server.serve(Arc::new(theirs)).await });
    let client = Client::builder("c", "1").protocol(ProtocolPolicy::LegacyFirst).build();
    let session = client.connect(ours).await.expect("connects");
    for _ in 0..2 {
        let options = CallOptions::new().on_progress(|_| panic!("of a test"));
        let calling = session.call_tool_with("count", None, options);
        let called = tokio::time::timeout(Duration::from_secs(5), calling).await.expect("an answer");
        assert_eq!(called.expect("a result").content.len(), 1);
    }
}

#[tokio::test]
async fn a_server_is_answered_by_a_handler_that_panicked() {
    let (ours, theirs) = MemoryTransport::pair();
    let server = server();
    tokio::spawn(async move { server.serve(Arc::new(theirs)).await });
    let odd = AtomicBool::new(false);
    let client = Client::builder("c", "1")
        .protocol(ProtocolPolicy::LegacyFirst)
        .on_elicitation(move |_| {
            // At once, and when it is waited for.
            let at_once = odd.fetch_not(Ordering::Relaxed);
            assert!(!at_once, "of a test");
            async { panic!("of a test") as Result<ElicitResult, Error> }
        })
        .build();
    let session = client.connect(ours).await.expect("connects");
    // More often than a client answers at once.
    for _ in 0..200 {
        let calling = session.call_tool("ask", json!({}));
        let called = tokio::time::timeout(Duration::from_secs(5), calling).await.expect("an answer");
        let content = serde_json::to_value(called.expect("a result").content).expect("JSON");
        assert_eq!(content[0]["text"], "Internal");
    }
}
