//! HTTP+SSE of 2024-11-05.

use std::time::Duration;

use mcpbolt::handler::EngineOptions;
use mcpbolt::transport::streamable_http::server::{HttpOptions, LegacyPaths};
use mcpbolt_proto::limits::Limits;
use serde_json::json;

use super::support::*;

pub(crate) async fn open(server: &Server) -> (Client, String) {
    let mut events = server.connect().await;
    events.send("GET", "/sse", &[("Accept", "text/event-stream")], "").await;
    assert!(events.head().await.is_stream());
    let first = events.event().await.unwrap();
    assert_eq!(first.name.as_deref(), Some("endpoint"));
    assert!(first.data.starts_with("/messages?sessionId="));
    (events, first.data)
}

pub(crate) async fn post(client: &mut Client, path: &str, body: &str) -> u16 {
    client.send("POST", path, &[], body).await;
    let status = client.head().await.status;
    client.body().await;
    status
}

#[tokio::test]
async fn posts_are_answered_on_the_event_stream() {
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

fn with(limits: Limits) -> (EngineOptions, HttpOptions) {
    let options = HttpOptions { legacy_sse: Some(LegacyPaths::default()), ..HttpOptions::default() };
    (EngineOptions { limits, ..EngineOptions::default() }, options)
}

/// Posts `count` calls that hang until they are released.
async fn hanging(server: &mut Server, client: &mut Client, endpoint: &str, tool: &str, count: u32) {
    for id in 1..=count {
        assert_eq!(post(client, endpoint, &call(id, tool)).await, 202);
        assert_eq!(server.event().await, "started");
    }
}

/// Reads until so many calls are answered.
async fn answers(events: &mut Client, count: usize) {
    let mut ids = std::collections::BTreeSet::new();
    while ids.len() < count {
        let event = events.event().await.expect("the stream goes on").json();
        if event["id"].is_u64() && event["method"].is_null() {
            assert!(event["error"].is_null(), "{event}");
            ids.insert(event["id"].as_u64());
        }
    }
}

#[tokio::test]
async fn a_burst_of_answers_far_beyond_the_queue_arrives_whole() {
    let (engine, options) = with(Limits { send_queue_bytes: 1 << 20, ..Limits::default() });
    let mut server = Server::with(engine, options).await;
    let (mut events, endpoint) = open(&server).await;
    let mut client = server.connect().await;
    assert_eq!(post(&mut client, &endpoint, &initialize("2024-11-05")).await, 202);
    hanging(&mut server, &mut client, &endpoint, "large", 20).await;
    server.release.notify_waiters();
    answers(&mut events, 21).await;
    assert_eq!(server.http.service().sessions(), 1);
}

#[tokio::test]
async fn a_request_is_taken_when_there_is_room_for_its_answer_and_all_else_at_once() {
    let (engine, options) = with(Limits { send_queue_bytes: 1 << 20, ..Limits::default() });
    let mut server = Server::with(engine, options).await;
    let (mut events, endpoint) = open(&server).await;
    let (mut client, mut other) = (server.connect().await, server.connect().await);
    assert_eq!(post(&mut client, &endpoint, &initialize("2024-11-05")).await, 202);
    hanging(&mut server, &mut client, &endpoint, "large", 20).await;
    server.release.notify_waiters();
    // Nobody reads: the next request waits, a notification behind it does not.
    client.send("POST", &endpoint, &[], &call(30, "hang")).await;
    assert_eq!(post(&mut other, &endpoint, r#"{"jsonrpc":"2.0","method":"notifications/x"}"#).await, 202);
    assert!(server.events.try_recv().is_err(), "its handler has not begun");
    answers(&mut events, 21).await;
    assert_eq!(server.event().await, "started");
    assert_eq!(client.head().await.status, 202);
}

#[tokio::test]
async fn a_reader_that_takes_nothing_ends_its_session_after_slow_reader() {
    let slow_reader = Duration::from_millis(100);
    let (engine, options) = with(Limits { send_queue_bytes: 1 << 20, slow_reader, ..Limits::default() });
    let mut server = Server::with(engine, options).await;
    let (_events, endpoint) = open(&server).await;
    let (mut client, mut other) = (server.connect().await, server.connect().await);
    assert_eq!(post(&mut client, &endpoint, &initialize("2024-11-05")).await, 202);
    hanging(&mut server, &mut client, &endpoint, "large", 20).await;
    server.release.notify_waiters();
    client.send("POST", &endpoint, &[], &call(30, "echo")).await;
    server.until("the end of the session", |s| s.http.service().sessions() == 0).await;
    // Whoever waited for room learns that there is none to come.
    assert_eq!(client.head().await.status, 404);
    assert_eq!(post(&mut other, &endpoint, &call(31, "echo")).await, 404);
}
