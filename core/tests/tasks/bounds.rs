//! How many tasks there may be, for how long, and what is said beyond.

use std::sync::Arc;
use std::time::Duration;

use mcpbolt::Limits;
use mcpbolt::handler::ManualClock;
use mcpbolt::server::{Context, TaskSupport, Tasks};
use serde_json::{Value, json};

use crate::world::{Nothing, World, at_rest, soon};

async fn call(world: &World, tool: &str) -> Value {
    world.ask("tools/call", json!({"name": tool, "arguments": {}})).await
}

#[tokio::test]
async fn tasks_that_run_are_counted_per_client_and_in_all() {
    for limits in
        [Limits { tasks_per_principal: 2, ..Limits::default() }, Limits { tasks_max: 2, ..Limits::default() }]
    {
        let world = World::with(Tasks::new(), |builder| builder.limits(limits));
        let first = world.start("gate").await;
        world.start("gate").await;
        let refused = call(&world, "gate").await;
        assert_eq!(refused["error"]["code"], -32603, "{refused}");
        assert!(refused["error"]["message"].as_str().is_some_and(|m| m.contains("Overloaded")), "{refused}");
        world.ask("tasks/cancel", json!({"taskId": first["taskId"]})).await;
    }
}

#[tokio::test]
async fn a_store_without_room_is_told_by_name() {
    let limits = Limits { tasks_bytes: 100, ..Limits::default() };
    let world = World::with(Tasks::new(), |builder| builder.limits(limits));
    let refused = call(&world, "gate").await;
    assert_eq!(refused["error"]["message"], "the task could not be stored: the table is full", "{refused}");
    // Room for a task, and none for what it comes to.
    let limits = Limits { tasks_bytes: 2_000, ..Limits::default() };
    let tasks = Tasks::new().tool("long", TaskSupport::Required);
    let world = World::with(tasks, |builder| builder.limits(limits).tool("long", "Much", long));
    let id = world.start("long").await["taskId"].clone();
    let task = world.until(&id, "failed").await;
    assert_eq!(task["error"]["code"], -32603);
    assert_eq!(task["error"]["message"], "the task could not be stored: the table is full");
}

async fn long(_: Nothing, _: Context) -> String {
    "x".repeat(3_000)
}

#[tokio::test]
async fn a_task_lives_as_long_as_it_was_promised() {
    let clock = Arc::new(ManualClock::default());
    let tasks = Tasks::new().ttl(Some(Duration::from_mins(1))).poll_interval(Duration::from_millis(250));
    let world = World::with(tasks, |builder| builder.clock(Arc::clone(&clock) as _));
    let created = world.start("gate").await;
    assert_eq!((created["ttlMs"].as_u64(), created["pollIntervalMs"].as_u64()), (Some(60_000), Some(250)));
    let endless = World::with(Tasks::new().ttl(None), |builder| builder);
    assert_eq!(endless.start("gate").await["ttlMs"], Value::Null);
}

#[tokio::test]
async fn the_work_ends_with_its_task() {
    let tasks = Tasks::new().ttl(Some(Duration::from_millis(30)));
    let watch = tasks.clone();
    let world = World::with(tasks, |builder| builder);
    let id = world.start("gate").await["taskId"].clone();
    soon(async {
        while world.ask("tasks/get", json!({"taskId": id})).await["error"]["code"] != -32602 {
            tokio::task::yield_now().await;
        }
    })
    .await;
    at_rest(&watch).await;
}
