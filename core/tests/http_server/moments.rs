//! What nodes do when a client leaves, a store fails or a message between nodes is lost at the
//! worst moment.

use std::future::pending;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use mcpbolt::handler::EngineOptions;
use mcpbolt::store::{After, Log as _, Table as _, hashed};
use mcpbolt::transport::streamable_http::server::{HttpOptions, SessionStores};
use mcpbolt_proto::limits::Limits;
use serde_json::{Value, json};
use tokio::net::TcpSocket;
use tokio::sync::Semaphore;

use super::support::*;
use super::watched_stores::{Asked, Fate, Watched};

fn options(store: &Arc<Watched>, node: &str) -> HttpOptions {
    let stores = SessionStores::new(store.clone(), store.clone(), store.clone());
    HttpOptions { stores: Some(stores.node(node).unwrap()), ..HttpOptions::default() }
}

async fn pair(store: &Arc<Watched>) -> (Server, Server) {
    (Server::start(options(store, "a")).await, Server::start(options(store, "b")).await)
}

fn nothing(_: &Asked<'_>) -> Fate {
    Fate::Done
}

/// Fails one operation on keys that begin so, as long as the flag is set.
fn failing(
    what: &'static str,
    begins: &'static str,
    fails: &Arc<AtomicBool>,
) -> impl Fn(&Asked<'_>) -> Fate + Send + Sync + use<> {
    let fails = fails.clone();
    move |asked| {
        let fails = asked.what == what && asked.key.starts_with(begins) && fails.load(Ordering::SeqCst);
        if fails { Fate::failed("it failed") } else { Fate::Done }
    }
}

fn limited(limits: Limits) -> EngineOptions {
    EngineOptions { limits, ..EngineOptions::default() }
}

fn says(message: &[u8], text: &str) -> bool {
    message.windows(text.len()).any(|part| part == text.as_bytes())
}

#[tokio::test]
async fn a_client_that_leaves_while_its_stream_is_opened_keeps_no_session() {
    let told = Arc::new(Semaphore::new(0));
    let telling = told.clone();
    let store = Watched::new(move |asked| {
        if asked.what != "publish" || !says(asked.value, "\"reads\"") {
            return Fate::Done;
        }
        telling.add_permits(1);
        Fate::After(Box::pin(pending()))
    });
    let limits = Limits { session_idle: Duration::from_secs(1), ..Limits::default() };
    let server = Server::with(limited(limits), options(&store, "a")).await;
    let mut client = server.connect().await;
    let session = client.initialize("2025-06-18").await;
    let mut reader = server.connect().await;
    let headers = [("Mcp-Session-Id", session.as_str()), ("Accept", "text/event-stream")];
    reader.send("GET", "/mcp", &headers, "").await;
    soon("the word of a reader", told.acquire()).await.unwrap().forget();
    drop(reader);
    server.until("the end of an idle session", |server| server.http.service().sessions() == 0).await;
}

#[tokio::test]
async fn a_session_that_could_not_be_ended_lives_on() {
    let fails = Arc::new(AtomicBool::new(false));
    let store = Watched::new(failing("delete", "session/", &fails));
    let server = Server::start(options(&store, "a")).await;
    let (mut client, mut reader) = (server.connect().await, server.connect().await);
    let session = client.initialize("2025-06-18").await;
    assert!(reader.get(&session, None).await.is_stream());
    fails.store(true, Ordering::SeqCst);
    client.send("DELETE", "/mcp", &[("Mcp-Session-Id", &session)], "").await;
    assert_eq!(client.head().await.status, 503);
    client.body().await;
    server.publish();
    assert_eq!(reader.event().await.unwrap().json()["method"], "notifications/tools/list_changed");
    fails.store(false, Ordering::SeqCst);
    client.send("DELETE", "/mcp", &[("Mcp-Session-Id", &session)], "").await;
    assert_eq!(client.head().await.status, 200);
    assert_eq!(reader.event().await, None);
}

#[tokio::test]
async fn a_change_that_is_not_written_is_not_confirmed() {
    let fails = Arc::new(AtomicBool::new(false));
    let store = Watched::new(failing("put", "session/", &fails));
    let server = Server::start(options(&store, "a")).await;
    let mut client = server.connect().await;
    let session = client.initialize("2025-06-18").await;
    let level = |level: &str| {
        let params = json!({ "level": level });
        json!({"jsonrpc": "2.0", "id": 1, "method": "logging/setLevel", "params": params}).to_string()
    };
    for (level, away, status) in [(level("error"), true, 503), (level("debug"), false, 200)] {
        fails.store(away, Ordering::SeqCst);
        assert_eq!(client.post(&session, &level).await.status, status);
        client.body().await;
    }
}

#[tokio::test]
async fn a_reader_whose_place_cannot_be_told_is_not_sent_everything_again() {
    let fails = Arc::new(AtomicBool::new(false));
    let store = Watched::new(failing("get", "read/", &fails));
    let server = Server::start(options(&store, "a")).await;
    let (mut client, mut reader) = (server.connect().await, server.connect().await);
    let session = client.initialize("2025-06-18").await;
    fails.store(true, Ordering::SeqCst);
    let refused = reader.get(&session, None).await;
    assert_eq!((refused.status, refused.header("retry-after")), (503, Some("1")));
    reader.body().await;
    fails.store(false, Ordering::SeqCst);
    assert!(reader.get(&session, None).await.is_stream());
}

#[tokio::test]
async fn where_a_reader_was_is_written_when_the_store_takes_it() {
    let (fails, failed) = (Arc::new(AtomicBool::new(true)), Arc::new(Semaphore::new(0)));
    let (failing, failures) = (failing("put", "read/", &fails), failed.clone());
    let store = Watched::new(move |asked| {
        let fate = failing(asked);
        failures.add_permits(usize::from(!matches!(fate, Fate::Done)));
        fate
    });
    let server = Server::start(options(&store, "a")).await;
    let (mut client, mut reader) = (server.connect().await, server.connect().await);
    let session = client.initialize("2025-06-18").await;
    assert!(reader.get(&session, None).await.is_stream());
    server.publish();
    reader.event().await.expect("an event");
    soon("a failure", failed.acquire()).await.unwrap().forget();
    fails.store(false, Ordering::SeqCst);
    let place = format!("read/{}", hashed(&session));
    soon("its place in the stores", async {
        while store.table.get(&place).await.unwrap().is_none() {
            tokio::task::yield_now().await;
        }
    })
    .await;
}

#[tokio::test]
async fn a_request_whose_answer_was_pushed_out_of_the_log_ends_with_an_error() {
    let store = Watched::new(nothing);
    let limits = || limited(Limits { replay_events: 2, ..Limits::default() });
    let mut a = Server::with(limits(), options(&store, "a")).await;
    let b = Server::with(limits(), options(&store, "b")).await;
    let (mut to_a, mut to_b, mut reader) = (a.connect().await, b.connect().await, a.connect().await);
    let session = to_a.initialize("2025-11-25").await;
    let prime = to_a.poll(&session, &mut a).await;
    assert!(reader.get(&session, None).await.is_stream());
    reader.event().await.expect("an id to come back with");
    a.release.notify_one();
    // The answer is in the log, and then three others.
    assert!(to_a.get(&session, prime.id.as_deref()).await.is_stream());
    while to_a.event().await.is_some() {}
    for _ in 0..3 {
        a.publish();
        reader.event().await.unwrap();
    }
    // Whether its node lives is looked for every two seconds; nobody waits for that here.
    tokio::time::pause();
    for client in [&mut to_b, &mut to_a] {
        assert!(client.get(&session, prime.id.as_deref()).await.is_stream());
        let answer = client.event().await.unwrap().json();
        assert_eq!((&answer["id"], &answer["error"]["data"]["reason"]), (&json!(1), &json!("node_gone")));
        assert_eq!(client.event().await, None);
    }
}

#[tokio::test]
async fn an_answer_that_its_node_did_not_hear_is_found() {
    // Nothing fits in the queues: all that nodes tell each other is lost, and they hear of that.
    let store = Watched::with_queues_of(0, nothing);
    let (a, b) = pair(&store).await;
    let (mut to_a, mut to_b) = (a.connect().await, b.connect().await);
    let session = to_a.initialize("2025-06-18").await;
    for id in [1, 2] {
        assert!(to_a.post(&session, &call(id, "ask")).await.is_stream());
        let question: Value = to_a.event().await.unwrap().json();
        let answer = json!({"jsonrpc": "2.0", "id": question["id"], "result": {"roots": []}}).to_string();
        assert_eq!(to_b.post(&session, &answer).await.status, 202);
        assert_eq!(to_a.event().await.unwrap().json()["id"], id);
        assert_eq!(to_a.event().await, None);
    }
    let kept = format!("answers/{}", hashed(&session));
    let After::Entries(entries) = store.log.read(&kept, None, 10).await.unwrap() else { panic!("no log") };
    assert_eq!(entries.len(), 2);
    to_b.send("DELETE", "/mcp", &[("Mcp-Session-Id", &session)], "").await;
    assert_eq!(to_b.head().await.status, 200);
    assert_eq!(store.log.read(&kept, None, 10).await.unwrap(), After::Entries(Vec::new()));
}

#[tokio::test]
async fn a_stream_that_nobody_reads_keeps_no_other_waiting() {
    let hour = Duration::from_hours(1);
    for read in [0, 1] {
        let limits = Limits { send_queue_bytes: 1000, slow_reader: hour, ..Limits::default() };
        let server = Server::with(limited(limits), HttpOptions::default()).await;
        let mut clients = Vec::new();
        for _ in 0..2 {
            // The kernel would keep more of what nobody reads.
            let socket = TcpSocket::new_v4().unwrap();
            socket.set_recv_buffer_size(64 << 10).unwrap();
            clients.push(Client::new(socket.connect(server.http.local_addr()).await.unwrap()));
        }
        let session = clients[0].initialize("2025-06-18").await;
        for (id, client) in [1, 2].into_iter().zip(&mut clients) {
            assert!(client.post(&session, &call(id, "flood")).await.is_stream());
        }
        let (mut last, mut told) = (None, 0);
        while let Some(event) = clients[read].event().await {
            (last, told) = (Some(event), told + 1);
        }
        assert_eq!((&last.expect("events").json()["id"], told), (&json!(read + 1), 513));
        assert_eq!(server.engine.stats().snapshot().in_flight, 1, "nobody reads the other");
    }
}

#[tokio::test]
async fn sessions_are_looked_up_beside_each_other() {
    const CLIENTS: u32 = 40;
    let (asked, answered) = (Arc::new(Semaphore::new(0)), Arc::new(Semaphore::new(0)));
    let (asking, answering) = (asked.clone(), answered.clone());
    let store = Watched::new(move |asked| {
        if asked.what != "get" || !asked.key.starts_with("session/") {
            return Fate::Done;
        }
        asking.add_permits(1);
        Fate::after_permit(&answering)
    });
    let server = Server::start(options(&store, "a")).await;
    let mut clients = Vec::new();
    for n in 0..CLIENTS {
        let mut client = server.connect().await;
        client.send("POST", "/mcp", &[("Mcp-Session-Id", &format!("s{n}"))], &call(1, "echo")).await;
        clients.push(client);
    }
    soon("all to be looked up", asked.acquire_many(CLIENTS)).await.unwrap().forget();
    answered.add_permits(CLIENTS as usize);
    for client in &mut clients {
        assert_eq!(client.head().await.status, 404);
    }
}

#[tokio::test]
async fn a_shutdown_waits_for_calls_that_are_read_at_another_node() {
    let store = Watched::new(nothing);
    let (mut a, b) = pair(&store).await;
    let (mut to_a, mut to_b) = (a.connect().await, b.connect().await);
    let session = to_a.initialize("2025-11-25").await;
    let prime = to_a.poll(&session, &mut a).await;
    assert!(to_b.get(&session, prime.id.as_deref()).await.is_stream());
    let (release, mut events) = (a.release.clone(), a.events);
    let shutdown = tokio::spawn(a.http.shutdown());
    assert!(to_a.is_closed().await, "it has no connections");
    // What it does next needs no other event.
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
    assert!(events.try_recv().is_err(), "not cancelled");
    release.notify_one();
    assert_eq!(to_b.event().await.unwrap().json()["method"], "notifications/progress");
    assert_eq!(to_b.event().await.unwrap().json()["id"], 1);
    assert_eq!(to_b.event().await, None);
    soon("shutdown", shutdown).await.unwrap();
}

#[test]
fn what_was_said_before_a_shutdown_is_in_the_log_after_it() {
    // Slow enough to be at it when all is closed.
    let store = Watched::new(|asked| {
        if asked.what != "append" {
            return Fate::Done;
        }
        Fate::After(Box::pin(async {
            for _ in 0..1_000 {
                tokio::task::yield_now().await;
            }
            Ok(())
        }))
    });
    let process = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let session = process.block_on(async {
        let options = HttpOptions { drain: Duration::ZERO, ..options(&store, "a") };
        let mut server = Server::start(options).await;
        let mut client = server.connect().await;
        let session = client.initialize("2025-11-25").await;
        client.poll(&session, &mut server).await;
        server.release.notify_one();
        server.until("the answer", |server| server.engine.stats().snapshot().in_flight == 0).await;
        soon("shutdown", server.http.shutdown()).await;
        session
    });
    // As a process that exits.
    drop(process);
    let name = format!("events/{}", hashed(&session));
    let read = store.log.read(&name, None, 10);
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let After::Entries(entries) = runtime.block_on(read).unwrap() else { panic!("no log") };
    assert_eq!(entries.len(), 2, "progress and the answer");
}

#[tokio::test]
async fn a_stream_that_opens_while_a_shutdown_begins_ends_at_once() {
    let (asked, answered) = (Arc::new(Semaphore::new(0)), Arc::new(Semaphore::new(0)));
    let (asking, answering) = (asked.clone(), answered.clone());
    let store = Watched::new(move |asked| {
        if asked.what != "get" || !asked.key.starts_with("read/") {
            return Fate::Done;
        }
        asking.add_permits(1);
        Fate::after_permit(&answering)
    });
    let server = Server::start(options(&store, "a")).await;
    let (mut client, mut reader) = (server.connect().await, server.connect().await);
    let session = client.initialize("2025-06-18").await;
    let headers = [("Mcp-Session-Id", session.as_str()), ("Accept", "text/event-stream")];
    reader.send("GET", "/mcp", &headers, "").await;
    soon("the place of a reader to be asked for", asked.acquire()).await.unwrap().forget();
    server.http.service().drain();
    answered.add_permits(1);
    assert!(reader.head().await.is_stream());
    assert_eq!(reader.body().await, "");
}
