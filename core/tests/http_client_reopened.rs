//! The HTTP client where streams and sessions are opened again and something is in the way.
#![cfg(feature = "http-client")]

mod http_client_support;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use http_client_support::*;
use mcpbolt::client::ProtocolPolicy;
use mcpbolt::transport::streamable_http::client::HttpClientOptions;
use mcpbolt_proto::protocol::ErrorKind;

/// A server that has not noticed that a stream broke takes the next one for a second.
#[tokio::test]
async fn a_stream_that_is_refused_as_a_second_one_is_asked_for_again() {
    for status in [408, 409, 425] {
        let mut server = Server::start().await;
        let (mut client, waits) = impatient(&server);
        initialize(&mut server, &mut client, 1, "s-1").await;
        let get = server.expect("GET").await.stream().await;
        client.request(2, "tools/call", Some(LEGACY));
        let mut call = server.expect("POST").await.stream().await;
        call.write(&format!("id: b\ndata: {PROGRESS}\n\n")).await;
        client.received(PROGRESS, Some(2)).await;
        call.end().await;
        server.expect("GET").await.reply(status, &[], "").await;
        let again = server.expect("GET").await;
        assert_eq!(again.header("last-event-id"), Some("b"));
        let mut again = again.stream().await;
        again.write(&format!("data: {}\n\n", result(2))).await;
        client.received(&result(2), Some(2)).await;
        get.end().await;
        server.expect("GET").await.reply(status, &[], "").await;
        assert!(matches!(client.event().await, Event::Reconnecting(true)));
        let mut get = server.expect("GET").await.stream().await;
        assert!(matches!(client.event().await, Event::Reconnecting(false)));
        get.write(&format!("data: {PROGRESS}\n\n")).await;
        client.received(PROGRESS, None).await;
        assert_eq!(waits.lock().len(), 4, "no attempt without a wait");
    }
}

#[tokio::test]
async fn a_stream_comes_back_when_its_server_said_but_within_minutes() {
    let mut server = Server::start().await;
    let (mut client, waits) = impatient(&server);
    initialize(&mut server, &mut client, 1, "s-1").await;
    for wait in ["20", "864000", "soon"] {
        server.expect("GET").await.reply(503, &[("retry-after", wait)], "").await;
    }
    let mut get = server.expect("GET").await.stream().await;
    get.write(&format!("data: {PROGRESS}\n\n")).await;
    client.received(PROGRESS, None).await;
    let waits: Vec<u64> = waits.lock().iter().map(Duration::as_secs).collect();
    assert!(matches!(waits[..], [20..=25, 300..=375, 0..20]), "{waits:?}");
}

#[tokio::test]
async fn a_stream_that_does_not_come_back_leaves_a_session_that_is_ready() {
    let mut server = Server::start().await;
    let (mut client, _) = impatient(&server);
    initialize(&mut server, &mut client, 1, "s-1").await;
    server.expect("GET").await.stream().await.end().await;
    server.expect("GET").await.reply(502, &[], "").await;
    assert!(matches!(client.event().await, Event::Reconnecting(true)));
    server.expect("GET").await.reply(405, &[], "").await;
    assert!(matches!(client.event().await, Event::Reconnecting(false)));
    client.request(2, "tools/list", Some(LEGACY));
    server.expect("POST").await.json(200, &result(2)).await;
    client.received(&result(2), Some(2)).await;
}

#[tokio::test]
async fn a_question_that_is_too_large_leaves_its_call_alone() {
    let mut server = Server::start().await;
    let options = HttpClientOptions { max_message_bytes: 1_000, ..quick() };
    let mut client = Client::new(&server.url(), options);
    open_session(&mut server, &mut client, "s-1").await;
    client.request(2, "tools/call", Some(LEGACY));
    let mut call = server.expect("POST").await.stream().await;
    let image = "x".repeat(2_000);
    call.write(&format!(
        r#"data: {{"jsonrpc":"2.0","id":7,"method":"sampling/createMessage","params":{{"image":"{image}"}}}}"#
    ))
    .await;
    call.write(&format!("\n\ndata: {}\n\n", result(2))).await;
    let problem = client.event().await;
    assert!(matches!(&problem, Event::Problem(error) if error.message.contains("larger")), "{problem:?}");
    client.received(&result(2), Some(2)).await;
    // An answer of that size is its call's.
    client.request(3, "tools/call", Some(LEGACY));
    let mut call = server.expect("POST").await.stream().await;
    call.write(&format!("data: {{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{{\"text\":\"{image}\"}}}}\n\n"))
        .await;
    let (_, error) = client.failed(3).await;
    assert!(error.message.contains("larger"), "{error:?}");
}

/// Nodes without a shared store, behind a balancer that asks each in turn.
#[tokio::test]
async fn a_fleet_that_knows_no_session_twice_is_given_up_with_words() {
    let mut server = Server::start().await;
    let url = server.url();
    let sessions = Arc::<AtomicUsize>::default();
    let counted = Arc::clone(&sessions);
    tokio::spawn(async move {
        loop {
            let asked = server.whenever().await;
            if !asked.text().contains("\"initialize\"") {
                asked.reply(404, &[], "").await;
                continue;
            }
            counted.fetch_add(1, Ordering::Relaxed);
            let hello: serde_json::Value = serde_json::from_slice(&asked.body).unwrap();
            let answer = serde_json::json!({"jsonrpc": "2.0", "id": hello["id"], "result": {
                "protocolVersion": "2025-11-25", "capabilities": {},
                "serverInfo": {"name": "s", "version": "1"}}});
            let headers = [("content-type", "application/json"), ("mcp-session-id", "s")];
            asked.reply(200, &headers, &answer.to_string()).await;
        }
    });
    let client = mcpbolt::client::Client::builder("c", "1").protocol(ProtocolPolicy::LegacyFirst).build();
    let error = bounded("connect", client.connect(url.as_str())).await.expect_err("no session lasts");
    assert!(error.kind == ErrorKind::Closed && error.message.contains("shared store"), "{error:?}");
    assert_eq!(sessions.load(Ordering::Relaxed), 3);
}

#[tokio::test]
async fn event_ids_beyond_ascii_are_sent_as_they_came() {
    let mut server = Server::start().await;
    let (mut client, _) = impatient(&server);
    open_session(&mut server, &mut client, "s-1").await;
    client.request(2, "tools/call", Some(LEGACY));
    let mut call = server.expect("POST").await.stream().await;
    // No header can hold the second id: the first one is the last that can be gone on from.
    call.write(&format!("id: é-1\ndata: {PROGRESS}\n\nid: \u{1}\ndata: {PROGRESS}\n\n")).await;
    for _ in 0..2 {
        client.received(PROGRESS, Some(2)).await;
    }
    call.end().await;
    let again = server.expect("GET").await;
    assert_eq!(again.header("last-event-id"), Some("é-1"));
    let mut again = again.stream().await;
    again.write(&format!("data: {}\n\n", result(2))).await;
    client.received(&result(2), Some(2)).await;
    for (request, id) in [(3, "\u{1}"), (4, "")] {
        client.resumable(request, LEGACY, Some(id));
        assert_eq!(client.failed(request).await.1.kind, ErrorKind::Usage);
    }
    assert!(server.is_idle());
}
