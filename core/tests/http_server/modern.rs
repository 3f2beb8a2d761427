//! 2026-07-28: every POST stands alone.

use std::sync::Arc;
use std::time::Duration;

use mcpbolt::transport::streamable_http::server::{HttpOptions, ResponseMode};
use serde_json::json;

use super::support::*;

#[tokio::test]
async fn an_answer_at_once_is_json() {
    let server = Server::start(HttpOptions::default()).await;
    let mut client = server.connect().await;
    for _ in 0..2 {
        let head = client.modern("tools/call", json!({"name": "echo", "arguments": {"a": 1}})).await;
        assert_eq!((head.status, head.header("content-type")), (200, Some("application/json")));
        assert!(head.header("mcp-session-id").is_none(), "no ids are minted");
        let reply = client.json().await;
        assert_eq!(reply["result"]["content"][0]["text"], r#"{"a":1}"#);
        assert_eq!(reply["result"]["resultType"], "complete");
    }
}

#[tokio::test]
async fn progress_makes_it_a_stream_that_ends_after_the_answer() {
    let server = Server::start(HttpOptions::default()).await;
    let mut client = server.connect().await;
    let head = client.modern("tools/call", json!({"name": "progress"})).await;
    assert!(head.status == 200 && head.is_stream());
    assert_eq!(head.header("x-accel-buffering"), Some("no"));
    let first = client.event().await.unwrap();
    assert_eq!((first.json()["method"].as_str(), first.id), (Some("notifications/progress"), None));
    assert_eq!(client.event().await.unwrap().json()["id"], 1);
    assert_eq!(client.event().await, None);
    assert_eq!(client.modern("tools/list", json!({})).await.status, 200, "the connection goes on");
}

#[tokio::test]
async fn fixed_response_modes() {
    let options = HttpOptions { response: ResponseMode::Json, ..HttpOptions::default() };
    let server = Server::start(options).await;
    let mut client = server.connect().await;
    let head = client.modern("tools/call", json!({"name": "progress"})).await;
    assert_eq!(head.header("content-type"), Some("application/json"));
    assert_eq!(client.json().await["result"]["content"][0]["text"], "done");

    let options = HttpOptions { response: ResponseMode::Sse, ..HttpOptions::default() };
    let server = Server::start(options).await;
    let mut client = server.connect().await;
    assert!(client.modern("tools/list", json!({})).await.is_stream());
    assert_eq!(client.event().await.unwrap().json()["id"], 1);
}

#[tokio::test]
async fn statuses_follow_the_table() {
    let server = Server::start(HttpOptions::default()).await;
    let mut client = server.connect().await;
    let head = client.modern("no/such", json!({})).await;
    assert_eq!((head.status, client.json().await["error"]["code"].clone()), (404, json!(-32601)));
    let head = client.modern("initialize", json!({})).await;
    assert_eq!((head.status, client.json().await["id"].clone()), (404, json!(1)));
    let head = client.modern("tools/call", json!({"name": "none"})).await;
    assert_eq!((head.status, client.json().await["error"]["code"].clone()), (200, json!(-32602)));

    let (_, body) = modern("tools/list", json!({}));
    client.send("POST", "/mcp", &[("Mcp-Method", "tools/list")], &body).await;
    assert_eq!(client.head().await.status, 400);
    assert_eq!(client.json().await["error"]["code"], -32020);

    let body = body.replace("2026-07-28", "2027-01-01");
    let headers = [("Mcp-Method", "tools/list"), ("MCP-Protocol-Version", "2027-01-01")];
    client.send("POST", "/mcp", &headers, &body).await;
    assert_eq!(client.head().await.status, 400);
    assert_eq!(client.json().await["error"]["code"], -32022);

    client.send("POST", "/mcp", &[], "{nonsense").await;
    assert_eq!(client.head().await.status, 400);
    assert_eq!(client.json().await["error"]["code"], -32700);

    for (method, path, status) in [("GET", "/other", 404), ("PUT", "/mcp", 405)] {
        client.send(method, path, &[], "").await;
        assert_eq!(client.head().await.status, status, "{method} {path}");
        client.body().await;
    }
    for method in ["GET", "DELETE"] {
        client.send(method, "/mcp", &[("MCP-Protocol-Version", "2026-07-28")], "").await;
        assert_eq!(client.head().await.status, 405, "{method}");
        client.body().await;
    }
}

#[tokio::test]
async fn notifications_are_accepted_without_a_body() {
    let server = Server::start(HttpOptions::default()).await;
    let mut client = server.connect().await;
    let body = r#"{"jsonrpc":"2.0","method":"notifications/x"}"#;
    client.send("POST", "/mcp", &[("MCP-Protocol-Version", "2026-07-28")], body).await;
    let head = client.head().await;
    assert_eq!((head.status, client.body().await.as_str()), (202, ""));
    assert_eq!(server.http.service().in_flight(), 0);
}

#[tokio::test]
async fn parameter_headers_are_compared_with_the_arguments() {
    let server = Server::start(HttpOptions::default()).await;
    let mut client = server.connect().await;
    let (headers, body) = modern("tools/call", json!({"name": "echo", "arguments": {"r": "eu"}}));
    for (value, status) in [(None, 400), (Some("us"), 400), (Some("eu"), 200)] {
        let mut headers: Vec<_> = headers.iter().map(|(n, v)| (*n, v.as_str())).collect();
        headers.extend(value.map(|v| ("mcp-param-region", v)));
        client.send("POST", "/mcp", &headers, &body).await;
        assert_eq!(client.head().await.status, status, "{value:?}");
        let reply = client.json().await;
        assert_eq!(reply["id"], 1);
        assert_eq!(reply["error"]["code"] == -32020, status == 400);
    }
}

#[tokio::test]
async fn a_listen_stream_starts_with_its_acknowledgement() {
    let server = Server::start(HttpOptions::default()).await;
    let mut client = server.connect().await;
    let head =
        client.modern("subscriptions/listen", json!({"notifications": {"toolsListChanged": true}})).await;
    assert!(head.is_stream());
    let first = client.event().await.unwrap().json();
    assert_eq!(first["method"], "notifications/subscriptions/acknowledged");
    server.publish();
    let second = client.event().await.unwrap().json();
    assert_eq!(second["method"], "notifications/tools/list_changed");
    assert_eq!(second["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], 1);
    assert_eq!(server.http.service().in_flight(), 1);
    drop(client);
    server.until("the end of the subscription", |s| s.http.service().in_flight() == 0).await;
}

#[tokio::test]
async fn a_listen_is_a_stream_where_all_else_is_json() {
    let options = HttpOptions { response: ResponseMode::Json, ..HttpOptions::default() };
    let server = Server::start(options).await;
    let (mut client, mut other) = (server.connect().await, server.connect().await);
    let listen = json!({"notifications": {"toolsListChanged": true}});
    assert!(client.modern("subscriptions/listen", listen.clone()).await.is_stream());
    let first = client.event().await.unwrap().json();
    assert_eq!(first["method"], "notifications/subscriptions/acknowledged");
    let (headers, body) = modern("subscriptions/listen", listen);
    let mut headers: Vec<_> = headers.iter().map(|(n, v)| (*n, v.as_str())).collect();
    headers.push(("Accept", "application/json"));
    other.send("POST", "/mcp", &headers, &body).await;
    assert_eq!(other.head().await.status, 406, "who reads no stream cannot listen");
}

#[tokio::test]
async fn a_silent_call_becomes_a_stream_with_comments() {
    let keep_alive = std::time::Duration::from_millis(20);
    let mut server = Server::start(HttpOptions { keep_alive, ..HttpOptions::default() }).await;
    let mut client = server.connect().await;
    assert!(client.modern("tools/call", json!({"name": "hang"})).await.is_stream());
    for _ in 0..3 {
        client.line().await;
        assert_eq!(client.line().await, ":\n");
        client.line().await;
        client.line().await;
    }
    assert_eq!(server.event().await, "started");
    server.release.notify_one();
    let first = client.event().await.unwrap().json();
    assert_eq!(first["method"], "notifications/progress");
    assert_eq!(client.event().await.unwrap().json()["id"], 1);
}

async fn hanging(options: HttpOptions) -> (Server, Client) {
    let mut server = Server::start(options).await;
    let mut client = server.connect().await;
    client.hang(&mut server, &[]).await;
    (server, client)
}

#[tokio::test]
async fn in_sse_mode_the_head_of_a_stream_leaves_before_there_is_anything_to_say() {
    let forever = Duration::MAX;
    let sse = HttpOptions { response: ResponseMode::Sse, keep_alive: forever, ..HttpOptions::default() };
    let (server, mut client) = hanging(sse).await;
    assert!(client.head().await.is_stream());
    server.release.notify_one();
    while let Some(event) = client.event().await {
        assert_eq!(event.name.as_deref(), Some("message"));
    }
    // What is refused before its handler runs keeps its status.
    assert_eq!(client.modern("no/such", json!({})).await.status, 404);
    client.body().await;
}

#[tokio::test]
async fn in_auto_mode_an_undecided_answer_becomes_a_stream_after_a_while() {
    let keep_alive = Duration::MAX;
    let (server, mut client) = hanging(HttpOptions { keep_alive, ..HttpOptions::default() }).await;
    assert!(client.head().await.is_stream());
    server.release.notify_one();
    client.body().await;
    // A short call is one document.
    assert!(!client.modern("tools/call", json!({"name": "echo"})).await.is_stream());
    client.body().await;
}

#[tokio::test]
async fn stream_after_zero_is_at_once() {
    let keep_alive = Duration::MAX;
    let at_once = HttpOptions { stream_after: Some(Duration::ZERO), keep_alive, ..HttpOptions::default() };
    let (_server, mut client) = hanging(at_once).await;
    assert!(client.head().await.is_stream());
}

/// The status of a request for a list at a path.
async fn status_at(client: &mut Client, path: &str) -> u16 {
    let (headers, body) = modern("tools/list", json!({}));
    let headers: Vec<_> = headers.iter().map(|(n, v)| (*n, v.as_str())).collect();
    client.send("POST", path, &headers, &body).await;
    let status = client.head().await.status;
    client.body().await;
    status
}

#[tokio::test]
async fn the_endpoint_is_found_with_and_without_a_slash_at_its_end() {
    for path in ["/mcp", "/mcp/"] {
        let server = Server::start(HttpOptions { path: path.into(), ..HttpOptions::default() }).await;
        let mut client = server.connect().await;
        for (path, status) in [("/mcp", 200), ("/mcp/", 200), ("/mcp/mcp", 404), ("/", 404)] {
            assert_eq!(status_at(&mut client, path).await, status, "{path}");
        }
    }
    // Another page of the server's at that path stays what it is.
    let metrics = Some(("/mcp/".to_owned(), Arc::new(|| "calls 1\n".to_owned()) as _));
    let server = Server::start(HttpOptions { metrics, ..HttpOptions::default() }).await;
    let mut client = server.connect().await;
    client.send("GET", "/mcp/", &[], "").await;
    assert_eq!(client.head().await.status, 200);
    assert_eq!(client.body().await, "calls 1\n");
    assert_eq!(status_at(&mut client, "/mcp").await, 200);
}
