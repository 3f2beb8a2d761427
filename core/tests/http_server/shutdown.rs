//! Graceful shutdown.

use std::any::Any;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use mcpbolt::handler::{Call, Engine, EngineOptions, Handler, Link, Reply, ServerFacts};
use mcpbolt::transport::streamable_http::server::{HttpOptions, HttpService, LegacyPaths};
use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::types::Implementation;
use mcpbolt_proto::protocol::{Error, ErrorKind};
use mcpbolt_proto::session::Answer;
use serde_json::json;
use tokio::net::TcpStream;

use super::legacy_sse;
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
async fn listen_streams_get_their_result_and_calls_may_finish() {
    let mut server = Server::start(HttpOptions::default()).await;
    let (address, service) = (server.http.local_addr(), server.http.service().clone());
    let mut listener = server.connect().await;
    let params = json!({"notifications": {"toolsListChanged": true}});
    assert!(listener.modern("subscriptions/listen", params).await.is_stream());
    listener.event().await.unwrap();
    let mut caller = hang(&mut server).await;
    let release = server.release.clone();
    let shutdown = tokio::spawn(server.http.shutdown());
    let last = listener.event().await.unwrap().json();
    assert_eq!((&last["id"], &last["result"]["resultType"]), (&json!(1), &json!("complete")));
    assert_eq!(listener.event().await, None);
    assert!(!shutdown.is_finished() && service.in_flight() == 1);
    release.notify_one();
    assert!(caller.head().await.is_stream());
    assert!(caller.body().await.contains("released"));
    soon("shutdown", shutdown).await.unwrap();
    assert!(TcpStream::connect(address).await.is_err());
}

#[tokio::test]
async fn calls_that_may_finish_are_told_answers_and_cancels() {
    let server = Server::start(HttpOptions::default()).await;
    let (mut client, mut other) = (server.connect().await, server.connect().await);
    let session = client.initialize("2025-06-18").await;
    assert!(client.post(&session, &call(1, "ask")).await.is_stream());
    let question = client.event().await.unwrap().json();
    server.http.service().drain();
    assert_eq!(other.post(&session, &call(2, "echo")).await.status, 503);
    other.body().await;
    let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}});
    let answer = json!({"jsonrpc": "2.0", "id": question["id"], "result": {"roots": []}});
    for said in [cancel, answer] {
        assert_eq!(other.post(&session, &said.to_string()).await.status, 202);
    }
    assert_eq!(client.event().await.unwrap().json()["id"], 1);
}

#[tokio::test]
async fn sessions_of_http_and_sse_end_when_their_calls_are_answered() {
    let drain = Duration::from_hours(1);
    let options = HttpOptions { legacy_sse: Some(LegacyPaths::default()), drain, ..HttpOptions::default() };
    let mut server = Server::start(options).await;
    let (mut idle, _) = legacy_sse::open(&server).await;
    let (mut events, endpoint) = legacy_sse::open(&server).await;
    let mut client = server.connect().await;
    for body in [initialize("2024-11-05"), call(1, "hang")] {
        assert_eq!(legacy_sse::post(&mut client, &endpoint, &body).await, 202);
    }
    assert_eq!(server.event().await, "started");
    server.http.service().drain();
    assert_eq!(idle.event().await, None);
    assert_eq!(legacy_sse::post(&mut client, &endpoint, &call(2, "echo")).await, 503);
    let release = server.release.clone();
    let shutdown = tokio::spawn(server.http.shutdown());
    release.notify_one();
    let mut last = None;
    while let Some(event) = events.event().await {
        last = Some(event);
    }
    assert_eq!(last.expect("events").json()["id"], 1);
    soon("shutdown", shutdown).await.unwrap();
}

#[tokio::test]
async fn calls_are_cancelled_when_the_drain_time_is_over() {
    let options = HttpOptions { drain: Duration::from_millis(30), ..HttpOptions::default() };
    let mut server = Server::start(options).await;
    let _caller = hang(&mut server).await;
    let mut session = server.connect().await;
    let id = session.initialize("2025-11-25").await;
    let mut get = server.connect().await;
    assert_eq!(get.get(&id, None).await.status, 200);
    soon("shutdown", server.http.shutdown()).await;
    assert_eq!(soon("the cancelled call", server.events.recv()).await, Some("cancelled"));
    while get.event().await.is_some() {}
}

#[tokio::test]
async fn the_health_check_says_503_while_draining() {
    let options = HttpOptions { health: Some("/healthz".into()), ..HttpOptions::default() };
    let server = Server::start(options).await;
    let mut client = server.connect().await;
    server.http.service().drain();
    client.send("GET", "/healthz", &[], "").await;
    assert_eq!(client.head().await.status, 503);
    client.body().await;
    assert_eq!(client.modern("tools/list", json!({})).await.status, 503);
}

/// What a connection of its own is told at a path.
async fn status(address: std::net::SocketAddr, path: &str) -> u16 {
    let mut client = Client::new(TcpStream::connect(address).await.unwrap());
    client.send("GET", path, &[], "").await;
    client.head().await.status
}

#[tokio::test]
async fn balancers_are_told_before_a_listener_stops_to_accept() {
    let options = HttpOptions {
        health: Some("/healthz".into()),
        ready: Some("/readyz".into()),
        shutdown_delay: Duration::from_mins(1),
        ..HttpOptions::default()
    };
    let server = Server::start(options).await;
    let address = server.http.local_addr();
    assert_eq!((status(address, "/healthz").await, status(address, "/readyz").await), (200, 200));
    assert_eq!(status(address, "/livez").await, 404);
    let stopping = tokio::spawn(server.http.shutdown());
    soon("the first 503", async {
        while status(address, "/readyz").await != 503 {
            tokio::task::yield_now().await;
        }
    })
    .await;
    assert_eq!(status(address, "/healthz").await, 503);
    let mut client = Client::new(TcpStream::connect(address).await.unwrap());
    assert_eq!(client.modern("tools/list", json!({})).await.status, 200, "all is served on");
    stopping.abort();
}

#[tokio::test]
async fn pages_at_the_same_path_are_refused() {
    let options = HttpOptions { ready: Some("/mcp".into()), ..HttpOptions::default() };
    let server = mcpbolt::server::Server::builder("x", "1").build();
    let refused = server.serve_http("127.0.0.1:0", options).await.unwrap_err();
    assert_eq!(refused.kind(), std::io::ErrorKind::InvalidInput);
    assert!(refused.to_string().contains("ready: \"/mcp\""), "{refused}");
}

/// A server whose shutdown begins when a connection opens.
struct Leaving {
    facts: Arc<ServerFacts>,
    service: OnceLock<HttpService>,
}

impl Leaving {
    fn start() -> HttpService {
        let capabilities = RawJson::encode(&json!({"tools": {"listChanged": true}})).unwrap();
        let facts = ServerFacts::new(Implementation::new("t", "1"), capabilities.decode().unwrap());
        let leaving = Arc::new(Self { facts: Arc::new(facts), service: OnceLock::new() });
        let handler: Arc<dyn Handler> = leaving.clone();
        let options = HttpOptions { legacy_sse: Some(LegacyPaths::default()), ..HttpOptions::default() };
        let service = HttpService::new(&Engine::new(EngineOptions::default()), &handler, options);
        leaving.service.get_or_init(|| service).clone()
    }
}

impl Handler for Leaving {
    fn facts(&self) -> Arc<ServerFacts> {
        self.facts.clone()
    }

    fn call(&self, _: &Arc<Call>) -> Reply {
        Reply::Done(Answer::error(Error::new(ErrorKind::Internal, "not here")))
    }

    fn connected(&self, _: &Arc<dyn Link>) {
        self.service.get().unwrap().drain();
    }

    fn as_any(self: Arc<Self>) -> Arc<dyn Any + Send + Sync> {
        self
    }
}

#[tokio::test]
async fn streams_that_open_while_a_shutdown_begins_end_at_once() {
    for (method, path, last) in [("POST", "/mcp", "complete"), ("GET", "/sse", "endpoint")] {
        let params = json!({"notifications": {"toolsListChanged": true}});
        let (headers, body) = modern("subscriptions/listen", params);
        let mut request = http::Request::builder().method(method).uri(path).header("host", "localhost");
        request = request.header("accept", "application/json, text/event-stream");
        request = request.header("content-type", "application/json");
        for (name, value) in headers {
            request = request.header(name, value);
        }
        let request = request.body(Full::new(Bytes::from(body))).unwrap();
        let response = Leaving::start().respond(request).await;
        assert_eq!(response.status(), 200, "{path}");
        let said = soon("the end of a stream", response.into_body().collect()).await.unwrap().to_bytes();
        let said = String::from_utf8_lossy(&said);
        assert!(said.contains(last), "{said}");
    }
}
