//! HTTP+SSE of 2024-11-05 (V1).

use std::time::Duration;

use mcpbolt::handler::EngineOptions;
use mcpbolt::transport::streamable_http::server::{HttpOptions, LegacyPaths};
use mcpbolt_proto::limits::Limits;
use serde_json::json;

use super::support::*;

async fn open(server: &Server) -> (Client, String) {
    let mut events = server.connect().await;
    events.send("GET", "/sse", &[("Accept", "text/event-stream")], "").await;
    assert!(events.head().await.is_stream());
    let first = events.event().await.unwrap();
    assert_eq!(first.name.as_deref(), Some("endpoint"));
    assert!(first.data.starts_with("/messages?sessionId="));
    (events, first.data)
}

async fn post(client: &mut Client, path: &str, body: &str) -> u16 {
    client.send("POST", path, &[], body).await;
    let status = client.head().await.status;
    client.body().await;
    status
}

#[tokio::test]
async fn v1_posts_are_answered_on_the_event_stream() {
    let options = HttpOptions { legacy_sse: Some(LegacyPaths::default()), ..HttpOptions::default() };
    let server = Server::start(options).await;
    let (mut events, endpoint) = open(&server).await;
    let mut client = server.connect().await;
    assert_eq!(post(&mut client, &endpoint, &initialize("2024-11-05")).await, 202);
    let answer = events.event().await.unwrap();
    assert_eq!(answer.name.as_deref(), Some("message"));
    assert_eq!(answer.json()["result"]["protocolVersion"], "2024-11-05");
    post(&mut client, &endpoint, r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).await;
    post(&mut client, &endpoint, &call(1, "ask")).await;
    let question = events.event().await.unwrap().json();
    assert_eq!(question["method"], "roots/list");
    let reply = json!({"jsonrpc": "2.0", "id": question["id"], "result": {"roots": []}}).to_string();
    post(&mut client, &endpoint, &reply).await;
    assert_eq!(events.event().await.unwrap().json()["id"], 1);
}

#[tokio::test]
async fn closing_the_event_stream_ends_the_session() {
    let options = HttpOptions { legacy_sse: Some(LegacyPaths::default()), ..HttpOptions::default() };
    let mut server = Server::start(options).await;
    let (events, endpoint) = open(&server).await;
    let mut client = server.connect().await;
    assert_eq!(post(&mut client, &endpoint, &initialize("2024-11-05")).await, 202);
    assert_eq!(post(&mut client, &endpoint, &call(1, "hang")).await, 202);
    assert_eq!(server.event().await, "started");
    drop(events);
    assert_eq!(server.event().await, "cancelled");
    assert_eq!(post(&mut client, &endpoint, &call(2, "echo")).await, 404);
    assert_eq!(post(&mut client, "/messages", &call(2, "echo")).await, 400);
    assert_eq!(server.http.service().sessions(), 0);
}

#[tokio::test]
async fn off_unless_asked_for() {
    let server = Server::start(HttpOptions::default()).await;
    let mut client = server.connect().await;
    client.send("GET", "/sse", &[], "").await;
    assert_eq!(client.head().await.status, 404);
}

#[tokio::test]
async fn sessions_nobody_uses_end_with_their_stream() {
    let options = || HttpOptions { legacy_sse: Some(LegacyPaths::default()), ..HttpOptions::default() };
    let soon = Duration::from_millis(50);
    // Never used.
    let server = Server::start(HttpOptions { half_open: soon, ..options() }).await;
    let (mut events, _) = open(&server).await;
    assert_eq!(events.event().await, None);
    assert_eq!(server.http.service().sessions(), 0);
    // Not used any more.
    let limits = Limits { session_idle: soon, ..Limits::default() };
    let mut server = Server::with(EngineOptions { limits, ..EngineOptions::default() }, options()).await;
    let (mut events, endpoint) = open(&server).await;
    let mut client = server.connect().await;
    post(&mut client, &endpoint, &initialize("2024-11-05")).await;
    assert_eq!(events.event().await.unwrap().json()["id"], 0);
    assert_eq!(post(&mut client, &endpoint, &call(1, "hang")).await, 202);
    assert_eq!(server.event().await, "started");
    server.release.notify_one();
    while let Some(event) = events.event().await {
        assert!(event.json()["error"].is_null());
    }
    assert_eq!(post(&mut client, &endpoint, &call(2, "echo")).await, 404);
}

#[tokio::test]
async fn only_a_part_of_the_sessions_may_be_unused() {
    let limits = Limits { max_sessions: 8, ..Limits::default() };
    let options = HttpOptions { legacy_sse: Some(LegacyPaths::default()), ..HttpOptions::default() };
    let server = Server::with(EngineOptions { limits, ..EngineOptions::default() }, options).await;
    let (_first, endpoint) = open(&server).await;
    let mut client = server.connect().await;
    client.send("GET", "/sse", &[("Accept", "text/event-stream")], "").await;
    assert_eq!(client.head().await.status, 503);
    client.body().await;
    assert_eq!(post(&mut client, &endpoint, &initialize("2024-11-05")).await, 202);
    open(&server).await;
}
