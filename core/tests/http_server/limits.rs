//! Limits, one test each.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body::Frame;
use http_body_util::{Full, StreamBody};
use mcpbolt::handler::{BoxFuture, EngineOptions, RequestHead, Scope};
use mcpbolt::transport::streamable_http::server::{Fallback, ForeignBody, HttpOptions};
use mcpbolt_proto::limits::Limits;
use serde_json::json;
use tokio::net::TcpStream;

use super::support::*;

const SOON: Duration = Duration::from_millis(50);

async fn server(limits: Limits) -> Server {
    Server::with(EngineOptions { limits, ..EngineOptions::default() }, HttpOptions::default()).await
}

#[tokio::test]
async fn max_body_bytes_413() {
    let server = server(Limits { max_body_bytes: 1000, ..Limits::default() }).await;
    let mut client = server.connect().await;
    client.send("POST", "/mcp", &[], &"x".repeat(1001)).await;
    assert_eq!(client.head().await.status, 413);
    let mut client = server.connect().await;
    let head = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";
    client.write(head).await;
    client.write(&format!("3e8\r\n{}\r\n", "x".repeat(1000))).await;
    client.write("1\r\nx\r\n").await;
    assert_eq!(client.head().await.status, 413);
}

/// Writes all of a large body before it looks for an answer, as many clients do.
async fn oversized(server: &Server, head: &str, part: &str, parts: usize, end: &str) {
    let mut client = server.connect().await;
    let host = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
    client.write(&format!("{host}{head}\r\n\r\n")).await;
    for _ in 0..parts {
        soon("room for the body", client.write(part)).await;
    }
    client.write(end).await;
    let head = client.head().await;
    assert_eq!((head.status, head.header("connection")), (413, Some("close")));
    assert!(client.body().await.contains("too large"));
    assert!(client.is_closed().await);
}

#[tokio::test]
async fn a_413_arrives_however_much_the_client_still_sends() {
    let server = server(Limits { max_body_bytes: 1000, ..Limits::default() }).await;
    let mebibyte = "x".repeat(1 << 20);
    oversized(&server, &format!("Content-Length: {}", 20 << 20), &mebibyte, 20, "").await;
    let chunk = format!("100000\r\n{mebibyte}\r\n");
    oversized(&server, "Transfer-Encoding: chunked", &chunk, 20, "0\r\n\r\n").await;
}

#[tokio::test]
async fn a_client_that_asks_first_is_refused_without_a_body() {
    let server = server(Limits { max_body_bytes: 1000, ..Limits::default() }).await;
    let mut client = server.connect().await;
    let head = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
    client.write(&format!("{head}Content-Length: 2000\r\nExpect: 100-continue\r\n\r\n")).await;
    assert_eq!(client.head().await.status, 413);
    client.body().await;
    assert!(client.is_closed().await);
}

#[tokio::test]
async fn a_refused_request_whose_body_comes_later_does_not_end_the_connection() {
    let server = server(Limits::default()).await;
    let mut client = server.connect().await;
    for (line, status) in [
        ("POST /mcp HTTP/1.1\r\nHost: evil.example", 403),
        ("POST /elsewhere HTTP/1.1\r\nHost: localhost", 404),
        ("PUT /mcp HTTP/1.1\r\nHost: localhost", 405),
        ("POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain", 415),
    ] {
        client.write(&format!("{line}\r\nContent-Length: 5000\r\n\r\n")).await;
        assert_eq!(client.head().await.status, status);
        client.body().await;
        client.write(&"x".repeat(5000)).await;
    }
    client.initialize("2025-11-25").await;
}

#[tokio::test]
async fn a_body_that_comes_behind_its_refusal_is_not_timed_as_a_head() {
    let server = server(Limits { head_timeout: SOON, ..Limits::default() }).await;
    let mut client = server.connect().await;
    client.write("POST /elsewhere HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5000\r\n\r\n").await;
    assert_eq!(client.head().await.status, 404);
    client.body().await;
    client.write(&"x".repeat(5000)).await;
    // The server reads it, of which nobody hears.
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
    tokio::time::pause();
    tokio::time::advance(Duration::from_mins(1)).await;
    tokio::time::resume();
    assert_eq!(client.modern("tools/list", json!({})).await.status, 200);
}

#[tokio::test]
async fn max_header_bytes_431() {
    let server = server(Limits { max_header_bytes: 16 * 1024, ..Limits::default() }).await;
    let mut client = server.connect().await;
    client.send("GET", "/mcp", &[("X", &"y".repeat(20 * 1024))], "").await;
    assert_eq!(client.head().await.status, 431);
}

#[tokio::test]
async fn head_timeout_408() {
    let server = server(Limits { head_timeout: SOON, ..Limits::default() }).await;
    let mut client = server.connect().await;
    client.write("POST /mcp HTTP/1.1\r\nHost: loc").await;
    assert_eq!(client.head().await.status, 408);
    assert!(client.is_closed().await);
    // The second head of a connection has the same time.
    let mut client = server.connect().await;
    client.modern("tools/list", json!({})).await;
    client.body().await;
    client.write("GET /").await;
    assert_eq!(client.head().await.status, 408);
}

#[tokio::test]
async fn head_timeout_holds_for_the_preface_of_http2_and_its_settings() {
    let server = server(Limits { head_timeout: SOON, ..Limits::default() }).await;
    let preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
    for part in ["PRI ", preface, &format!("{preface}\0\0\u{6}\u{4}\0\0\0\0\0\0\0")] {
        let mut client = server.connect().await;
        client.write(part).await;
        let mut rest = Vec::new();
        let end = tokio::io::AsyncReadExt::read_to_end(&mut client.stream, &mut rest);
        assert!(soon("the end", end).await.is_ok_and(|_| true), "{part:?}");
    }
}

#[tokio::test]
async fn a_keep_alive_of_none_is_none() {
    let options = HttpOptions { keep_alive: Duration::MAX, idle: Duration::MAX, ..HttpOptions::default() };
    let server = Server::start(options).await;
    let mut client = server.connect().await;
    let params = json!({"notifications": {"toolsListChanged": true}});
    assert!(client.modern("subscriptions/listen", params).await.is_stream());
    client.event().await.unwrap();
    for _ in 0..2 {
        server.publish();
        assert_eq!(client.event().await.unwrap().json()["method"], "notifications/tools/list_changed");
    }
}

#[tokio::test]
async fn body_timeout_408() {
    let server = server(Limits { body_timeout: SOON, ..Limits::default() }).await;
    let mut client = server.connect().await;
    let head = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{";
    client.write(head).await;
    assert_eq!(client.head().await.status, 408);
}

/// Sends a byte of a body whenever the last one was taken, until the answer comes.
async fn drip(limits: Limits) -> u16 {
    let server = server(limits).await;
    let mut client = server.connect().await;
    let head = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9999999\r\n\r\n";
    client.write(head).await;
    let mut tick = tokio::time::interval(Duration::from_millis(5));
    let dripping = async {
        loop {
            tick.tick().await;
            if tokio::io::AsyncWriteExt::write_all(client.stream.get_mut(), b"1").await.is_err() {
                break;
            }
            let mut peeked = [0];
            let peek = client.stream.get_ref().peek(&mut peeked);
            if tokio::time::timeout(Duration::ZERO, peek).await.is_ok() {
                break;
            }
        }
    };
    soon("an answer to a body that drips", dripping).await;
    client.head().await.status
}

#[tokio::test]
async fn body_rate_408() {
    assert_eq!(drip(Limits { body_timeout: SOON, ..Limits::default() }).await, 408);
}

#[tokio::test]
async fn body_deadline_408() {
    assert_eq!(drip(Limits { body_deadline: SOON, body_rate: 0, ..Limits::default() }).await, 408);
}

#[tokio::test]
async fn idle_connections_are_closed() {
    let server = Server::start(HttpOptions { idle: SOON, ..HttpOptions::default() }).await;
    let mut client = server.connect().await;
    client.modern("tools/list", json!({})).await;
    client.body().await;
    assert!(client.is_closed().await);
}

/// A page that comes in parts, and one that no socket holds.
struct Pages;

impl Fallback for Pages {
    fn respond(
        &self,
        head: &RequestHead,
        _: Bytes,
        _: &Scope,
    ) -> BoxFuture<'static, http::Response<ForeignBody>> {
        let parts = ["one", "two"].map(|part| Ok(Frame::data(Bytes::from(part))));
        let body: ForeignBody = match head.uri.path() {
            "/parts" => Box::pin(StreamBody::new(futures_util::stream::iter(parts))),
            _ => Box::pin(Full::new("x".repeat(16 * MEBIBYTE).into())),
        };
        Box::pin(async move { http::Response::new(body) })
    }
}

async fn impatient() -> Server {
    let fallback = Some(Arc::new(Pages) as _);
    Server::start(HttpOptions { idle: SOON, fallback, ..HttpOptions::default() }).await
}

#[tokio::test]
async fn connections_are_idle_behind_an_answer_of_the_host_in_parts() {
    let server = impatient().await;
    let mut client = server.connect().await;
    client.send("GET", "/parts", &[], "").await;
    assert_eq!(client.head().await.header("transfer-encoding"), Some("chunked"));
    assert_eq!(client.body().await, "onetwo");
    assert!(client.is_closed().await);
}

#[tokio::test]
async fn connections_are_idle_behind_an_answer_that_took_its_time() {
    let mut server = impatient().await;
    for accept in ["application/json", "application/json, text/event-stream"] {
        let mut client = server.connect().await;
        client.hang(&mut server, &[("Accept", accept)]).await;
        server.release.notify_one();
        assert_eq!(client.head().await.is_stream(), accept.ends_with("stream"));
        assert!(client.body().await.contains("released"));
        assert!(client.is_closed().await, "{accept}");
    }
}

#[tokio::test]
async fn a_connection_is_not_idle_while_its_answer_is_read() {
    let server = impatient().await;
    let (mut slow, mut other) = (server.connect().await, server.connect().await);
    slow.send("GET", "/large", &[], "").await;
    assert_eq!(slow.head().await.status, 200);
    // Idle from a later time on.
    other.modern("tools/list", json!({})).await;
    other.body().await;
    assert!(other.is_closed().await);
    assert_eq!(slow.body().await.len(), 16 * MEBIBYTE);
    assert!(slow.is_closed().await);
}

#[tokio::test]
async fn max_connections_pauses_accepting() {
    let server = server(Limits { max_connections: 1, ..Limits::default() }).await;
    let mut first = server.connect().await;
    assert_eq!(first.modern("tools/list", json!({})).await.status, 200);
    first.body().await;
    let mut second = server.connect().await;
    let (headers, body) = modern("tools/list", json!({}));
    let headers: Vec<_> = headers.iter().map(|(n, v)| (*n, v.as_str())).collect();
    second.send("POST", "/mcp", &headers, &body).await;
    // The first is still served, the second waits for its end.
    assert_eq!(first.modern("tools/list", json!({})).await.status, 200);
    drop(first);
    assert_eq!(second.head().await.status, 200);
}

/// The runtime accepts nothing while this connects: all of them wait at the system.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn connections_that_come_at_once_wait_until_they_are_accepted() {
    let server = server(Limits::default()).await;
    let address = server.http.local_addr();
    let connect = |_| std::net::TcpStream::connect_timeout(&address, Duration::from_secs(20)).unwrap();
    let waiting: Vec<_> = (0..400).map(connect).collect();
    assert_eq!(server.connect().await.modern("tools/list", json!({})).await.status, 200);
    drop(waiting);
}

#[tokio::test]
async fn max_in_flight_503() {
    let mut server = server(Limits { max_in_flight: 1, ..Limits::default() }).await;
    let (mut first, mut second) = (server.connect().await, server.connect().await);
    let (headers, body) = modern("tools/call", json!({"name": "hang"}));
    let headers: Vec<_> = headers.iter().map(|(n, v)| (*n, v.as_str())).collect();
    first.send("POST", "/mcp", &headers, &body).await;
    assert_eq!(server.event().await, "started");
    let head = second.modern("tools/list", json!({})).await;
    assert_eq!((head.status, head.header("retry-after")), (503, Some("1")));
    assert_eq!(second.json().await["id"], 1);
    server.release.notify_one();
    assert_eq!(first.head().await.status, 200);
}

#[tokio::test]
async fn max_streams_429() {
    let server = server(Limits { max_streams: 1, ..Limits::default() }).await;
    let (mut first, mut second) = (server.connect().await, server.connect().await);
    let session = first.initialize("2025-06-18").await;
    assert!(first.post(&session, &call(1, "ask")).await.is_stream());
    assert_eq!(second.post(&session, &call(2, "ask")).await.status, 429);
}

#[tokio::test]
async fn what_can_be_no_stream_is_taken_whatever_is_open() {
    let server = server(Limits { max_streams: 1, ..Limits::default() }).await;
    let (mut first, mut second) = (server.connect().await, server.connect().await);
    let session = first.initialize("2025-06-18").await;
    assert!(first.post(&session, &call(1, "ask")).await.is_stream());
    let question = first.event().await.unwrap().json();
    let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}});
    let answer = json!({"jsonrpc": "2.0", "id": question["id"], "result": {"roots": []}});
    assert_eq!(second.post(&session, &cancel.to_string()).await.status, 202);
    let headers = [("Mcp-Session-Id", session.as_str()), ("Accept", "application/json")];
    second.send("POST", "/mcp", &headers, &call(2, "progress")).await;
    assert_eq!(second.head().await.status, 200);
    assert_eq!(second.json().await["id"], 2);
    assert_eq!(second.post(&session, &answer.to_string()).await.status, 202);
    assert_eq!(first.event().await.unwrap().json()["id"], 1);
}

#[tokio::test]
async fn changes_that_find_no_room_are_told_once() {
    let server = server(Limits { send_queue_bytes: 10, ..Limits::default() }).await;
    let mut client = server.connect().await;
    let params = json!({"notifications": {"toolsListChanged": true}});
    assert!(client.modern("subscriptions/listen", params).await.is_stream());
    client.event().await.unwrap();
    (0..1000).for_each(|_| server.publish());
    for _ in 0..2 {
        assert_eq!(client.event().await.unwrap().json()["method"], "notifications/tools/list_changed");
    }
    server.http.service().drain();
    assert_eq!(client.event().await.unwrap().json()["id"], 1, "and no other");
}

#[tokio::test]
async fn slow_readers_lose_their_connection() {
    let limits = Limits { slow_reader: SOON, send_queue_bytes: 100 << 10, ..Limits::default() };
    let server = server(limits).await;
    let stream = TcpStream::connect(server.http.local_addr()).await.unwrap();
    let mut client = Client::new(stream);
    let params = json!({"notifications": {"toolsListChanged": true}});
    assert!(client.modern("subscriptions/listen", params).await.is_stream());
    client.event().await.unwrap();
    // Nobody reads: changes fill the kernel's buffers, then ours, then time runs out.
    server
        .until("the end of the stream", |s| {
            (0..100).for_each(|_| s.publish());
            s.http.service().in_flight() == 0
        })
        .await;
}
