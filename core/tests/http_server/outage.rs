//! What nodes do while the store of their sessions is away.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use mcpbolt::store::{After, Bus, Log as _, MemoryBus, hashed};
use mcpbolt::transport::streamable_http::server::{HttpOptions, SessionStores};
use serde_json::json;

use super::support::*;
use super::watched_stores::{Fate, Watched};

/// A store that can be away.
struct Fragile {
    stores: Arc<Watched>,
    away: Arc<AtomicBool>,
    /// The next event that it takes is not acknowledged.
    mute: Arc<AtomicBool>,
}

impl Fragile {
    fn new() -> Self {
        let (away, mute) = (Arc::<AtomicBool>::default(), Arc::<AtomicBool>::default());
        let (is_away, is_mute) = (away.clone(), mute.clone());
        let stores = Watched::new(move |asked| {
            if asked.what == "append" && is_mute.swap(false, Ordering::SeqCst) {
                return Fate::Unsaid;
            }
            if is_away.load(Ordering::SeqCst) { Fate::failed("it is away") } else { Fate::Done }
        });
        Self { stores, away, mute }
    }

    fn set_away(&self, away: bool) {
        self.away.store(away, Ordering::SeqCst);
    }
}

fn options(store: &Fragile, bus: Arc<dyn Bus>) -> HttpOptions {
    let stores = SessionStores::new(store.stores.clone(), store.stores.clone(), bus);
    let (health, ready) = (Some("/healthz".into()), Some("/readyz".into()));
    HttpOptions { stores: Some(stores), health, ready, ..HttpOptions::default() }
}

async fn get(client: &mut Client, path: &str) -> (u16, String) {
    client.send("GET", path, &[], "").await;
    (client.head().await.status, client.body().await)
}

async fn health(client: &mut Client) -> (u16, String) {
    get(client, "/healthz").await
}

#[tokio::test]
async fn new_sessions_are_told_when_to_come_back_and_health_says_why() {
    let store = Fragile::new();
    let server = Server::start(options(&store, Arc::new(MemoryBus::new(100, 100)))).await;
    let mut client = server.connect().await;
    assert_eq!(health(&mut client).await, (200, "ok\n".to_owned()));
    assert_eq!(get(&mut client, "/readyz").await, (200, "ready\n".to_owned()));
    store.set_away(true);
    client.send("POST", "/mcp", &[], &initialize("2025-11-25")).await;
    let head = client.head().await;
    assert_eq!((head.status, head.header("retry-after")), (503, Some("1")));
    client.body().await;
    let (status, said) = health(&mut client).await;
    assert!(status == 200 && said.contains("store of sessions cannot be reached"), "{said}");
    let (status, said) = get(&mut client, "/readyz").await;
    assert!(status == 503 && said.contains("store of sessions cannot be reached"), "{said}");
    store.set_away(false);
    assert_eq!(get(&mut client, "/readyz").await.0, 200);
    assert_eq!(health(&mut client).await, (200, "ok\n".to_owned()));
    client.initialize("2025-11-25").await;
}

#[tokio::test]
async fn events_of_a_call_that_runs_meanwhile_are_written_when_it_is_back() {
    let (store, bus) = (Fragile::new(), Arc::new(MemoryBus::new(100, 100)));
    let mut a = Server::start(options(&store, bus.clone())).await;
    let b = Server::start(options(&store, bus.clone())).await;
    let (mut to_a, mut to_b) = (a.connect().await, b.connect().await);
    let session = to_a.initialize("2025-11-25").await;
    assert_eq!(to_b.post(&session, &call(5, "echo")).await.status, 200);
    to_b.json().await;
    let prime = to_a.poll(&session, &mut a).await;
    store.set_away(true);
    a.release.notify_one();
    // The node has tried when it says so.
    assert_eq!(to_a.get(&session, prime.id.as_deref()).await.status, 200);
    assert_eq!(to_a.event().await, None, "nothing can be read now");
    store.set_away(false);
    assert!(to_b.get(&session, prime.id.as_deref()).await.is_stream());
    assert_eq!(to_b.event().await.unwrap().json()["method"], "notifications/progress");
    assert_eq!(to_b.event().await.unwrap().json()["id"], 1);
    assert_eq!(to_b.event().await, None);
}

#[tokio::test]
async fn an_answer_that_cannot_be_passed_on_is_not_accepted() {
    let store = Fragile::new();
    let a = Server::start(options(&store, store.stores.clone())).await;
    let b = Server::start(options(&store, store.stores.clone())).await;
    let (mut to_a, mut to_b) = (a.connect().await, b.connect().await);
    let session = to_a.initialize("2025-06-18").await;
    assert_eq!(to_b.post(&session, &call(5, "echo")).await.status, 200);
    to_b.json().await;
    assert!(to_a.post(&session, &call(1, "ask")).await.is_stream());
    let question = to_a.event().await.unwrap().json();
    let answer = json!({"jsonrpc": "2.0", "id": question["id"], "result": {"roots": []}}).to_string();
    store.set_away(true);
    let refused = to_b.post(&session, &answer).await;
    assert_eq!((refused.status, refused.header("retry-after").is_some()), (503, true));
    to_b.body().await;
    store.set_away(false);
    assert_eq!(to_b.post(&session, &answer).await.status, 202);
    assert_eq!(to_a.event().await.unwrap().json()["id"], 1);
}

#[tokio::test]
async fn an_event_that_is_written_twice_is_read_once() {
    let store = Fragile::new();
    let a = Server::start(options(&store, store.stores.clone())).await;
    let b = Server::start(options(&store, store.stores.clone())).await;
    let (mut to_a, mut to_b) = (a.connect().await, b.connect().await);
    let session = to_a.initialize("2025-06-18").await;
    assert!(to_b.get(&session, None).await.is_stream());
    store.mute.store(true, Ordering::SeqCst);
    a.publish();
    let first = to_b.event().await.unwrap();
    // Written after the first one, which is written again.
    a.publish();
    let second = to_b.event().await.unwrap();
    let log = format!("events/{}", hashed(&session));
    let After::Entries(entries) = store.stores.log.read(&log, None, 10).await.unwrap() else {
        panic!("a log")
    };
    let id = |at: usize| Some(format!("g.{}", entries[at].id));
    assert_eq!((entries.len(), first.id, second.id), (3, id(0), id(2)));
}
