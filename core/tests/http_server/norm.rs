//! Refusals in the words and the order of another implementation.

use std::sync::Arc;

use mcpbolt::handler::{BoxFuture, EngineOptions};
use mcpbolt::transport::streamable_http::server::{BodyWords, HttpOptions};
use mcpbolt_proto::limits::Limits;
use mcpbolt_proto::policy::norm::Norm;
use serde_json::json;

use super::support::*;

/// Words every body with its length.
struct Lengths;

impl BodyWords for Lengths {
    fn describe<'a>(&'a self, body: &'a [u8]) -> BoxFuture<'a, Option<(i64, String)>> {
        let words = (body != b"[]").then(|| (-32700, format!("{} bytes", body.len())));
        Box::pin(std::future::ready(words))
    }
}

#[tokio::test]
async fn by_the_norm_of_python_2_batches_and_responses_of_the_modern_era_are_refused_in_its_words() {
    let mut engine = EngineOptions::default();
    engine.session.norm = Norm::PYTHON_2;
    let server = Server::with(engine, HttpOptions::default()).await;
    let said = |body: &str| -> serde_json::Value { serde_json::from_str(body).unwrap() };
    let batch = r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#;
    let (status, _, body) = refused(&server, "POST", &[], batch).await;
    assert_eq!((status, &said(&body)["error"]["code"]), (400, &json!(-32602)));
    let modern = ("mcp-protocol-version", "2026-07-28");
    let (status, _, body) =
        refused(&server, "POST", &[modern], r#"{"jsonrpc":"2.0","id":1,"result":{}}"#).await;
    let words = "Body must be a single JSON-RPC request or notification object";
    assert_eq!((status, &said(&body)["error"]), (400, &json!({"code": -32600, "message": words})));
    let unknown = ("mcp-protocol-version", "1999-01-01");
    let note = r#"{"jsonrpc":"2.0","method":"notifications/cancelled"}"#;
    let (_, _, body) = refused(&server, "POST", &[unknown], note).await;
    assert_eq!(said(&body)["error"]["data"]["supported"], json!(["2026-07-28"]));
}

async fn server() -> Server {
    let mut engine = EngineOptions {
        limits: Limits { max_sessions: 2, max_body_bytes: 1000, ..Limits::default() },
        ..EngineOptions::default()
    };
    engine.session.norm = Norm::PYTHON_1;
    Server::with(engine, HttpOptions { body_words: Some(Arc::new(Lengths)), ..HttpOptions::default() }).await
}

/// Status, whether a session is named, and the body of a refusal.
async fn refused(server: &Server, method: &str, headers: &[(&str, &str)], body: &str) -> (u16, bool, String) {
    let mut client = server.connect().await;
    client.send(method, "/mcp", headers, body).await;
    let head = client.head().await;
    (head.status, head.header("mcp-session-id").is_some(), client.body().await)
}

fn error(code: i64, message: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":"server-error","error":{{"code":{code},"message":"{message}"}}}}"#)
}

#[tokio::test]
async fn refusals_come_in_the_order_and_the_words_of_the_norm() {
    let server = server().await;
    let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    let unknown = ("mcp-session-id", "unknown");
    let no_session = (404, false, error(-32600, "Session not found"));
    assert_eq!(refused(&server, "POST", &[unknown, ("accept", "a/b")], "{").await, no_session);
    assert_eq!(refused(&server, "DELETE", &[unknown], "").await, no_session);
    let text = refused(&server, "POST", &[("content-type", "text/plain"), ("accept", "a/b")], ping).await;
    assert_eq!(text, (400, false, "Invalid Content-Type header".to_owned()));
    let both =
        error(-32600, "Not Acceptable: Client must accept both application/json and text/event-stream");
    assert_eq!(refused(&server, "POST", &[("accept", "application/json")], "{").await, (406, true, both));
    assert_eq!(refused(&server, "POST", &[], "{").await, (400, true, error(-32700, "1 bytes")));
    let nameless = (400, true, error(-32600, "Bad Request: Missing session ID"));
    assert_eq!(refused(&server, "POST", &[("mcp-protocol-version", "x")], ping).await, nameless);
    let large = (413, false, "Request body too large".to_owned());
    assert_eq!(refused(&server, "POST", &[], &"x".repeat(1001)).await, large);
    let method = (405, true, error(-32600, "Method Not Allowed"));
    assert_eq!(refused(&server, "PUT", &[], "").await, method);
    let host = (421, false, "Invalid Host header".to_owned());
    assert_eq!(refused(&server, "POST", &[("host", "evil.example.com")], ping).await, host);
}

#[tokio::test]
async fn a_body_without_words_of_the_program_has_the_engines() {
    let server = server().await;
    let (status, _, body) = refused(&server, "POST", &[], "[]").await;
    let error: serde_json::Value = serde_json::from_str(&body).unwrap();
    assert_eq!((status, &error["id"], &error["error"]["code"]), (400, &json!(null), &json!(-32600)));
}

#[tokio::test]
async fn sessions_are_refused_in_its_words_too() {
    let server = server().await;
    let mut client = server.connect().await;
    let session = client.initialize("2025-11-25").await;
    client.post(&session, r#"{"jsonrpc":"2.0","id":7,"method":"no/such"}"#).await;
    let answer = client.json().await;
    let words = json!({"code": -32602, "message": "Invalid request parameters", "data": ""});
    assert_eq!(answer["error"], words);
    let version = [("mcp-session-id", &*session), ("mcp-protocol-version", "1999-01-01")];
    let (status, named, body) =
        refused(&server, "POST", &version, r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#).await;
    assert_eq!((status, named), (400, true));
    assert!(body.contains("Unsupported protocol version: 1999-01-01. Supported versions: 2024-11-05, "));
    let mut second = server.connect().await;
    second.initialize("2025-11-25").await;
    let (status, named, body) = refused(&server, "POST", &[], &initialize("2025-11-25")).await;
    assert_eq!((status, named, body), (503, false, error(-32603, "Too many open sessions")));
}

#[tokio::test]
async fn the_table_of_typescript_is_looked_at_in_its_order() {
    let mut engine = EngineOptions::default();
    engine.session.norm = Norm::TYPESCRIPT_1;
    let server = Server::with(engine, HttpOptions::default()).await;
    let error = |code: i64, message: &str| {
        format!(r#"{{"jsonrpc":"2.0","error":{{"code":{code},"message":"{message}"}}}}"#)
    };
    let both = "Not Acceptable: Client must accept both application/json and text/event-stream";
    let wrong = [("accept", "application/json"), ("content-type", "text/plain")];
    assert_eq!(refused(&server, "POST", &wrong, "{").await, (406, false, error(-32000, both)));
    let weighted = ("accept", "text/event-stream;q=0.1,application/json");
    let plain = "Unsupported Media Type: Content-Type must be application/json";
    let sent = refused(&server, "POST", &[weighted, ("content-type", "text/plain")], "{").await;
    assert_eq!(sent, (415, false, error(-32000, plain)));
    let put = refused(&server, "PUT", &[], "").await;
    assert_eq!(put, (405, false, error(-32000, "Method not allowed.")));
    let nameless = "Bad Request: Mcp-Session-Id header is required";
    assert_eq!(refused(&server, "DELETE", &[], "").await, (400, false, error(-32000, nameless)));
}
