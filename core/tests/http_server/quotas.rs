//! What one principal may hold of a server, one boundary test each.

use std::sync::Arc;

use mcpbolt::handler::EngineOptions;
use mcpbolt::transport::streamable_http::server::{ApiKey, HttpOptions};
use mcpbolt_proto::limits::Limits;
use serde_json::json;

use super::support::*;

async fn server(limits: Limits) -> Server {
    let keys = ApiKey::new(http::HeaderName::from_static("x-key"), [("1", "one"), ("2", "two")]);
    let options = HttpOptions { verify: Some(Arc::new(keys)), ..HttpOptions::default() };
    Server::with(EngineOptions { limits, ..EngineOptions::default() }, options).await
}

async fn modern_as(client: &mut Client, key: &str, params: serde_json::Value, method: &str) -> Head {
    let (headers, body) = modern(method, params);
    let mut headers: Vec<_> = headers.iter().map(|(n, v)| (*n, v.as_str())).collect();
    headers.push(("x-key", key));
    client.send("POST", "/mcp", &headers, &body).await;
    client.head().await
}

#[tokio::test]
async fn per_principal_sessions_503() {
    let server = server(Limits { principal_sessions: 1, ..Limits::default() }).await;
    let mut client = server.connect().await;
    let mut sessions = Vec::new();
    for (key, status) in [("1", 200), ("1", 503), ("2", 200)] {
        client.send("POST", "/mcp", &[("x-key", key)], &initialize("2025-06-18")).await;
        let head = client.head().await;
        assert_eq!(head.status, status);
        client.body().await;
        sessions.extend(head.header("mcp-session-id").map(str::to_owned));
    }
    // A session that ends makes room.
    client.send("DELETE", "/mcp", &[("x-key", "1"), ("Mcp-Session-Id", &sessions[0])], "").await;
    assert_eq!(client.head().await.status, 200);
    client.body().await;
    client.send("POST", "/mcp", &[("x-key", "1")], &initialize("2025-06-18")).await;
    assert_eq!(client.head().await.status, 200);
}

#[tokio::test]
async fn per_principal_streams_429() {
    let server = server(Limits { principal_streams: 1, ..Limits::default() }).await;
    let listen = json!({"notifications": {"toolsListChanged": true}});
    let (mut first, mut second, mut other) =
        (server.connect().await, server.connect().await, server.connect().await);
    assert!(modern_as(&mut first, "1", listen.clone(), "subscriptions/listen").await.is_stream());
    assert_eq!(modern_as(&mut second, "1", listen.clone(), "subscriptions/listen").await.status, 429);
    second.body().await;
    assert!(modern_as(&mut other, "2", listen.clone(), "subscriptions/listen").await.is_stream());
    // What can be one document still is.
    let head = modern_as(&mut second, "1", json!({"name": "progress"}), "tools/call").await;
    assert_eq!((head.status, head.is_stream()), (200, false));
    second.body().await;
    drop(first);
    server.until("the end of the stream", |s| s.http.service().in_flight() == 1).await;
    assert!(modern_as(&mut second, "1", listen, "subscriptions/listen").await.is_stream());
}

#[tokio::test]
async fn per_principal_in_flight_bytes_503() {
    let mut server = server(Limits { principal_in_flight_bytes: 3_000, ..Limits::default() }).await;
    let large = json!({"name": "hang", "arguments": {"x": "y".repeat(2_000)}});
    let (mut first, mut second, mut other) =
        (server.connect().await, server.connect().await, server.connect().await);
    let (headers, body) = modern("tools/call", large.clone());
    let mut headers: Vec<_> = headers.iter().map(|(n, v)| (*n, v.as_str())).collect();
    headers.push(("x-key", "1"));
    first.send("POST", "/mcp", &headers, &body).await;
    assert_eq!(server.event().await, "started");
    let head = modern_as(&mut second, "1", large.clone(), "tools/call").await;
    assert_eq!((head.status, head.header("retry-after")), (503, Some("1")));
    second.body().await;
    // Small requests pass, and so do others.
    assert_eq!(modern_as(&mut second, "1", json!({}), "tools/list").await.status, 200);
    let same = modern_as(&mut other, "2", json!({"x": "y".repeat(2_000)}), "tools/list").await;
    assert_eq!(same.status, 200);
    server.release.notify_one();
    assert_eq!(first.head().await.status, 200);
}
