//! Listeners that stop while tasks of their clients run.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use mcpbolt::client::{self, Client, ClientSession, Started};
use mcpbolt::transport::streamable_http::server::{HttpOptions, HttpServer};
use serde_json::{Value, json};
use tokio::net::TcpStream;

use crate::world::{World, soon};

const STOPPED: &str = "the server was stopped before the task ended";

async fn listen(world: &World, drain: Duration) -> HttpServer {
    let options = HttpOptions { drain, ..HttpOptions::default() };
    world.server.serve_http("127.0.0.1:0", options).await.expect("an address")
}

/// Starts a task that waits, over HTTP.
async fn start(http: &HttpServer) -> (ClientSession, Value) {
    let client = Client::builder("c", "1").extension(client::Tasks::new()).build();
    let session = soon(client.connect(format!("http://{}/mcp", http.local_addr()))).await.expect("connects");
    match soon(session.start_tool("gate", json!({}))).await.expect("starts") {
        Started::Task(task) => (session, json!(task.id())),
        Started::Done(result) => panic!("no task: {result:?}"),
    }
}

#[tokio::test]
async fn a_shutdown_waits_for_tasks() {
    let world = World::new();
    let http = listen(&world, Duration::from_hours(1)).await;
    let (address, (_session, id)) = (http.local_addr(), start(&http).await);
    let is_open = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&is_open);
    let shutdown = tokio::spawn(async move {
        http.shutdown().await;
        seen.load(Ordering::SeqCst)
    });
    soon(async {
        while TcpStream::connect(address).await.is_ok() {
            tokio::task::yield_now().await;
        }
    })
    .await;
    for _ in 0..1_000 {
        tokio::task::yield_now().await;
    }
    assert_eq!(world.get(&id).await["status"], "working");
    is_open.store(true, Ordering::SeqCst);
    world.go.notify_one();
    assert!(soon(shutdown).await.expect("no panic"), "it did not wait");
    let done = world.get(&id).await;
    assert_eq!(
        (&done["status"], &done["result"]["content"][0]["text"]),
        (&json!("completed"), &json!("done"))
    );
}

#[tokio::test]
async fn what_runs_when_the_drain_time_is_over_has_failed_and_says_why() {
    let world = World::new();
    let drain = Duration::from_millis(30);
    let (one, other) = (listen(&world, drain).await, listen(&world, drain).await);
    let (_session, id) = start(&one).await;
    let elsewhere = world.start("gate").await["taskId"].clone();
    soon(one.shutdown()).await;
    assert_eq!(world.get(&id).await["status"], "working", "it can still be asked for");
    soon(other.shutdown()).await;
    let lost = world.get(&id).await;
    assert_eq!((&lost["status"], &lost["error"]["code"]), (&json!("failed"), &json!(-32603)));
    assert_eq!(lost["error"]["message"], STOPPED);
    assert_eq!(world.get(&elsewhere).await["status"], "working", "its client is connected");
}
