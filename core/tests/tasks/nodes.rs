//! Two servers that share a store: a task runs on one, and its client reaches the other.

use std::sync::Arc;
use std::time::Duration;

use mcpbolt::handler::ManualClock;
use mcpbolt::server::{ServerBuilder, Tasks};
use mcpbolt::store::{
    Condition, ManualClock as TableClock, MemoryBus, MemoryLog, MemoryTable, Stores, Table, hashed,
};
use serde_json::{Value, json};

use crate::experimental::Old;
use crate::peer::text;
use crate::world::{World, assert_acknowledged, at_rest, soon};

/// What the nodes share.
struct Shared {
    table: Arc<MemoryTable>,
    stores: Stores,
    clock: Arc<TableClock>,
}

impl Shared {
    fn new() -> Self {
        let clock = Arc::new(TableClock::default());
        let table = Arc::new(MemoryTable::with_clock(100, 1 << 20, clock.clone()));
        let (log, bus) = (Arc::new(MemoryLog::new(100, 1 << 20)), Arc::new(MemoryBus::new(100, 100)));
        Self { stores: Stores::fleet(table.clone(), log, bus), table, clock }
    }

    fn node(&self) -> World {
        self.node_of(Tasks::new(), |builder| builder)
    }

    fn node_of(&self, tasks: Tasks, change: impl FnOnce(ServerBuilder) -> ServerBuilder) -> World {
        World::with(tasks, |builder| change(builder.own_stores(self.stores.clone())))
    }

    /// A stored task, as JSON.
    async fn record(&self, id: &Value) -> String {
        let key = format!("task/{}", hashed(id.as_str().expect("an id")));
        let found = self.table.get(&key).await.expect("a table").expect("a task");
        String::from_utf8(found.value.to_vec()).expect("JSON")
    }

    /// Until the node that does the work of a task has given a sign of life.
    async fn alive(&self, id: &Value) {
        let record: Value = serde_json::from_str(&self.record(id).await).expect("JSON");
        let key = format!("node/{}", record["run"].as_str().expect("a run"));
        soon(async {
            while self.table.get(&key).await.expect("a table").is_none() {
                tokio::task::yield_now().await;
            }
        })
        .await;
    }
}

fn yes() -> Value {
    json!({"action": "accept", "content": {"ok": true}})
}

fn key(task: &Value) -> String {
    let asked = task["inputRequests"].as_object().and_then(|asked| asked.keys().next());
    asked.unwrap_or_else(|| panic!("no question in {task}")).clone()
}

#[tokio::test]
async fn an_answer_at_another_node_reaches_the_work() {
    let shared = Shared::new();
    let (a, b) = (shared.node(), shared.node());
    for tool in ["ask", "ask_twice"] {
        let id = a.start(tool).await["taskId"].clone();
        loop {
            let asked = key(&b.until(&id, "input_required").await);
            b.answer(&id, json!({&asked: {"action": "maybe"}})).await;
            assert_eq!(b.get(&id).await["status"], "input_required", "that was no answer");
            b.answer(&id, json!({&asked: yes()})).await;
            assert!(b.get(&id).await["inputRequests"].get(&asked).is_none(), "what is taken is asked again");
            if tool == "ask" || asked == "key-2" {
                break;
            }
        }
        let done = a.until(&id, "completed").await;
        let words = if tool == "ask" { "accepted: true" } else { "both answered" };
        assert_eq!(done["result"]["content"][0]["text"], words);
        assert_eq!(b.get(&id).await["result"], done["result"]);
        assert!(!shared.record(&id).await.contains("accept\""), "an answer that was taken is kept");
    }
}

#[tokio::test]
async fn what_a_node_is_not_told_of_it_finds() {
    let table = Arc::new(MemoryTable::new(100, 1 << 20));
    let node = || World::with(Tasks::new(), |builder| builder.own_stores(Stores::shared(table.clone())));
    let (a, b) = (node(), node());
    let id = a.start("ask").await["taskId"].clone();
    let asked = key(&b.until(&id, "input_required").await);
    b.answer(&id, json!({&asked: yes()})).await;
    a.until(&id, "completed").await;
}

#[tokio::test]
async fn a_task_that_is_given_up_at_another_node_stops() {
    let shared = Shared::new();
    let tasks = Tasks::new();
    let watch = tasks.clone();
    let (a, b) = (shared.node_of(tasks, |builder| builder), shared.node());
    for tool in ["gate", "ask"] {
        let id = a.start(tool).await["taskId"].clone();
        assert_acknowledged(&b.ask("tasks/cancel", json!({"taskId": id})).await);
        // Where the message was lost, saying it again to the node that does the work has to do.
        assert_acknowledged(&a.ask("tasks/cancel", json!({"taskId": id})).await);
        at_rest(&watch).await;
        assert_eq!(b.get(&id).await["status"], "cancelled");
    }
}

#[tokio::test]
async fn a_client_of_2025_is_asked_by_the_node_that_it_waits_at() {
    let shared = Shared::new();
    let a = shared.node();
    let mut old = Old::of(shared.node()).await;
    soon(async {
        for refuses in [false, true] {
            let id = a.start("ask").await["taskId"].clone();
            a.until(&id, "input_required").await;
            old.send(9, "tasks/result", json!({"taskId": id})).await;
            let question = old.question(&id).await;
            if refuses {
                let error = json!({"code": -1, "message": "not now"});
                old.peer.send(json!({"jsonrpc": "2.0", "id": question, "error": error})).await;
                let fetched = old.next().await;
                assert!(fetched["id"] == 9 && fetched.to_string().contains("not now"), "{fetched}");
            } else {
                old.answer(&question, "accept").await;
                let fetched = old.next().await;
                assert_eq!((&fetched["id"], text(&fetched)), (&json!(9), "accepted: true"));
            }
        }
    })
    .await;
}

#[tokio::test]
async fn a_node_of_an_older_release_takes_no_answer_from_others() {
    let shared = Shared::new();
    let (a, b) = (shared.node(), shared.node());
    let id = a.start("ask").await["taskId"].clone();
    let asked = key(&b.until(&id, "input_required").await);
    // Their records name a process without more.
    let older = shared.record(&id).await.replace(r#""run":"node."#, r#""run":""#);
    let at = format!("task/{}", hashed("old"));
    shared.table.put(&at, older.into(), Condition::Absent, None).await.expect("room");
    let answers = json!({"taskId": "old", "inputResponses": {&asked: yes()}});
    let refused = b.ask("tasks/update", answers).await;
    assert_eq!(refused["error"]["data"]["reason"], "store", "{refused}");
    assert_eq!(key(&b.get(&json!("old")).await), asked, "it is still asked");
}

#[test]
fn the_tasks_of_a_node_that_died_have_failed() {
    let shared = Shared::new();
    let runtime = || tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    // All that a node does ends with its runtime, as with its process.
    let (dies, lives) = (runtime(), runtime());
    let (a, id) = dies.block_on(async {
        let a = shared.node();
        let id = a.start("gate").await["taskId"].clone();
        shared.alive(&id).await;
        (a, id)
    });
    lives.block_on(async {
        let clock = Arc::new(ManualClock::default());
        let b = shared.node_of(Tasks::new(), |builder| builder.clock(Arc::clone(&clock) as _));
        let status = async || b.get(&id).await["status"].clone();
        for _ in 0..5 {
            assert_eq!(status().await, "working", "it gives signs of life");
            clock.advance(Duration::from_secs(20));
        }
        let older = shared.record(&id).await.replace(r#""run":"node."#, r#""run":""#);
        let at = format!("task/{}", hashed("old"));
        shared.table.put(&at, older.into(), Condition::Absent, None).await.expect("room");

        dies.shutdown_background();
        shared.clock.advance(Duration::from_secs(7));
        assert_eq!(status().await, "working", "its sign of life is missed for the first time");
        clock.advance(Duration::from_secs(7));
        assert_eq!(status().await, "working", "a store that was away has none at first");
        clock.advance(Duration::from_secs(2));
        let lost = b.get(&id).await;
        assert_eq!((&lost["status"], &lost["error"]["code"]), (&json!("failed"), &json!(-32603)));
        assert_eq!(lost["error"]["data"]["reason"], "node_gone", "{lost}");
        assert_eq!(shared.node().get(&id).await["error"], lost["error"], "it is stored");
        // What older releases wrote may belong to a node that lives: those give no signs of it.
        assert_eq!(b.get(&json!("old")).await["status"], "working");
    });
    drop(a);
}
