//! The HTTP client: one POST per message and its answer, in both eras.
#![cfg(feature = "http-client")]

mod http_client_support;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use http::{HeaderMap, HeaderValue, StatusCode};

use http_client_support::*;
use mcpbolt::handler::{BoxFuture, RequestHead};
use mcpbolt::transport::streamable_http::client::{
    Authorizer, HttpClientOptions, ProxyChoice, RefusedRequest, Verdict, connect,
};
use mcpbolt_proto::protocol::{Error, ErrorKind};

#[tokio::test]
async fn modern_post_carries_the_standard_headers_and_takes_json() {
    let mut server = Server::start().await;
    let mut client = Client::to(&server);
    client.send_request(7, "tools/call", Some(MODERN), Some("Zürich"), false);
    let post = server.expect("POST").await;
    assert_eq!(post.target, "/mcp");
    assert_eq!(post.text(), r#"{"jsonrpc":"2.0","id":7,"method":"tools/call"}"#);
    assert_eq!(post.header("content-type"), Some("application/json"));
    assert_eq!(post.header("accept"), Some("application/json, text/event-stream"));
    assert_eq!(post.header("mcp-protocol-version"), Some("2026-07-28"));
    assert_eq!(post.header("mcp-method"), Some("tools/call"));
    assert_eq!(post.header("mcp-name"), Some("=?base64?WsO8cmljaA==?="));
    assert_eq!(post.header("mcp-param-region"), Some("eu"));
    assert_eq!(post.header("mcp-session-id"), None);
    post.json(200, &result(7)).await;
    client.received(&result(7), Some(7)).await;
}

#[tokio::test]
async fn event_stream_brings_progress_before_the_answer() {
    let mut server = Server::start().await;
    let mut client = Client::to(&server);
    client.request(1, "tools/call", Some(MODERN));
    let mut post = server.expect("POST").await.stream().await;
    post.write(&format!(": hello\n\nevent: message\ndata: {PROGRESS}\n\n")).await;
    client.received(PROGRESS, Some(1)).await;
    // Split inside a line; CRLF; another event name and an empty event are no messages.
    post.write("event: other\ndata: x\n\nid: 1\ndata:\n\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,").await;
    post.write("\r\ndata: \"result\":{}}\r\n\r\n").await;
    client.received("{\"jsonrpc\":\"2.0\",\"id\":1,\n\"result\":{}}", Some(1)).await;
    post.end().await;
    client.request(2, "tools/list", Some(MODERN));
    server.expect("POST").await.json(200, &result(2)).await;
    client.received(&result(2), Some(2)).await;
}

#[tokio::test]
async fn accepted_notification_is_silent_and_a_refused_one_a_problem() {
    let mut server = Server::start().await;
    let mut client = Client::to(&server);
    client.notify("notifications/one", MODERN);
    let post = server.expect("POST").await;
    assert_eq!(post.header("mcp-protocol-version"), Some("2026-07-28"));
    post.reply(202, &[], "").await;
    client.notify("notifications/two", MODERN);
    // Some servers answer notifications with a JSON body.
    server.expect("POST").await.json(200, "{}").await;
    client.notify("notifications/three", MODERN);
    server.expect("POST").await.reply(400, &[], "").await;
    match client.event().await {
        Event::Problem(error) => assert!(error.message.contains("400")),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn modern_lost_stream_is_a_lost_request_and_is_never_resumed() {
    let mut server = Server::start().await;
    let mut client = Client::to(&server);
    client.request(1, "tools/call", Some(MODERN));
    let mut post = server.expect("POST").await.stream().await;
    post.write(&format!("id: 5\nretry: 0\ndata: {PROGRESS}\n\n")).await;
    client.received(PROGRESS, Some(1)).await;
    post.end().await;
    let (status, error) = client.failed(1).await;
    assert_eq!((status, error.kind), (None, ErrorKind::Transport));
    client.request(2, "tools/list", Some(MODERN));
    server.expect("POST").await.json(200, &result(2)).await;
}

#[tokio::test]
async fn sockets_that_are_not_trusted_take_subscriptions_and_reads_along_but_no_calls() {
    let mut server = Server::start().await;
    let mut client = Client::to(&server);
    let mut open = Vec::new();
    for (number, method, repeatable) in
        [(1, "subscriptions/listen", false), (2, "resources/read", true), (3, "tools/call", false)]
    {
        client.send_request(number, method, Some(MODERN), None, repeatable);
        let mut post = server.expect("POST").await.stream().await;
        post.write(&format!("data: {PROGRESS}\n\n")).await;
        client.received(PROGRESS, Some(number)).await;
        open.push(post);
    }
    client.transport.renew();
    let mut call = open.pop().unwrap();
    for mut post in open {
        post.closed_by_client().await;
    }
    let mut again = [server.expect("POST").await, server.expect("POST").await];
    again.sort_by_key(Exchange::text);
    let [listen, read] = again;
    assert_eq!(listen.text(), r#"{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen"}"#);
    read.json(200, &result(2)).await;
    client.received(&result(2), Some(2)).await;
    let mut listen = listen.stream().await;
    listen.write(&format!("data: {PROGRESS}\n\n")).await;
    client.received(PROGRESS, Some(1)).await;
    // A call might be run twice: it stays where it is.
    call.write(&format!("data: {}\n\n", result(3))).await;
    client.received(&result(3), Some(3)).await;
    assert!(server.is_idle());
}

#[tokio::test]
async fn abandoning_a_modern_request_closes_its_stream() {
    let mut server = Server::start().await;
    let mut client = Client::to(&server);
    client.request(1, "tools/call", Some(MODERN));
    let mut post = server.expect("POST").await.stream().await;
    post.write(&format!("data: {PROGRESS}\n\n")).await;
    client.received(PROGRESS, Some(1)).await;
    assert!(client.transport.abandon(mcpbolt_proto::session::OutgoingId(1)));
    post.closed_by_client().await;
    assert!(client.is_quiet());
}

#[tokio::test]
async fn statuses_and_json_rpc_error_bodies_reach_the_negotiation() {
    let mut server = Server::start().await;
    let mut client = Client::to(&server);
    let error = r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}"#;
    for status in [400, 404] {
        client.request(1, "server/discover", Some(MODERN));
        server.expect("POST").await.json(status, error).await;
        client.received(error, Some(1)).await;
    }
    client.request(1, "server/discover", Some(MODERN));
    server.expect("POST").await.reply(404, &[("content-type", "text/html")], "<html>").await;
    let (status, error_) = client.failed(1).await;
    assert_eq!((status, error_.kind), (Some(404), ErrorKind::Transport));
    // Load and breakage are no verdict on the era, whatever the body says.
    for status in [429, 500, 503] {
        client.request(1, "server/discover", Some(MODERN));
        server.expect("POST").await.json(status, error).await;
        assert_eq!(client.failed(1).await.0, Some(status));
    }
    client.request(1, "tools/call", Some(MODERN));
    server.expect("POST").await.json(503, error).await;
    client.received(error, Some(1)).await;
    // A body that answers somebody else leaves nobody waiting.
    client.request(1, "tools/call", Some(MODERN));
    server.expect("POST").await.json(200, &result(9)).await;
    client.received(&result(9), Some(1)).await;
    assert_eq!(client.failed(1).await.1.kind, ErrorKind::Protocol);
    client.request(1, "tools/call", Some(MODERN));
    server.expect("POST").await.reply(202, &[], "").await;
    assert_eq!(client.failed(1).await.0, Some(202));
}

#[tokio::test]
async fn an_error_that_names_another_request_ends_the_one_it_answers() {
    let mut server = Server::start().await;
    let mut client = Client::to(&server);
    let other = r#"{"jsonrpc":"2.0","id":"server-error","error":{"code":-32600,"message":"no session"}}"#;
    for (method, revision) in [("server/discover", MODERN), ("tools/call", MODERN), ("initialize", LEGACY)] {
        client.request(1, method, Some(revision));
        server.expect("POST").await.json(400, other).await;
        let (status, error) = client.failed(1).await;
        assert_eq!((status, error.message.as_str()), (Some(400), "no session"), "{method}");
    }
}

#[tokio::test]
async fn nobody_listening_is_a_transport_error_with_the_address_alone() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    drop(listener);
    let mut client = Client::new(
        &format!("http://user:canary@127.0.0.1:{port}/canary-0123456789abcdef?key=canary"),
        quick(),
    );
    client.request(1, "server/discover", Some(MODERN));
    let (status, error) = client.failed(1).await;
    assert_eq!((status, error.kind), (None, ErrorKind::Transport));
    assert!(!error.message.contains("canary"), "{error}");
    assert!(error.message.starts_with(&format!("http://127.0.0.1:{port}/… cannot be reached")), "{error}");
}

#[tokio::test]
async fn redirects_stay_on_the_origin_and_keep_the_method() {
    let mut server = Server::start().await;
    let mut other = Server::start().await;
    let options = quick().header("x-api-key", "canary").unwrap();
    let mut client = Client::new(&server.url(), options);

    client.request(1, "tools/list", Some(MODERN));
    server.expect("POST").await.reply(307, &[("location", "/other")], "").await;
    let post = server.expect("POST").await;
    assert_eq!((post.target.as_str(), post.header("x-api-key")), ("/other", Some("canary")));
    assert_eq!(post.text(), r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#);
    post.json(200, &result(1)).await;
    client.received(&result(1), Some(1)).await;

    client.request(2, "tools/list", Some(MODERN));
    server.expect("POST").await.reply(307, &[("location", &other.url())], "").await;
    let (status, error) = client.failed(2).await;
    assert_eq!((status, error.kind), (Some(307), ErrorKind::Transport));
    assert!(!error.message.contains(&other.url()), "{error}");
    assert!(other.is_idle());

    client.request(3, "tools/list", Some(MODERN));
    server.expect("POST").await.reply(302, &[("location", "/get")], "").await;
    assert_eq!(client.failed(3).await.0, Some(302));

    client.request(4, "tools/list", Some(MODERN));
    for _ in 0..6 {
        server.expect("POST").await.reply(308, &[("location", "/round")], "").await;
    }
    assert_eq!(client.failed(4).await.0, Some(308));
    assert!(server.is_idle());
}

#[tokio::test]
async fn oversize_answers_fail_alone() {
    let mut server = Server::start().await;
    let mut client = Client::new(&server.url(), HttpClientOptions { max_message_bytes: 1000, ..quick() });
    client.request(1, "tools/call", Some(MODERN));
    let mut alive = server.expect("POST").await.stream().await;
    let large = "x".repeat(2000);

    client.request(2, "tools/call", Some(MODERN));
    server.expect("POST").await.json(200, &large).await;
    assert_eq!(client.failed(2).await.1.kind, ErrorKind::Transport);

    // Without a length, and far larger than what is read of it.
    client.request(3, "tools/call", Some(MODERN));
    let mut post = server.expect("POST").await;
    post.write("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n").await;
    post.write(&large).await;
    assert_eq!(client.failed(3).await.1.kind, ErrorKind::Transport);
    post.closed_by_client().await;

    client.request(4, "tools/call", Some(MODERN));
    let mut post = server.expect("POST").await.stream().await;
    post.write(&format!("data: {large}\n\n")).await;
    assert_eq!(client.failed(4).await.1.kind, ErrorKind::Transport);

    // A coding we did not ask for may hide any size.
    client.request(5, "tools/call", Some(MODERN));
    let post = server.expect("POST").await;
    assert_eq!(post.header("accept-encoding"), Some("identity"));
    post.reply(200, &[("content-type", "application/json"), ("content-encoding", "gzip")], "x").await;
    assert_eq!(client.failed(5).await.1.kind, ErrorKind::Protocol);

    alive.write(&format!("data: {}\n\n", result(1))).await;
    client.received(&result(1), Some(1)).await;
}

/// Hands out token after token.
#[derive(Default)]
struct Tokens {
    asked: AtomicUsize,
    gives_up: bool,
}

impl Authorizer for Tokens {
    fn authorize<'a>(&'a self, _: &'a RequestHead) -> BoxFuture<'a, Result<Option<HeaderValue>, Error>> {
        let token = format!("Bearer token-{}", self.asked.load(Ordering::SeqCst));
        Box::pin(async move { Ok(Some(HeaderValue::from_str(&token).unwrap())) })
    }

    fn challenged<'a>(&'a self, refused: RefusedRequest<'a>) -> BoxFuture<'a, Result<Verdict, Error>> {
        assert_eq!(refused.status, StatusCode::UNAUTHORIZED);
        assert_eq!(refused.operation, "tools/call");
        assert_eq!(refused.challenges, ["Bearer scope=\"x\""]);
        assert!(refused.head.headers.contains_key("authorization"));
        self.asked.fetch_add(1, Ordering::SeqCst);
        Box::pin(std::future::ready(Ok(if self.gives_up { Verdict::GiveUp } else { Verdict::Retry })))
    }
}

#[tokio::test]
async fn refused_credentials_are_renewed_by_the_authorizer() {
    let mut server = Server::start().await;
    let tokens = Arc::new(Tokens::default());
    let mut client = Client::new(&server.url(), HttpClientOptions { authorizer: Some(tokens), ..quick() });
    let challenge = [("www-authenticate", "Bearer scope=\"x\"")];
    client.request(1, "tools/call", Some(MODERN));
    let post = server.expect("POST").await;
    assert_eq!(post.header("authorization"), Some("Bearer token-0"));
    post.reply(401, &challenge, "").await;
    let post = server.expect("POST").await;
    assert_eq!(post.header("authorization"), Some("Bearer token-1"));
    post.json(200, &result(1)).await;
    client.received(&result(1), Some(1)).await;

    client.request(2, "tools/call", Some(MODERN));
    for _ in 0..4 {
        server.expect("POST").await.reply(401, &challenge, "").await;
    }
    let (status, error) = client.failed(2).await;
    assert_eq!((status, error.kind), (Some(401), ErrorKind::Unauthorized));
    assert!(server.is_idle());
}

#[tokio::test]
async fn authorizer_may_give_up_and_without_one_401_and_403_are_failures() {
    let mut server = Server::start().await;
    let tokens = Arc::new(Tokens { gives_up: true, ..Tokens::default() });
    let mut client = Client::new(&server.url(), HttpClientOptions { authorizer: Some(tokens), ..quick() });
    client.request(1, "tools/call", Some(MODERN));
    server.expect("POST").await.reply(401, &[("www-authenticate", "Bearer scope=\"x\"")], "").await;
    assert_eq!(client.failed(1).await.1.kind, ErrorKind::Unauthorized);

    let mut client = Client::to(&server);
    client.request(1, "server/discover", Some(MODERN));
    let error = r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"no"}}"#;
    server.expect("POST").await.json(403, error).await;
    let (status, error) = client.failed(1).await;
    assert_eq!((status, error.kind), (Some(403), ErrorKind::Forbidden));
}

#[tokio::test]
async fn fixed_and_computed_headers_never_replace_those_of_the_protocol() {
    let mut server = Server::start().await;
    let mut options = quick().header("x-tenant", "t1").unwrap().header("accept", "text/plain").unwrap();
    options.header_hook = Some(Arc::new(|head| {
        let mut more = HeaderMap::new();
        more.insert("x-method", HeaderValue::from_str(head.method.as_str()).unwrap());
        more.insert("mcp-method", HeaderValue::from_static("forged"));
        Box::pin(std::future::ready(Ok(more)))
    }));
    assert!(!format!("{options:?}").contains("t1"));
    let client = Client::new(&server.url(), options);
    client.request(1, "tools/list", Some(MODERN));
    let post = server.expect("POST").await;
    assert_eq!((post.header("x-tenant"), post.header("x-method")), (Some("t1"), Some("POST")));
    assert_eq!(post.header("accept"), Some("application/json, text/event-stream"));
    assert_eq!(post.header("mcp-method"), Some("tools/list"));
}

#[tokio::test]
async fn repeatable_request_survives_a_connection_that_breaks_before_the_answer() {
    let mut server = Server::start().await;
    let mut client = Client::to(&server);
    client.repeatable(1, "tools/list", Some(MODERN));
    server.expect("POST").await.end().await;
    server.expect("POST").await.json(200, &result(1)).await;
    client.received(&result(1), Some(1)).await;
    client.request(2, "tools/call", Some(MODERN));
    server.expect("POST").await.end().await;
    assert_eq!(client.failed(2).await.1.kind, ErrorKind::Transport);
    assert!(server.is_idle());
}

#[tokio::test]
async fn unusable_settings_are_refused_before_anything_is_sent() {
    let events =
        || std::sync::Weak::<Nobody>::new() as std::sync::Weak<dyn mcpbolt::transport::client::ClientEvents>;
    for url in ["ftp://host/", "no url", "http://"] {
        assert_eq!(connect(url, quick(), events()).err().map(|e| e.kind), Some(ErrorKind::Usage), "{url}");
    }
    let proxy = ProxyChoice::Url("http://user:canary@[".into());
    let error = connect("http://host/", HttpClientOptions { proxy, ..quick() }, events()).err().unwrap();
    assert!(error.kind == ErrorKind::Usage && !error.message.contains("canary"));
    assert!(quick().header("bad name", "x").is_err() && quick().header("x", "a\nb").is_err());
}

struct Nobody;

impl mcpbolt::transport::client::ClientEvents for Nobody {
    fn received(&self, _: bytes::Bytes, _: Option<mcpbolt_proto::session::OutgoingId>) {}
    fn failed(&self, _: mcpbolt_proto::session::OutgoingId, _: mcpbolt::transport::client::SendFailure) {}
    fn closed(&self, _: Error) {}
}
