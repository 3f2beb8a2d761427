//! The HTTP client in the legacy era: sessions, resuming, and HTTP+SSE.
#![cfg(feature = "http-client")]

mod http_client_support;

use std::time::Duration;

use http_client_support::*;
use mcpbolt::transport::client::{FrameKind, OutgoingFrame};
use mcpbolt::transport::streamable_http::client::{HttpClientOptions, ReconnectPolicy};
use mcpbolt_proto::protocol::ErrorKind;
use mcpbolt_proto::session::OutgoingId;

#[tokio::test]
async fn session_header_round_trip_and_delete() {
    let mut server = Server::start().await;
    let mut client = Client::to(&server);
    open_session(&mut server, &mut client, "s-1").await;
    client.request(2, "tools/list", Some(LEGACY));
    let post = server.expect("POST").await;
    assert_eq!(post.header("mcp-session-id"), Some("s-1"));
    assert_eq!(post.header("mcp-protocol-version"), Some("2025-11-25"));
    assert_eq!(post.header("mcp-method"), None);
    post.json(200, &result(2)).await;
    client.received(&result(2), Some(2)).await;
    let transport = client.transport.clone();
    let closing = tokio::spawn(async move { transport.close().await });
    let delete = server.expect("DELETE").await;
    assert_eq!(delete.header("mcp-session-id"), Some("s-1"));
    assert_eq!(delete.header("mcp-protocol-version"), Some("2025-11-25"));
    delete.reply(405, &[], "").await;
    bounded("close", closing).await.unwrap();
    client.request(3, "tools/list", Some(LEGACY));
    assert!(server.is_idle() && client.is_quiet());
}

#[tokio::test]
async fn dropping_the_transport_ends_the_session_too() {
    let mut server = Server::start().await;
    let mut client = Client::to(&server);
    open_session(&mut server, &mut client, "s-1").await;
    client.request(2, "tools/call", Some(LEGACY));
    let mut post = server.expect("POST").await;
    drop(client);
    post.closed_by_client().await;
    assert_eq!(server.expect("DELETE").await.header("mcp-session-id"), Some("s-1"));
}

#[tokio::test]
async fn nothing_overtakes_the_initialized_notification() {
    let mut server = Server::start().await;
    let mut client = Client::to(&server);
    client.request(1, "initialize", None);
    server.expect("POST").await.json(200, &result(1)).await;
    client.received(&result(1), Some(1)).await;
    client.transport.negotiated(LEGACY);
    client.notify("notifications/initialized", LEGACY);
    client.request(2, "tools/list", Some(LEGACY));
    let post = server.expect("POST").await;
    assert!(post.text().contains("initialized"), "{}", post.text());
    assert!(server.is_idle());
    post.reply(202, &[], "").await;
    // Without a session id, the stream is asked for all the same.
    let mut methods = vec![];
    for _ in 0..2 {
        let exchange = server.next().await;
        methods.push(exchange.method.clone());
    }
    methods.sort();
    assert_eq!(methods, ["GET", "POST"]);
}

#[tokio::test]
async fn get_stream_brings_messages_and_is_opened_again_where_it_ended() {
    let mut server = Server::start().await;
    let mut client = Client::to(&server);
    initialize(&mut server, &mut client, 1, "s-1").await;
    let get = server.expect("GET").await;
    assert_eq!(get.header("accept"), Some("text/event-stream"));
    assert_eq!(get.header("mcp-session-id"), Some("s-1"));
    assert_eq!(get.header("last-event-id"), None);
    let mut get = get.stream().await;
    get.write(&format!("id: a\nretry: 40\ndata:\n\nid: b\ndata: {PROGRESS}\n\n")).await;
    client.received(PROGRESS, None).await;
    let ended = get.end().await;
    let get = server.expect("GET").await;
    assert_eq!(get.header("last-event-id"), Some("b"));
    assert!(get.at - ended >= Duration::from_millis(40), "{:?}", get.at - ended);
    // The server breaks, then is up again: only that is worth reporting.
    get.reply(502, &[], "").await;
    assert!(matches!(client.event().await, Event::Reconnecting(true)));
    let mut get = server.expect("GET").await.stream().await;
    assert!(matches!(client.event().await, Event::Reconnecting(false)));
    get.write(&format!("data: {PROGRESS}\n\n")).await;
    client.received(PROGRESS, None).await;
    get.end().await;
    // 404 on a stream that was there: the session is gone.
    let get = server.expect("GET").await;
    assert_eq!(get.header("last-event-id"), Some("b"));
    get.reply(404, &[], "").await;
    assert!(matches!(client.event().await, Event::SessionLost(refused) if refused.is_empty()));
}

#[tokio::test]
async fn the_first_stream_is_asked_for_again_where_a_status_says_nothing_of_it() {
    for status in [429, 502, 503, 504] {
        let mut server = Server::start().await;
        let (mut client, waits) = impatient(&server);
        initialize(&mut server, &mut client, 1, "s-1").await;
        server.expect("GET").await.reply(status, &[("retry-after", "1")], "").await;
        let get = server.expect("GET").await;
        assert_eq!(get.header("mcp-session-id"), Some("s-1"));
        assert_eq!(get.header("last-event-id"), None);
        let mut get = get.stream().await;
        get.write(&format!("data: {PROGRESS}\n\n")).await;
        client.received(PROGRESS, None).await;
        assert!(matches!(waits.lock()[..], [wait] if wait >= Duration::from_secs(1)), "{:?}", waits.lock());
    }
    for status in [404, 405, 500, 501] {
        let mut server = Server::start().await;
        let (mut client, waits) = impatient(&server);
        initialize(&mut server, &mut client, 1, "s-1").await;
        server.expect("GET").await.reply(status, &[], "").await;
        // What waits for the stream leaves once its refusal has been read.
        client.request(2, "tools/list", Some(LEGACY));
        server.expect("POST").await.json(200, &result(2)).await;
        client.received(&result(2), Some(2)).await;
        assert!(waits.lock().is_empty() && server.is_idle(), "{status}");
    }
}

#[tokio::test]
async fn streams_begin_anew_when_the_program_does_not_trust_its_sockets() {
    let patient = ReconnectPolicy { initial: Duration::from_hours(1), ..ReconnectPolicy::default() };
    let mut server = Server::start().await;
    let options = HttpClientOptions { reconnect: patient, ..HttpClientOptions::default() };
    let mut client = Client::new(&server.url(), options);
    initialize(&mut server, &mut client, 1, "s-1").await;
    let mut get = server.expect("GET").await.stream().await;
    get.write(&format!("id: a\ndata: {PROGRESS}\n\n")).await;
    client.received(PROGRESS, None).await;
    client.request(2, "tools/call", Some(LEGACY));
    let mut call = server.expect("POST").await.stream().await;
    call.write(&format!("id: b\ndata: {PROGRESS}\n\n")).await;
    client.received(PROGRESS, Some(2)).await;
    // Both are open; they are given up, and opened again without a wait of an hour.
    client.transport.renew();
    get.closed_by_client().await;
    call.closed_by_client().await;
    let mut again = [server.expect("GET").await, server.expect("GET").await];
    again.sort_by_key(|get| get.header("last-event-id").map(str::to_owned));
    let [messages, answer] = again;
    assert_eq!(messages.header("last-event-id"), Some("a"));
    assert_eq!(answer.header("last-event-id"), Some("b"));
    let mut answer = answer.stream().await;
    answer.write(&format!("id: c\ndata: {}\n\n", result(2))).await;
    client.received(&result(2), Some(2)).await;
    // The stream of messages breaks, and waits: the wait is over at once, too.
    messages.stream().await.end().await;
    client.request(3, "tools/list", Some(LEGACY));
    server.expect("POST").await.json(200, &result(3)).await;
    client.received(&result(3), Some(3)).await;
    client.transport.renew();
    let get = server.expect("GET").await;
    assert_eq!(get.header("last-event-id"), Some("a"));
    get.reply(405, &[], "").await;
}

#[tokio::test]
async fn unknown_session_is_reported_once_and_what_may_be_repeated_is() {
    let mut server = Server::start().await;
    let mut client = Client::to(&server);
    open_session(&mut server, &mut client, "s-1").await;
    client.request(2, "tools/call", Some(LEGACY));
    let first = server.expect("POST").await;
    client.repeatable(3, "tools/list", Some(LEGACY));
    let second = server.expect("POST").await;
    client.request(4, "tools/call", Some(LEGACY));
    let third = server.expect("POST").await;
    let body = r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}"#;
    first.json(404, body).await;
    assert!(matches!(client.event().await, Event::SessionLost(refused) if refused == [2]));
    second.json(404, body).await;
    third.json(404, body).await;
    assert_eq!(client.failed(4).await.0, Some(404));
    // Notifications wait for the next session.
    client.notify("notifications/roots/list_changed", LEGACY);
    initialize(&mut server, &mut client, 5, "s-2").await;
    let mut again = vec![];
    for _ in 0..3 {
        let exchange = server.next().await;
        assert_eq!(exchange.header("mcp-session-id"), Some("s-2"));
        again.push(format!("{} {}", exchange.method, exchange.text()));
        match exchange.method.as_str() {
            "GET" => exchange.reply(405, &[], "").await,
            _ if exchange.text().contains("\"id\"") => exchange.json(200, &result(3)).await,
            _ => exchange.reply(202, &[], "").await,
        }
    }
    again.sort();
    assert!(again[1].contains("tools/list") && again[2].contains("list_changed"), "{again:?}");
    client.received(&result(3), Some(3)).await;
}

#[tokio::test]
async fn trap_6_unknown_method_with_404_is_an_answer() {
    let mut server = Server::start().await;
    let mut client = Client::to(&server);
    open_session(&mut server, &mut client, "s-1").await;
    let error = r#"{"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"no"}}"#;
    client.request(2, "x/y", Some(LEGACY));
    server.expect("POST").await.json(404, error).await;
    client.received(error, Some(2)).await;
}

#[tokio::test]
async fn what_a_server_says_beside_a_status_is_in_the_data_of_the_error() {
    let mut server = Server::start().await;
    let mut client = Client::to(&server);
    open_session(&mut server, &mut client, "s-1").await;
    let nameless =
        r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"busy","data":{"wait":3}}}"#;
    client.request(2, "tools/call", Some(LEGACY));
    server.expect("POST").await.json(503, nameless).await;
    let (status, error) = client.failed(2).await;
    assert_eq!((status, error.message.as_str()), (Some(503), "busy"));
    let data: serde_json::Value = error.data.expect("data").decode().expect("JSON");
    // The server's own data stays.
    assert_eq!(data, serde_json::json!({ "wait": 3, "http": { "status": 503, "body": nameless } }));

    client.request(3, "tools/call", Some(LEGACY));
    server.expect("POST").await.reply(502, &[("content-type", "text/html")], "<h1>gateway</h1>").await;
    let (_, error) = client.failed(3).await;
    let data: serde_json::Value = error.data.expect("data").decode().expect("JSON");
    assert_eq!(data, serde_json::json!({ "http": { "status": 502, "body": "<h1>gateway</h1>" } }));
}

#[tokio::test]
async fn broken_answer_stream_is_resumed_and_retry_is_kept() {
    let mut server = Server::start().await;
    let mut client = Client::to(&server);
    open_session(&mut server, &mut client, "s-1").await;
    client.request(2, "tools/call", Some(LEGACY));
    let mut post = server.expect("POST").await.stream().await;
    post.write("id: p-0\ndata:\n\nretry: 120\n\n").await;
    let ended = post.end().await;
    let get = server.expect("GET").await;
    assert!(get.at - ended >= Duration::from_millis(120), "{:?}", get.at - ended);
    assert_eq!(get.header("last-event-id"), Some("p-0"));
    assert_eq!(get.header("mcp-session-id"), Some("s-1"));
    let mut get = get.stream().await;
    get.write(&format!("id: p-1\ndata: {PROGRESS}\n\n")).await;
    client.received(PROGRESS, Some(2)).await;
    get.end().await;
    // A server that is away for a moment is asked again, never earlier than it wants.
    let get = server.expect("GET").await;
    assert_eq!(get.header("last-event-id"), Some("p-1"));
    let failed = get.end().await;
    let get = server.expect("GET").await;
    assert!(get.at - failed >= Duration::from_millis(120), "{:?}", get.at - failed);
    let mut get = get.stream().await;
    get.write(&format!("id: p-2\ndata: {}\n\n", result(2))).await;
    client.received(&result(2), Some(2)).await;
    get.end().await;
}

/// The next event is the id of one that this request's stream can be resumed after.
async fn event_id(client: &mut Client, request: u64, id: &str) {
    match client.event().await {
        Event::Named(number, found) => assert_eq!((number, found.as_str()), (request, id)),
        other => panic!("{other:?} instead of {id}"),
    }
}

#[tokio::test]
async fn a_stream_that_a_program_resumes_answers_the_request_that_resumed_it() {
    let mut server = Server::start().await;
    let mut client = Client::to(&server);
    open_session(&mut server, &mut client, "s-1").await;
    client.resumable(2, LEGACY, None);
    let mut post = server.expect("POST").await.stream().await;
    post.write(&format!("id: e-1\ndata:\n\nid: e-2\ndata: {PROGRESS}\n\n")).await;
    event_id(&mut client, 2, "e-1").await;
    event_id(&mut client, 2, "e-2").await;
    client.received(PROGRESS, Some(2)).await;
    assert!(!client.transport.abandon(OutgoingId(2)));
    client.resumable(3, LEGACY, Some("e-2"));
    let get = server.expect("GET").await;
    assert_eq!(get.header("last-event-id"), Some("e-2"));
    assert_eq!(get.header("mcp-session-id"), Some("s-1"));
    let mut get = get.stream().await;
    get.write(&format!("id: e-3\ndata: {}\n\n", result(2))).await;
    event_id(&mut client, 3, "e-3").await;
    client.received(&result(3), Some(3)).await;
    client.resumable(4, LEGACY, Some("e-3"));
    server.expect("GET").await.reply(405, &[], "").await;
    assert_eq!(client.failed(4).await.0, Some(405));
}

#[tokio::test]
async fn a_revision_without_resumption_refuses_to_resume() {
    let mut server = Server::start().await;
    let mut client = Client::to(&server);
    client.resumable(1, MODERN, Some("e-1"));
    assert_eq!(client.failed(1).await.1.kind, ErrorKind::Usage);
    assert!(server.is_idle());
}

#[tokio::test]
async fn stream_without_event_ids_or_that_never_comes_back_fails_the_request() {
    let mut server = Server::start().await;
    let mut client = Client::to(&server);
    open_session(&mut server, &mut client, "s-1").await;
    client.request(2, "tools/call", Some(LEGACY));
    let mut post = server.expect("POST").await.stream().await;
    post.write(&format!("data: {PROGRESS}\n\n")).await;
    post.end().await;
    client.received(PROGRESS, Some(2)).await;
    assert_eq!(client.failed(2).await.1.kind, ErrorKind::Transport);

    client.request(3, "tools/call", Some(LEGACY));
    let mut post = server.expect("POST").await.stream().await;
    post.write("id: x\ndata:\n\n").await;
    post.end().await;
    for _ in 0..3 {
        server.expect("GET").await.reply(503, &[], "").await;
    }
    assert_eq!(client.failed(3).await.0, Some(503));

    client.request(4, "tools/call", Some(LEGACY));
    let mut post = server.expect("POST").await.stream().await;
    post.write("id: y\ndata:\n\n").await;
    post.end().await;
    server.expect("GET").await.reply(404, &[], "").await;
    assert!(matches!(client.event().await, Event::SessionLost(refused) if refused == [4]));
}

/// A request in a session whose stream the client reads, and which it has abandoned.
async fn abandoned() -> (Server, Client, Exchange) {
    let mut server = Server::start().await;
    let mut client = Client::to(&server);
    open_session(&mut server, &mut client, "s-1").await;
    client.request(2, "tools/call", Some(LEGACY));
    let mut post = server.expect("POST").await.stream().await;
    post.write(&format!("id: p-0\nretry: 0\ndata: {PROGRESS}\n\n")).await;
    client.received(PROGRESS, Some(2)).await;
    assert!(!client.transport.abandon(OutgoingId(2)));
    (server, client, post)
}

#[tokio::test]
async fn abandoned_legacy_request_needs_a_notification_and_is_not_resumed() {
    const WITHDRAWN: &str =
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"q"}}"#;
    let (mut server, mut client, mut post) = abandoned().await;
    client.notify("notifications/cancelled", LEGACY);
    server.expect("POST").await.reply(202, &[], "").await;
    // What the call asked the client is withdrawn where it was asked.
    post.write(&format!("data: {WITHDRAWN}\n\n")).await;
    client.received(WITHDRAWN, None).await;
    post.end().await;
    client.notify("notifications/roots/list_changed", LEGACY);
    server.expect("POST").await.reply(202, &[], "").await;
    assert!(client.is_quiet());
}

#[tokio::test]
async fn the_stream_of_an_abandoned_request_that_does_not_end_is_closed() {
    let (_server, mut client, mut post) = abandoned().await;
    post.closed_by_client().await;
    assert!(client.is_quiet());
}

#[tokio::test]
async fn closing_waits_for_notifications_on_their_way() {
    let mut server = Server::start().await;
    let mut client = Client::to(&server);
    open_session(&mut server, &mut client, "s-1").await;
    client.notify("notifications/cancelled", LEGACY);
    let post = server.expect("POST").await;
    let transport = client.transport.clone();
    let closing = tokio::spawn(async move { transport.close().await });
    tokio::task::yield_now().await;
    post.reply(202, &[], "").await;
    server.expect("DELETE").await.reply(200, &[], "").await;
    bounded("close", closing).await.unwrap();
}

#[tokio::test]
async fn server_that_ignores_delete_does_not_keep_close_waiting() {
    let mut server = Server::start().await;
    let bound = Duration::from_millis(50);
    let mut client = Client::new(&server.url(), HttpClientOptions { close_timeout: bound, ..quick() });
    open_session(&mut server, &mut client, "s-1").await;
    let transport = client.transport.clone();
    let closing = tokio::spawn(async move { transport.close().await });
    let _unanswered = server.expect("DELETE").await;
    bounded("close", closing).await.unwrap();
}

fn response(client: &Client) {
    let text = r#"{"jsonrpc":"2.0","id":"srv-1","result":{}}"#;
    let (kind, revision) = (FrameKind::Response, Some(LEGACY));
    client.transport.send(OutgoingFrame { text: text.into(), kind, revision });
}

#[tokio::test]
async fn answers_to_the_server_are_posted_and_repeated_when_the_connection_breaks() {
    let mut server = Server::start().await;
    let mut client = Client::to(&server);
    open_session(&mut server, &mut client, "s-1").await;
    response(&client);
    server.expect("POST").await.end().await;
    let post = server.expect("POST").await;
    assert_eq!(post.header("mcp-session-id"), Some("s-1"));
    assert!(post.text().contains("srv-1"));
    post.reply(202, &[], "").await;
}

async fn sse_endpoint(server: &mut Server, endpoint: &str) -> Exchange {
    let get = server.expect("GET").await;
    assert_eq!((get.target.as_str(), get.header("accept")), ("/mcp", Some("text/event-stream")));
    let mut get = get.stream().await;
    get.write(&format!("event: endpoint\ndata: {endpoint}\n\n")).await;
    get
}

#[tokio::test]
async fn http_sse_posts_to_the_endpoint_and_answers_come_on_the_stream() {
    let mut server = Server::start().await;
    let mut client = Client::to(&server);
    let transport = client.transport.clone();
    let switched = tokio::spawn(async move { transport.restart().await });
    let mut get = sse_endpoint(&mut server, "/messages?sid=abc").await;
    assert!(bounded("restart", switched).await.unwrap());
    client.request(1, "initialize", None);
    let post = server.expect("POST").await;
    assert_eq!(post.target, "/messages?sid=abc");
    post.reply(202, &[], "Accepted").await;
    get.write(&format!("event: message\ndata: {}\n\n", result(1))).await;
    client.received(&result(1), None).await;
    client.transport.negotiated(mcpbolt_proto::protocol::Revision::V2024_11_05);
    client.request(2, "tools/call", Some(mcpbolt_proto::protocol::Revision::V2024_11_05));
    server.expect("POST").await.reply(400, &[], "").await;
    assert_eq!(client.failed(2).await.0, Some(400));
    assert!(!client.transport.abandon(OutgoingId(2)));
    get.end().await;
    assert!(matches!(client.event().await, Event::Closed(error) if error.kind == ErrorKind::Transport));
}

#[tokio::test]
async fn http_sse_only_opens_the_stream_first_and_refuses_a_foreign_endpoint() {
    let mut server = Server::start().await;
    let client = Client::new(&server.url(), HttpClientOptions { sse_only: true, ..quick() });
    client.request(1, "initialize", None);
    let mut get = sse_endpoint(&mut server, "/m").await;
    assert_eq!(server.expect("POST").await.target, "/m");
    let transport = client.transport.clone();
    tokio::spawn(async move { transport.close().await });
    get.closed_by_client().await;

    let mut client = Client::new(&server.url(), HttpClientOptions { sse_only: true, ..quick() });
    client.request(1, "initialize", None);
    let other = Server::start().await;
    let mut get = sse_endpoint(&mut server, &other.url()).await;
    assert!(matches!(client.event().await, Event::Closed(error) if error.message.contains("another origin")));
    get.closed_by_client().await;
    assert!(server.is_idle());

    let client = Client::to(&server);
    let transport = client.transport.clone();
    let switched = tokio::spawn(async move { transport.restart().await });
    server.expect("GET").await.reply(405, &[], "").await;
    assert!(!bounded("restart", switched).await.unwrap());
}
