//! Tasks and a store that is away for a while, or does not say what it has done.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use bytes::Bytes;
use mcpbolt::server::Tasks;
use mcpbolt::store::{BoxFuture, Condition, MemoryTable, Stores, Table, Versioned};
use mcpbolt::{Error, ErrorKind};
use serde_json::{Value, json};

use crate::world::{World, assert_acknowledged, soon};

/// A table that can be away, or take what it does not acknowledge.
struct Fragile {
    table: MemoryTable,
    away: AtomicBool,
    /// Writes that failed because it was away.
    failed: AtomicUsize,
    /// The next change of a task is taken, and not acknowledged.
    mute: AtomicBool,
}

impl Fragile {
    fn new() -> Arc<Self> {
        let (away, failed, mute) = Default::default();
        Arc::new(Self { table: MemoryTable::new(100, 1 << 20), away, failed, mute })
    }

    fn world(self: &Arc<Self>, tasks: Tasks) -> World {
        World::with(tasks, |builder| builder.own_stores(Stores::shared(Arc::clone(self) as _)))
    }

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
        let changes = key.starts_with("task/") && matches!(condition, Condition::Version(_));
        if changes && self.mute.swap(false, Ordering::SeqCst) {
            return Box::pin(async move {
                self.table.put(key, value, condition, ttl).await?;
                Err(Error::new(ErrorKind::Store, "nobody knows whether it was done"))
            });
        }
        if changes && self.away.load(Ordering::SeqCst) {
            self.failed.fetch_add(1, Ordering::SeqCst);
        }
        self.unless_away(self.table.put(key, value, condition, ttl))
    }

    fn take<'a>(&'a self, key: &'a str) -> BoxFuture<'a, Result<Option<Bytes>, Error>> {
        self.unless_away(self.table.take(key))
    }

    fn delete<'a>(&'a self, key: &'a str) -> BoxFuture<'a, Result<bool, Error>> {
        self.unless_away(self.table.delete(key))
    }

    fn touch<'a>(&'a self, key: &'a str, ttl: Duration) -> BoxFuture<'a, Result<bool, Error>> {
        self.unless_away(self.table.touch(key, ttl))
    }
}

fn assert_not_stored(reply: &Value) {
    assert!(reply["error"].is_object(), "nobody knows whether it was done: {reply}");
}

#[tokio::test]
async fn the_result_of_a_task_waits_for_a_store_that_is_away() {
    let store = Fragile::new();
    let world = store.world(Tasks::new());
    let id = world.start("gate").await["taskId"].clone();
    store.away.store(true, Ordering::SeqCst);
    world.go.notify_one();
    soon(async {
        while store.failed.load(Ordering::SeqCst) < 3 {
            tokio::task::yield_now().await;
        }
    })
    .await;
    assert_eq!(world.get(&id).await["status"], "working", "nothing came of it that is stored");
    store.away.store(false, Ordering::SeqCst);
    let done = world.until(&id, "completed").await;
    assert_eq!(done["result"]["content"][0]["text"], "done");
}

#[tokio::test]
async fn an_answer_that_the_store_took_without_a_word_is_not_lost() {
    let store = Fragile::new();
    let world = store.world(Tasks::new());
    // The client says it again, or leaves it at that.
    for again in [true, false] {
        let id = world.start("ask").await["taskId"].clone();
        let task = world.until(&id, "input_required").await;
        let key =
            task["inputRequests"].as_object().and_then(|asked| asked.keys().next()).expect("a question");
        let answers = json!({key: {"action": "accept", "content": {"ok": true}}});
        store.mute.store(true, Ordering::SeqCst);
        let update = json!({"taskId": id, "inputResponses": answers});
        assert_not_stored(&world.ask("tasks/update", update).await);
        if again {
            world.answer(&id, answers).await;
        }
        let done = world.until(&id, "completed").await;
        assert_eq!(done["result"]["content"][0]["text"], "accepted: true");
    }
}

#[tokio::test]
async fn a_task_that_the_store_gave_up_without_a_word_stops() {
    let store = Fragile::new();
    let tasks = Tasks::new();
    let watch = tasks.clone();
    let world = store.world(tasks);
    let id = world.start("gate").await["taskId"].clone();
    store.mute.store(true, Ordering::SeqCst);
    assert_not_stored(&world.ask("tasks/cancel", json!({"taskId": id})).await);
    assert_acknowledged(&world.ask("tasks/cancel", json!({"taskId": id})).await);
    soon(async {
        while watch.running() > 0 {
            tokio::task::yield_now().await;
        }
    })
    .await;
    assert_eq!(world.get(&id).await["status"], "cancelled");
}
