//! Who may talk to the server: Host and Origin, credentials, browsers.

use std::sync::Arc;

use mcpbolt::transport::streamable_http::server::{ApiKey, HttpOptions, StaticBearer};
use mcpbolt_proto::http::Guard;
use serde_json::json;

use super::support::*;

#[tokio::test]
async fn foreign_hosts_and_origins_are_refused_before_anything_else() {
    let server = Server::start(HttpOptions::default()).await;
    let mut client = server.connect().await;
    for headers in [
        [("Host", "evil.example.com"), ("X", "y")],
        [("Host", "localhost"), ("Origin", "http://evil.example.com")],
    ] {
        client.send("POST", "/mcp", &headers, &initialize("2025-06-18")).await;
        assert_eq!(client.head().await.status, 403);
        assert!(client.json().await.get("id").is_none());
    }
    let address = server.http.local_addr().to_string();
    let origin = format!("http://{address}");
    client.send("POST", "/mcp", &[("Host", &address), ("Origin", &origin)], &initialize("2025-06-18")).await;
    assert_eq!(client.head().await.status, 200);
    assert_eq!(server.http.service().sessions(), 1);
}

#[tokio::test]
async fn browsers_are_told_what_they_may_read() {
    let guard = Guard::loopback().allow_origin("https://app.example").unwrap();
    let server =
        Server::start(HttpOptions { cors: true, guard: Some(guard), ..HttpOptions::default() }).await;
    let mut client = server.connect().await;
    let origin = ("Origin", "https://app.example");
    client.send("OPTIONS", "/mcp", &[origin, ("Access-Control-Request-Headers", "mcp-param-x")], "").await;
    let head = client.head().await;
    assert_eq!((head.status, head.header("access-control-allow-origin")), (204, Some("https://app.example")));
    let allowed = head.header("access-control-allow-headers").unwrap();
    assert!(allowed.contains("mcp-param-x") && allowed.contains("DPoP"), "{allowed}");
    client.send("POST", "/mcp", &[origin], &initialize("2025-06-18")).await;
    let head = client.head().await;
    let exposed = head.header("access-control-expose-headers").unwrap();
    for name in ["Mcp-Session-Id", "DPoP-Nonce", "Retry-After"] {
        assert!(exposed.contains(name), "{exposed}");
    }
}

#[tokio::test]
async fn bearer_tokens_make_principals_and_sessions_belong_to_them() {
    let verify = Some(Arc::new(StaticBearer::new([("s3cret", "ann"), ("other", "bob")])) as Arc<_>);
    let server = Server::start(HttpOptions { verify, ..HttpOptions::default() }).await;
    let mut client = server.connect().await;
    for (token, challenge) in [(None, "Bearer"), (Some("Bearer wrong"), "Bearer error=\"invalid_token\"")] {
        let headers: Vec<_> = token.map(|t| ("Authorization", t)).into_iter().collect();
        client.send("POST", "/mcp", &headers, &initialize("2025-06-18")).await;
        let head = client.head().await;
        assert_eq!((head.status, head.header("www-authenticate")), (401, Some(challenge)));
        client.body().await;
    }
    client.send("POST", "/mcp", &[("Authorization", "bearer s3cret")], &initialize("2025-06-18")).await;
    let session = client.head().await.header("mcp-session-id").unwrap().to_owned();
    client.body().await;
    for (token, status) in [("Bearer other", 404), ("Bearer s3cret", 200)] {
        let headers = [("Authorization", token), ("Mcp-Session-Id", session.as_str())];
        client.send("POST", "/mcp", &headers, &call(1, "echo")).await;
        assert_eq!(client.head().await.status, status, "a session id is no credential: {token}");
        client.body().await;
    }
}

#[tokio::test]
async fn api_keys_in_a_header_of_choice() {
    let keys = ApiKey::new(http::HeaderName::from_static("x-key"), [("k1", "ann")]);
    let server = Server::start(HttpOptions { verify: Some(Arc::new(keys)), ..HttpOptions::default() }).await;
    let mut client = server.connect().await;
    for (key, status) in [("k2", 401), ("k1", 200)] {
        client.send("POST", "/mcp", &[("X-Key", key)], &initialize("2025-06-18")).await;
        assert_eq!(client.head().await.status, status);
        client.body().await;
    }
}

#[tokio::test]
async fn health_needs_no_credentials_and_metrics_do() {
    let verify = Some(Arc::new(StaticBearer::new([("t", "ann")])) as Arc<_>);
    let options = HttpOptions {
        verify,
        health: Some("/healthz".into()),
        ready: Some("/readyz".into()),
        metrics: Some(("/metrics".into(), Arc::new(|| "calls 1\n".to_owned()))),
        ..HttpOptions::default()
    };
    let server = Server::start(options).await;
    let mut client = server.connect().await;
    for path in ["/healthz", "/readyz"] {
        client.send("GET", path, &[], "").await;
        assert_eq!(client.head().await.status, 200);
        client.body().await;
    }
    client.send("GET", "/metrics", &[], "").await;
    assert_eq!(client.head().await.status, 401);
    client.body().await;
    client.send("GET", "/metrics", &[("Authorization", "Bearer t")], "").await;
    assert!(client.head().await.header("content-type").unwrap().starts_with("text/plain; version=0.0.4"));
    assert_eq!(client.body().await, "calls 1\n");
}

#[tokio::test]
async fn content_types_that_cannot_be_served() {
    let server = Server::start(HttpOptions::default()).await;
    let mut client = server.connect().await;
    let (_, body) = modern("tools/list", json!({}));
    for (header, status) in [(("Content-Type", "text/plain"), 415), (("Accept", "text/html"), 406)] {
        client.send("POST", "/mcp", &[header], &body).await;
        assert_eq!(client.head().await.status, status);
        if status == 415 {
            // The body was not read, so the connection may be over.
            client = server.connect().await;
        }
    }
}

/// The status of a request whose head is written by hand.
async fn status_of(head: &str) -> u16 {
    status_with(HttpOptions::default(), head).await
}

async fn status_with(options: HttpOptions, head: &str) -> u16 {
    let server = Server::start(options).await;
    let mut client = server.connect().await;
    client.write(&format!("{head}\r\n\r\n")).await;
    client.head().await.status
}

#[tokio::test]
async fn a_head_that_says_two_things_is_refused() {
    let mut answers = Vec::new();
    for head in [
        "GET /mcp HTTP/1.1\r\nHost: localhost\r\nHost: localhost",
        "GET /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer a\r\nAuthorization: Bearer b",
        "GET http://localhost/mcp HTTP/1.1\r\nHost: 127.0.0.1",
        "GET http://evil.example/mcp HTTP/1.1\r\nHost: localhost",
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: gzip, chunked",
        "GET http://localhost/elsewhere HTTP/1.1\r\nHost: localhost",
    ] {
        answers.push(status_of(head).await);
    }
    assert_eq!(answers, [400, 400, 400, 400, 501, 404]);
    // Also where any one host would do.
    let anywhere = HttpOptions { guard: Some(Guard::public()), ..HttpOptions::default() };
    let twice = "GET /elsewhere HTTP/1.1\r\nHost: a.example\r\nHost: b.example";
    assert_eq!(status_with(anywhere, twice).await, 400);
}

#[tokio::test]
async fn a_progress_token_is_short_and_of_a_kind() {
    let server = Server::start(HttpOptions::default()).await;
    let mut client = server.connect().await;
    let session = client.initialize("2025-11-25").await;
    for (token, fine) in [
        (json!(7), true),
        (json!("x".repeat(1022)), true),
        (json!("x".repeat(1023)), false),
        (json!("x".repeat(1 << 20)), false),
        (json!({"a": 1}), false),
        (json!([1]), false),
        (json!(true), false),
    ] {
        let params = json!({"name": "echo", "_meta": {"progressToken": token}});
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).to_string();
        client.post(&session, &body).await;
        let answer = client.json().await;
        assert_eq!(answer["error"]["code"] == -32602, !fine, "{:.80}", answer.to_string());
        assert_eq!(answer["result"].is_object(), fine);
    }
}
