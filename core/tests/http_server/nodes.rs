//! Two servers that share the stores of their sessions.

use std::sync::Arc;
use std::time::Duration;

use mcpbolt::handler::EngineOptions;
use mcpbolt::server::Context;
use mcpbolt::store::{After, Log, ManualClock, MemoryBus, MemoryLog, MemoryTable, Table, hashed};
use mcpbolt::transport::streamable_http::server::{ApiKey, HttpOptions, SessionStores};
use mcpbolt::types::Resource;
use mcpbolt_proto::limits::Limits;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::sync::mpsc;

use super::support::*;

struct Stores {
    table: Arc<MemoryTable>,
    log: Arc<MemoryLog>,
    bus: Arc<MemoryBus>,
    clock: Arc<ManualClock>,
}

impl Stores {
    fn new() -> Self {
        let clock = Arc::new(ManualClock::default());
        Self {
            table: Arc::new(MemoryTable::with_clock(100, 1 << 20, clock.clone())),
            log: Arc::new(MemoryLog::new(1_000, 1 << 20)),
            bus: Arc::new(MemoryBus::new(100, 100)),
            clock,
        }
    }

    fn options(&self, node: &str) -> HttpOptions {
        let stores = SessionStores::new(self.table.clone(), self.log.clone(), self.bus.clone());
        HttpOptions { stores: Some(stores.node(node).unwrap()), ..HttpOptions::default() }
    }

    async fn pair(&self) -> (Server, Server) {
        (Server::start(self.options("a")).await, Server::start(self.options("b")).await)
    }

    async fn has(&self, session: &str) -> bool {
        let key = format!("session/{}", hashed(session));
        self.table.get(&key).await.unwrap().is_some()
    }
}

fn answer(question: &Value) -> String {
    json!({"jsonrpc": "2.0", "id": question["id"], "result": {"roots": []}}).to_string()
}

#[tokio::test]
async fn the_record_is_stored_under_a_hash_before_the_reply_leaves() {
    let stores = Stores::new();
    let server = Server::start(stores.options("a")).await;
    for accept in ["application/json, text/event-stream", "text/event-stream, application/json"] {
        let mut client = server.connect().await;
        client.send("POST", "/mcp", &[("Accept", accept)], &initialize("2025-06-18")).await;
        let head = client.head().await;
        let session = head.header("mcp-session-id").unwrap();
        assert!(stores.has(session).await, "{accept}");
        assert!(client.body().await.contains("serverInfo"));
    }
    assert!(stores.table.len() >= 2, "two records, and a sign of life of the node");
}

#[tokio::test]
async fn another_node_answers_the_next_request() {
    let stores = Stores::new();
    let (a, b) = stores.pair().await;
    let (mut to_a, mut to_b) = (a.connect().await, b.connect().await);
    let session = to_a.initialize("2025-06-18").await;
    assert_eq!(to_b.post(&session, &call(1, "echo")).await.status, 200);
    assert_eq!(to_b.json().await["id"], 1);
    assert_eq!((a.http.service().sessions(), b.http.service().sessions()), (1, 1));
    assert_eq!(to_b.post("somebody", &call(2, "echo")).await.status, 404);
}

#[tokio::test]
async fn a_stream_of_one_node_is_resumed_on_another() {
    let stores = Stores::new();
    let (mut a, b) = stores.pair().await;
    let (mut to_a, mut to_b) = (a.connect().await, b.connect().await);
    let session = to_a.initialize("2025-11-25").await;
    let prime = to_a.poll(&session, &mut a).await;
    assert!(to_b.get(&session, prime.id.as_deref()).await.is_stream());
    a.release.notify_one();
    let progress = to_b.event().await.unwrap();
    assert_eq!(progress.json()["method"], "notifications/progress");
    assert_eq!(to_b.event().await.unwrap().json()["id"], 1);
    assert_eq!(to_b.event().await, None);
    // From the middle, and on the node that made it.
    for client in [&mut to_a, &mut to_b] {
        assert!(client.get(&session, progress.id.as_deref()).await.is_stream());
        assert_eq!(client.event().await.unwrap().json()["id"], 1);
        assert_eq!(client.event().await, None);
    }
}

#[tokio::test]
async fn a_request_whose_node_died_ends_with_an_error_on_another() {
    let stores = Stores::new();
    let (mut a, b) = stores.pair().await;
    let mut to_a = a.connect().await;
    let session = to_a.initialize("2025-11-25").await;
    assert!(to_a.post(&session, &call(1, "poll")).await.is_stream());
    let prime = to_a.event().await.unwrap();
    assert_eq!(a.event().await, "started");
    // Where it says which node it is of: this one has no sign of life, as if it had died.
    let id = prime.id.unwrap().replace(".a.", ".dead.");
    // The other node looks for signs of life as often as it would; nobody waits for that here.
    tokio::time::pause();
    for first in [true, false] {
        let mut to_b = b.connect().await;
        let began = tokio::time::Instant::now();
        assert!(to_b.get(&session, Some(&id)).await.is_stream());
        let answer = to_b.event().await.unwrap().json();
        assert_eq!((&answer["id"], &answer["error"]["data"]["reason"]), (&json!(1), &json!("node_gone")));
        assert_eq!(to_b.event().await, None);
        // Once it is known it is said at once.
        assert_eq!(began.elapsed() >= Duration::from_secs(8), first, "{:?}", began.elapsed());
    }
}

#[tokio::test]
async fn a_live_stream_that_is_read_elsewhere_ends_where_it_was() {
    let stores = Stores::new();
    let (a, b) = stores.pair().await;
    let (mut to_a, mut to_b) = (a.connect().await, b.connect().await);
    let session = to_a.initialize("2025-06-18").await;
    assert!(to_a.post(&session, &call(1, "ask")).await.is_stream());
    let question = to_a.event().await.unwrap();
    assert!(to_b.get(&session, question.id.as_deref()).await.is_stream());
    assert_eq!(to_a.event().await, None);
    let mut other = b.connect().await;
    assert_eq!(other.post(&session, &answer(&question.json())).await.status, 202);
    assert_eq!(to_b.event().await.unwrap().json()["id"], 1);
}

#[tokio::test]
async fn a_question_of_one_node_is_answered_through_another() {
    let stores = Stores::new();
    let (a, b) = stores.pair().await;
    let (mut to_a, mut to_b) = (a.connect().await, b.connect().await);
    let session = to_a.initialize("2025-06-18").await;
    assert!(to_a.post(&session, &call(1, "ask")).await.is_stream());
    let question = to_a.event().await.unwrap().json();
    assert!(question["id"].as_str().unwrap().starts_with("a."), "{question}");
    assert_eq!(to_b.post(&session, &answer(&question)).await.status, 202);
    assert_eq!(to_a.event().await.unwrap().json()["id"], 1);
    assert_eq!(to_a.event().await, None);
}

#[tokio::test]
async fn a_cancel_reaches_the_node_that_runs_the_call() {
    let stores = Stores::new();
    let (mut a, b) = stores.pair().await;
    let (mut to_a, mut to_b) = (a.connect().await, b.connect().await);
    let session = to_a.initialize("2025-06-18").await;
    to_a.send("POST", "/mcp", &[("Mcp-Session-Id", &session)], &call(7, "hang")).await;
    assert_eq!(a.event().await, "started");
    let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}});
    assert_eq!(to_b.post(&session, &cancel.to_string()).await.status, 202);
    assert_eq!(a.event().await, "cancelled");
}

#[tokio::test]
async fn delete_on_one_node_ends_the_streams_of_all() {
    let stores = Stores::new();
    let (a, b) = stores.pair().await;
    let (mut to_a, mut to_b) = (a.connect().await, b.connect().await);
    let session = to_a.initialize("2025-06-18").await;
    assert!(to_a.get(&session, None).await.is_stream());
    to_b.send("DELETE", "/mcp", &[("Mcp-Session-Id", &session)], "").await;
    assert_eq!(to_b.head().await.status, 200);
    assert_eq!(to_a.event().await, None);
    assert!(!stores.has(&session).await);
    for server in [&a, &b] {
        let mut client = server.connect().await;
        assert_eq!(client.post(&session, &call(1, "echo")).await.status, 404);
    }
}

#[tokio::test]
async fn the_get_stream_on_one_node_carries_what_another_says() {
    let stores = Stores::new();
    let (a, b) = stores.pair().await;
    let (mut to_a, mut to_b) = (a.connect().await, b.connect().await);
    let session = to_a.initialize("2025-06-18").await;
    assert!(to_b.get(&session, None).await.is_stream());
    a.publish();
    let first = to_b.event().await.unwrap();
    assert_eq!(first.json()["method"], "notifications/tools/list_changed");
    // A new GET goes on where the last one stopped, on whichever node, and replaces it.
    let mut again = a.connect().await;
    assert!(again.get(&session, None).await.is_stream());
    assert_eq!(to_b.event().await, None);
    a.publish();
    let second = again.event().await.unwrap();
    assert_ne!(second.id, first.id);
    let mut back = b.connect().await;
    assert!(back.get(&session, first.id.as_deref()).await.is_stream());
    assert_eq!(back.event().await.unwrap().id, second.id);
}

#[tokio::test]
async fn where_a_reader_was_is_known_as_long_as_the_session_lives() {
    let stores = Stores::new();
    let a = Server::start(stores.options("a")).await;
    let (mut client, mut reader) = (a.connect().await, a.connect().await);
    let session = client.initialize("2025-06-18").await;
    assert!(reader.get(&session, None).await.is_stream());
    a.publish();
    reader.event().await.expect("what is not sent again");
    let place = format!("read/{}", hashed(&session));
    soon("its place in the stores", async {
        while stores.table.get(&place).await.unwrap().is_none() {
            tokio::task::yield_now().await;
        }
    })
    .await;
    // The session is used, and nothing is said on its own stream.
    for node in ["b", "c", "d"] {
        stores.clock.advance(Limits::default().session_idle * 9 / 10);
        let node = Server::start(stores.options(node)).await;
        let mut client = node.connect().await;
        assert_eq!(client.post(&session, &call(1, "echo")).await.status, 200);
    }
    let e = Server::start(stores.options("e")).await;
    let mut again = e.connect().await;
    assert!(again.get(&session, None).await.is_stream());
    a.publish();
    let last = again.event().await.unwrap();
    let After::Entries(kept) =
        stores.log.read(&format!("events/{}", hashed(&session)), None, 10).await.unwrap()
    else {
        panic!("no log")
    };
    assert_eq!(last.id, kept.last().map(|entry| format!("g.{}", entry.id)), "the new one only");
}

#[tokio::test]
async fn a_handshake_that_is_finished_elsewhere_is_finished() {
    let stores = Stores::new();
    let (a, b) = stores.pair().await;
    let (mut to_a, mut to_b) = (a.connect().await, b.connect().await);
    to_a.send("POST", "/mcp", &[], &initialize("2025-06-18")).await;
    let session = to_a.head().await.header("mcp-session-id").unwrap().to_owned();
    to_a.body().await;
    let initialized = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    assert_eq!(to_b.post(&session, initialized).await.status, 202);
    a.until("the first node to hear of it", |a| a.engine.bus().len() == 1).await;
}

#[tokio::test]
async fn a_session_belongs_to_its_principal_on_every_node() {
    let stores = Stores::new();
    let options = |node| HttpOptions {
        verify: Some(Arc::new(ApiKey::new(
            http::HeaderName::from_static("x-key"),
            [("1", "one"), ("2", "two")],
        ))),
        ..stores.options(node)
    };
    let (a, b) = (Server::start(options("a")).await, Server::start(options("b")).await);
    let (mut to_a, mut to_b) = (a.connect().await, b.connect().await);
    to_a.send("POST", "/mcp", &[("x-key", "1")], &initialize("2025-06-18")).await;
    let session = to_a.head().await.header("mcp-session-id").unwrap().to_owned();
    for (key, status) in [("2", 404), ("1", 200)] {
        let headers = [("Mcp-Session-Id", session.as_str()), ("x-key", key)];
        to_b.send("POST", "/mcp", &headers, &call(1, "echo")).await;
        assert_eq!(to_b.head().await.status, status);
        to_b.body().await;
    }
}

#[tokio::test]
async fn what_a_session_watches_is_told_where_it_is_taken_over() {
    let stores = Stores::new();
    let node = async |name| {
        let (tell, told) = mpsc::unbounded_channel();
        let server = mcpbolt::server::Server::builder("s", "1")
            .resource(Resource::new("memo://one", "one"), |_: Context| async { String::new() })
            .on_subscription(move |_, active| {
                let _ = tell.send(active);
            })
            .build();
        let http = server.serve_http("127.0.0.1:0", stores.options(name)).await.unwrap();
        let client = Client::new(TcpStream::connect(http.local_addr()).await.unwrap());
        (http, client, told)
    };
    let (_a, mut to_a, mut told_a) = node("a").await;
    let (_b, mut to_b, mut told_b) = node("b").await;
    let session = to_a.initialize("2025-06-18").await;
    let subscribe =
        json!({"jsonrpc": "2.0", "id": 1, "method": "resources/subscribe", "params": {"uri": "memo://one"}});
    assert_eq!(to_a.post(&session, &subscribe.to_string()).await.status, 200);
    assert_eq!(soon("the first node's word", told_a.recv()).await, Some(true));
    let key = format!("session/{}", hashed(&session));
    soon("the record to say so", async {
        while !stores.table.get(&key).await.unwrap().unwrap().value.windows(4).any(|part| part == b"memo") {
            tokio::task::yield_now().await;
        }
    })
    .await;
    let ping = json!({"jsonrpc": "2.0", "id": 2, "method": "ping"});
    assert_eq!(to_b.post(&session, &ping.to_string()).await.status, 200);
    to_b.body().await;
    assert_eq!(soon("the second node's word", told_b.recv()).await, Some(true));
    to_b.send("DELETE", "/mcp", &[("Mcp-Session-Id", &session)], "").await;
    assert_eq!(to_b.head().await.status, 200);
    for told in [&mut told_a, &mut told_b] {
        assert_eq!(soon("the end of it", told.recv()).await, Some(false));
    }
}

#[tokio::test]
async fn a_record_dies_of_idleness_and_its_session_with_it() {
    let stores = Stores::new();
    let (a, b) = stores.pair().await;
    let (mut to_a, mut to_b) = (a.connect().await, b.connect().await);
    let session = to_a.initialize("2025-06-18").await;
    stores.clock.advance(Limits::default().session_idle);
    assert!(!stores.has(&session).await);
    assert_eq!(to_b.post(&session, &call(1, "echo")).await.status, 404);
    to_b.body().await;
    assert_eq!(b.http.service().sessions(), 0);
    // A client that never came back after the handshake has less time.
    to_a.send("POST", "/mcp", &[], &initialize("2025-06-18")).await;
    let session = to_a.head().await.header("mcp-session-id").unwrap().to_owned();
    assert!(stores.has(&session).await);
    stores.clock.advance(Duration::from_secs(31));
    assert_eq!(to_b.post(&session, &call(1, "echo")).await.status, 404);
}

#[tokio::test]
async fn an_event_store_alone_serves_resumption_on_one_node() {
    let log = Arc::new(MemoryLog::new(1_000, 1 << 20));
    let options = HttpOptions { event_store: Some(log.clone()), ..HttpOptions::default() };
    let mut server = Server::with(EngineOptions::default(), options).await;
    let (mut client, mut get) = (server.connect().await, server.connect().await);
    let session = client.initialize("2025-11-25").await;
    assert!(client.post(&session, &call(1, "poll")).await.is_stream());
    let prime = client.event().await.unwrap();
    assert_eq!(client.event().await, None);
    assert_eq!(server.event().await, "started");
    assert!(get.get(&session, prime.id.as_deref()).await.is_stream());
    server.release.notify_one();
    assert_eq!(get.event().await.unwrap().json()["method"], "notifications/progress");
    assert_eq!(get.event().await.unwrap().json()["id"], 1);
    assert_eq!(get.event().await, None);
    let name = format!("events/{}", hashed(&session));
    let After::Entries(kept) = log.read(&name, None, 10).await.unwrap() else { panic!("no log") };
    assert_eq!(kept.len(), 2);
    client.send("DELETE", "/mcp", &[("Mcp-Session-Id", &session)], "").await;
    assert_eq!(client.head().await.status, 200);
    assert_eq!(log.read(&name, None, 10).await.unwrap(), After::Entries(Vec::new()));
}
