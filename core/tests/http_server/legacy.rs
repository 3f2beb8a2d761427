//! Streamable HTTP of 2025: sessions, streams, batches; and the same without sessions.

use std::time::Duration;

use mcpbolt::handler::EngineOptions;
use mcpbolt::transport::streamable_http::server::{HttpOptions, ResponseMode, Sessions};
use mcpbolt_proto::limits::Limits;
use serde_json::json;

use super::support::*;

#[tokio::test]
async fn the_life_of_a_session() {
    let server = Server::start(HttpOptions::default()).await;
    let mut client = server.connect().await;
    let session = client.initialize("2025-06-18").await;
    assert!(session.len() >= 22 && session.bytes().all(|b| (0x21..=0x7e).contains(&b)));
    let head = client.post(&session, &call(1, "echo")).await;
    assert_eq!((head.status, head.header("content-type")), (200, Some("application/json")));
    assert_eq!(client.json().await["result"], json!({"content": [{"type": "text", "text": "{}"}]}));
    assert_eq!(client.post(&session, r#"{"jsonrpc":"2.0","id":2,"method":"no/such"}"#).await.status, 200);
    assert_eq!(client.json().await["error"]["code"], -32601);

    client.send("DELETE", "/mcp", &[("Mcp-Session-Id", &session)], "").await;
    assert_eq!(client.head().await.status, 200);
    for method in ["POST", "GET", "DELETE"] {
        client.send(method, "/mcp", &[("Mcp-Session-Id", &session)], &call(3, "echo")[..0]).await;
        let status = client.head().await.status;
        assert_eq!(status, if method == "POST" { 400 } else { 404 }, "{method}");
        client.body().await;
    }
    assert_eq!(client.post(&session, &call(3, "echo")).await.status, 404);
    client.body().await;
    assert_eq!(server.http.service().sessions(), 0);
}

/// A server that has room for so many sessions.
async fn with_sessions(max_sessions: usize) -> Server {
    let limits = Limits { max_sessions, ..Limits::default() };
    Server::with(EngineOptions { limits, ..EngineOptions::default() }, HttpOptions::default()).await
}

#[tokio::test]
async fn many_sessions_are_found_each_and_counted_together() {
    let server = with_sessions(100).await;
    let mut client = server.connect().await;
    let mut sessions = Vec::new();
    for _ in 0..100 {
        sessions.push(client.initialize("2025-11-25").await);
    }
    client.send("POST", "/mcp", &[], &initialize("2025-11-25")).await;
    assert_eq!(client.head().await.status, 503);
    client.body().await;
    let (ended, kept) = sessions.split_at(60);
    for session in ended {
        client.send("DELETE", "/mcp", &[("Mcp-Session-Id", session)], "").await;
        assert_eq!(client.head().await.status, 200);
        client.body().await;
    }
    assert_eq!(server.http.service().sessions(), 40);
    for (sessions, status) in [(ended, 404), (kept, 200)] {
        for session in sessions {
            assert_eq!(client.post(session, &call(1, "echo")).await.status, status);
            client.body().await;
        }
    }
    client.initialize("2025-11-25").await;
    assert_eq!(server.http.service().sessions(), 41);
    server.http.service().cancel_all();
    assert_eq!(server.http.service().sessions(), 0);
}

#[tokio::test]
async fn missing_and_unknown_session_ids() {
    let server = Server::start(HttpOptions::default()).await;
    let mut client = server.connect().await;
    client.send("POST", "/mcp", &[], &call(1, "echo")).await;
    assert_eq!(client.head().await.status, 400);
    client.body().await;
    for unknown in ["nobody", "%00"] {
        assert_eq!(client.post(unknown, &call(1, "echo")).await.status, 404);
        client.body().await;
    }
    let session = client.initialize("2025-11-25").await;
    let headers = [("Mcp-Session-Id", session.as_str()), ("MCP-Protocol-Version", "1999-01-01")];
    client.send("POST", "/mcp", &headers, &call(1, "echo")).await;
    assert_eq!(client.head().await.status, 400);
}

#[tokio::test]
async fn a_failed_initialize_opens_no_session() {
    let server = Server::start(HttpOptions::default()).await;
    let mut client = server.connect().await;
    client.send("POST", "/mcp", &[], r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}"#).await;
    let head = client.head().await;
    assert!(head.header("mcp-session-id").is_none());
    assert_eq!(client.json().await["error"]["code"], -32602);
    assert_eq!(server.http.service().sessions(), 0);
}

#[tokio::test]
async fn questions_travel_on_the_stream_of_their_call() {
    let server = Server::start(HttpOptions::default()).await;
    let (mut client, mut other) = (server.connect().await, server.connect().await);
    let session = client.initialize("2025-06-18").await;
    assert!(client.post(&session, &call(1, "ask")).await.is_stream());
    let question = client.event().await.unwrap();
    assert_eq!(question.json()["method"], "roots/list");
    let answer = json!({"jsonrpc": "2.0", "id": question.json()["id"], "result": {"roots": []}});
    assert_eq!(other.post(&session, &answer.to_string()).await.status, 202);
    assert_eq!(client.event().await.unwrap().json()["result"]["content"][0]["text"], r#"{"roots":[]}"#);
    assert_eq!(client.event().await, None);
}

#[tokio::test]
async fn where_answers_are_json_a_question_and_its_end_travel_on_the_get_stream() {
    let server = Server::start(HttpOptions { response: ResponseMode::Json, ..HttpOptions::default() }).await;
    let (mut client, mut get) = (server.connect().await, server.connect().await);
    let session = client.initialize("2025-06-18").await;
    assert!(get.get(&session, None).await.is_stream());
    client.send("POST", "/mcp", &[("Mcp-Session-Id", &session)], &call(1, "ask")).await;
    let question = get.event().await.unwrap().json();
    assert_eq!(question["method"], "roots/list");
    let cancel = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#;
    assert_eq!(server.connect().await.post(&session, cancel).await.status, 202);
    let over = get.event().await.unwrap().json();
    assert_eq!(over["method"], "notifications/cancelled");
    assert_eq!(over["params"]["requestId"], question["id"]);
}

#[tokio::test]
async fn changes_wait_for_the_get_stream_and_then_flow() {
    let server = Server::start(HttpOptions::default()).await;
    let (mut client, mut get) = (server.connect().await, server.connect().await);
    let session = client.initialize("2025-06-18").await;
    server.publish();
    let head = get.get(&session, None).await;
    assert!(head.status == 200 && head.is_stream());
    let first = get.event().await.unwrap();
    assert_eq!(first.json()["method"], "notifications/tools/list_changed");
    server.publish();
    let second = get.event().await.unwrap();
    assert_ne!(first.id, second.id);
}

#[tokio::test]
async fn a_get_that_reads_no_events_is_refused() {
    let server = Server::start(HttpOptions::default()).await;
    let mut client = server.connect().await;
    let session = client.initialize("2025-06-18").await;
    client.send("GET", "/mcp", &[("Mcp-Session-Id", &session), ("Accept", "application/json")], "").await;
    assert_eq!(client.head().await.status, 406);
}

#[tokio::test]
async fn batches_are_for_the_revision_that_has_them() {
    let server = Server::start(HttpOptions::default()).await;
    let mut client = server.connect().await;
    let session = client.initialize("2025-03-26").await;
    let batch = r#"[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/x"},{"jsonrpc":"2.0","id":2,"method":"tools/list"}]"#;
    assert_eq!(client.post(&session, batch).await.status, 200);
    let answers = client.json().await;
    assert_eq!(answers.as_array().map(Vec::len), Some(2));
    let quiet = r#"[{"jsonrpc":"2.0","method":"notifications/x"}]"#;
    assert_eq!(client.post(&session, quiet).await.status, 202);
    let session = client.initialize("2025-06-18").await;
    assert_eq!(client.post(&session, batch).await.status, 400);
    assert_eq!(client.json().await["error"]["code"], -32600);
    assert_eq!(client.post(&session, quiet).await.status, 400);
}

#[tokio::test]
async fn without_sessions_every_post_stands_alone() {
    let server = Server::start(HttpOptions { sessions: Sessions::None, ..HttpOptions::default() }).await;
    let mut client = server.connect().await;
    client.send("POST", "/mcp", &[], &initialize("2025-06-18")).await;
    let head = client.head().await;
    assert!(head.status == 200 && head.header("mcp-session-id").is_none());
    assert_eq!(client.json().await["result"]["protocolVersion"], "2025-06-18");
    assert_eq!(client.post("whatever", &call(1, "echo")).await.status, 200);
    assert_eq!(client.json().await["id"], 1);
    assert!(client.post("whatever", &call(2, "progress")).await.is_stream());
    client.body().await;
    for method in ["GET", "DELETE"] {
        client.send(method, "/mcp", &[("Mcp-Session-Id", "whatever")], "").await;
        let head = client.head().await;
        assert_eq!((head.status, head.header("allow")), (405, Some("POST")), "{method}");
        client.body().await;
    }
}

#[tokio::test]
async fn half_open_sessions_expire_and_used_ones_stay() {
    let options = HttpOptions { half_open: Duration::from_millis(30), ..HttpOptions::default() };
    let server = Server::start(options).await;
    let (mut client, mut other) = (server.connect().await, server.connect().await);
    let session = client.initialize("2025-11-25").await;
    other.send("POST", "/mcp", &[], &initialize("2025-11-25")).await;
    let half_open = other.head().await.header("mcp-session-id").unwrap().to_owned();
    other.body().await;
    server.until("expiry of the half-open session", |s| s.http.service().sessions() == 1).await;
    assert_eq!(other.post(&half_open, &call(1, "echo")).await.status, 404);
    assert_eq!(client.post(&session, &call(1, "echo")).await.status, 200);
}

#[tokio::test]
async fn idle_sessions_expire_unless_somebody_listens() {
    let limits = Limits { session_idle: Duration::from_millis(40), ..Limits::default() };
    let server =
        Server::with(EngineOptions { limits, ..EngineOptions::default() }, HttpOptions::default()).await;
    let (mut client, mut get) = (server.connect().await, server.connect().await);
    let idle = client.initialize("2025-11-25").await;
    let heard = client.initialize("2025-11-25").await;
    assert_eq!(get.get(&heard, None).await.status, 200);
    server.until("expiry of the idle session", |s| s.http.service().sessions() == 1).await;
    assert_eq!(client.post(&idle, &call(1, "echo")).await.status, 404);
    client.body().await;
    assert_eq!(client.post(&heard, &call(1, "echo")).await.status, 200);
}

#[tokio::test]
async fn a_full_table_refuses_and_evicts_nobody() {
    let server = with_sessions(2).await;
    let mut client = server.connect().await;
    let first = client.initialize("2025-11-25").await;
    client.initialize("2025-11-25").await;
    client.send("POST", "/mcp", &[], &initialize("2025-11-25")).await;
    let head = client.head().await;
    assert_eq!((head.status, head.header("retry-after")), (503, Some("1")));
    client.body().await;
    assert_eq!(client.post(&first, &call(1, "echo")).await.status, 200);
}

#[tokio::test]
async fn half_open_sessions_have_a_smaller_cap() {
    // An eighth of them may be half open, and one of these three is kept for other senders.
    let limits = Limits { max_sessions: 24, ..Limits::default() };
    let server =
        Server::with(EngineOptions { limits, ..EngineOptions::default() }, HttpOptions::default()).await;
    let mut client = server.connect().await;
    for expected in [200, 200, 503] {
        client.send("POST", "/mcp", &[], &initialize("2025-11-25")).await;
        assert_eq!(client.head().await.status, expected);
        client.body().await;
    }
}
