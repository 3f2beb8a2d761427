//! Clients that leave: what it means, and that it is noticed.

use mcpbolt::transport::streamable_http::server::{HttpOptions, Sessions};
use serde_json::json;
use tokio::io::AsyncWriteExt;

use super::support::*;

async fn hang(server: &mut Server) -> Client {
    let mut client = server.connect().await;
    let (headers, body) = modern("tools/call", json!({"name": "hang"}));
    let headers: Vec<_> = headers.iter().map(|(n, v)| (*n, v.as_str())).collect();
    client.send("POST", "/mcp", &headers, &body).await;
    assert_eq!(server.event().await, "started");
    client
}

#[tokio::test]
async fn closing_the_connection_cancels_a_modern_call() {
    let mut server = Server::start(HttpOptions::default()).await;
    drop(hang(&mut server).await);
    assert_eq!(server.event().await, "cancelled");
    server.until("the end of the request", |s| s.http.service().in_flight() == 0).await;
}

#[tokio::test]
async fn bytes_behind_the_request_hide_no_disconnect() {
    let mut server = Server::start(HttpOptions::default()).await;
    for behind in [1, 40_000, 200_000] {
        let mut client = hang(&mut server).await;
        // The server may stop reading, and close, before all of it is sent.
        let _ = client.stream.get_mut().write_all(&vec![b'G'; behind]).await;
        drop(client);
        assert_eq!(server.event().await, "cancelled", "{behind}");
    }
}

#[tokio::test]
async fn pipelined_requests_are_answered_in_order() {
    let mut server = Server::start(HttpOptions::default()).await;
    let mut client = hang(&mut server).await;
    client.send("GET", "/other", &[], "").await;
    server.release.notify_one();
    let head = client.head().await;
    assert!(head.is_stream());
    client.body().await;
    assert_eq!(client.head().await.status, 404);
}

#[tokio::test]
async fn half_closing_counts_as_leaving() {
    let mut server = Server::start(HttpOptions::default()).await;
    let mut client = hang(&mut server).await;
    client.stream.get_mut().shutdown().await.unwrap();
    assert_eq!(server.event().await, "cancelled");
    assert!(client.is_closed().await);
}

#[tokio::test]
async fn leaving_a_stream_cancels_too() {
    let keep_alive = std::time::Duration::from_millis(5);
    let mut server = Server::start(HttpOptions { keep_alive, ..HttpOptions::default() }).await;
    for behind in ["", "GET"] {
        let mut client = hang(&mut server).await;
        assert!(client.head().await.is_stream());
        client.write(behind).await;
        drop(client);
        assert_eq!(server.event().await, "cancelled");
    }
}

#[tokio::test]
async fn legacy_calls_outlive_their_client() {
    for sessions in [Sessions::Stateful, Sessions::None] {
        let mut server = Server::start(HttpOptions { sessions, ..HttpOptions::default() }).await;
        let mut client = server.connect().await;
        let session = match sessions {
            Sessions::Stateful => client.initialize("2025-11-25").await,
            Sessions::None => "none".to_owned(),
        };
        client.send("POST", "/mcp", &[("Mcp-Session-Id", &session)], &call(1, "hang")).await;
        assert_eq!(server.event().await, "started");
        drop(client);
        let mut other = server.connect().await;
        assert_eq!(other.post(&session, &call(2, "echo")).await.status, 200);
        assert!(server.events.try_recv().is_err(), "not cancelled");
        server.release.notify_one();
        // A second call proves that the first one ended and left nothing behind.
        other.body().await;
        other.send("POST", "/mcp", &[("Mcp-Session-Id", &session)], &call(3, "hang")).await;
        assert_eq!(server.event().await, "started");
        server.release.notify_one();
        assert_eq!(other.head().await.status, 200);
    }
}
