//! What nodes do while the store of their sessions is away.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bytes::Bytes;
use mcpbolt::Error;
use mcpbolt::store::{
    After, BoxFuture, BoxStream, Bus, BusEvent, Condition, Keep, Log, MemoryBus, MemoryLog, MemoryTable,
    Table, Versioned, hashed,
};
use mcpbolt::transport::streamable_http::server::{HttpOptions, SessionStores};
use mcpbolt_proto::protocol::ErrorKind;
use serde_json::json;

use super::support::*;

/// A store that can be away.
struct Fragile {
    table: MemoryTable,
    log: MemoryLog,
    bus: MemoryBus,
    away: AtomicBool,
    /// The next event that it takes is not acknowledged.
    mute: AtomicBool,
}

impl Fragile {
    fn new() -> Arc<Self> {
        let (table, log) = (MemoryTable::new(100, 1 << 20), MemoryLog::new(1_000, 1 << 20));
        let bus = MemoryBus::new(100, 100);
        Arc::new(Self { table, log, bus, away: AtomicBool::new(false), mute: AtomicBool::new(false) })
    }

    fn set_away(&self, away: bool) {
        self.away.store(away, Ordering::SeqCst);
    }

    /// What the store does, unless it is away.
    fn unless_away<'a, T: Send + 'a>(
        &'a self,
        done: BoxFuture<'a, Result<T, Error>>,
    ) -> BoxFuture<'a, Result<T, Error>> {
        if self.away.load(Ordering::SeqCst) {
            return Box::pin(async { Err(Error::new(ErrorKind::Store, "it is away")) });
        }
        done
    }
}

impl Table for Fragile {
    fn get<'a>(&'a self, key: &'a str) -> BoxFuture<'a, Result<Option<Versioned>, Error>> {
        self.unless_away(self.table.get(key))
    }

    fn put<'a>(
        &'a self,
        key: &'a str,
        value: Bytes,
        condition: Condition,
        ttl: Option<Duration>,
    ) -> BoxFuture<'a, Result<Option<u64>, Error>> {
        self.unless_away(self.table.put(key, value, condition, ttl))
    }

    fn take<'a>(&'a self, key: &'a str) -> BoxFuture<'a, Result<Option<Bytes>, Error>> {
        self.unless_away(self.table.take(key))
    }

    fn delete<'a>(&'a self, key: &'a str) -> BoxFuture<'a, Result<bool, Error>> {
        self.unless_away(Table::delete(&self.table, key))
    }

    fn touch<'a>(&'a self, key: &'a str, ttl: Duration) -> BoxFuture<'a, Result<bool, Error>> {
        self.unless_away(self.table.touch(key, ttl))
    }
}

impl Log for Fragile {
    fn append<'a>(&'a self, name: &'a str, value: Bytes, keep: Keep) -> BoxFuture<'a, Result<String, Error>> {
        if self.mute.swap(false, Ordering::SeqCst) {
            return Box::pin(async move {
                self.log.append(name, value, keep).await?;
                Err(Error::new(ErrorKind::Store, "nobody knows whether it was done"))
            });
        }
        self.unless_away(self.log.append(name, value, keep))
    }

    fn read<'a>(
        &'a self,
        name: &'a str,
        id: Option<&'a str>,
        max: usize,
    ) -> BoxFuture<'a, Result<After, Error>> {
        self.unless_away(self.log.read(name, id, max))
    }

    fn trim<'a>(&'a self, name: &'a str, keep: Keep) -> BoxFuture<'a, Result<usize, Error>> {
        self.unless_away(self.log.trim(name, keep))
    }

    fn delete<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<(), Error>> {
        self.unless_away(Log::delete(&self.log, name))
    }
}

impl Bus for Fragile {
    fn publish<'a>(&'a self, topic: &'a str, message: Bytes) -> BoxFuture<'a, Result<(), Error>> {
        self.unless_away(self.bus.publish(topic, message))
    }

    fn subscribe<'a>(&'a self, topic: &'a str) -> BoxFuture<'a, Result<BoxStream<BusEvent>, Error>> {
        self.unless_away(self.bus.subscribe(topic))
    }
}

fn options(store: &Arc<Fragile>, bus: Arc<dyn Bus>) -> HttpOptions {
    let stores = SessionStores::new(store.clone(), store.clone(), bus);
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
    assert!(to_a.post(&session, &call(1, "poll")).await.is_stream());
    let prime = to_a.event().await.unwrap();
    assert_eq!(to_a.event().await, None, "closed early");
    assert_eq!(a.event().await, "started");
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
    let a = Server::start(options(&store, store.clone())).await;
    let b = Server::start(options(&store, store.clone())).await;
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
    let a = Server::start(options(&store, store.clone())).await;
    let b = Server::start(options(&store, store.clone())).await;
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
    let After::Entries(entries) = store.log.read(&log, None, 10).await.unwrap() else { panic!("a log") };
    let id = |at: usize| Some(format!("g.{}", entries[at].id));
    assert_eq!((entries.len(), first.id, second.id), (3, id(0), id(2)));
}
