//! Tasks and a store that is away for a while, or does not say what it has done.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use mcpbolt::server::Tasks;
use mcpbolt::store::Stores;
use serde_json::{Value, json};

use crate::watched_stores::{Asked, Fate, Watched};
use crate::world::{World, assert_acknowledged, at_rest, soon};

/// A store that can be away, or take what it does not acknowledge.
#[derive(Default)]
struct Fragile {
    away: AtomicBool,
    /// Writes that failed because it was away.
    failed: AtomicUsize,
    /// The next change of a task is taken, and not acknowledged.
    mute: AtomicBool,
}

impl Fragile {
    fn fate(&self, asked: &Asked<'_>) -> Fate {
        let changes = asked.changes && asked.key.starts_with("task/");
        if changes && self.mute.swap(false, Ordering::SeqCst) {
            return Fate::Unsaid;
        }
        if !self.away.load(Ordering::SeqCst) {
            return Fate::Done;
        }
        self.failed.fetch_add(usize::from(changes), Ordering::SeqCst);
        Fate::failed("it is away")
    }

    fn world(self: &Arc<Self>, tasks: Tasks) -> World {
        let this = Arc::clone(self);
        let stores = Watched::new(move |asked| this.fate(asked));
        World::with(tasks, |builder| builder.own_stores(Stores::shared(stores)))
    }
}

fn assert_not_stored(reply: &Value) {
    assert!(reply["error"].is_object(), "nobody knows whether it was done: {reply}");
}

#[tokio::test]
async fn the_result_of_a_task_waits_for_a_store_that_is_away() {
    let store = Arc::<Fragile>::default();
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
    let store = Arc::<Fragile>::default();
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
    let store = Arc::<Fragile>::default();
    let tasks = Tasks::new();
    let watch = tasks.clone();
    let world = store.world(tasks);
    let id = world.start("gate").await["taskId"].clone();
    store.mute.store(true, Ordering::SeqCst);
    assert_not_stored(&world.ask("tasks/cancel", json!({"taskId": id})).await);
    assert_acknowledged(&world.ask("tasks/cancel", json!({"taskId": id})).await);
    at_rest(&watch).await;
    assert_eq!(world.get(&id).await["status"], "cancelled");
}
