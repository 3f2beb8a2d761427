//! A client that knows tasks: callers see results, or hold the task.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use mcpbolt::client::{self, Client, ClientSession, Started, TaskStatus};
use mcpbolt::server::{Server, Tasks};
use mcpbolt::transport::memory::MemoryTransport;
use mcpbolt::types::ElicitResult;
use mcpbolt::{ErrorKind, RawJson};
use serde_json::json;
use tokio::sync::Notify;

use crate::world::{builder, soon};

fn served(go: &Arc<Notify>) -> Server {
    let tasks = Tasks::new().poll_interval(std::time::Duration::from_millis(20));
    builder(go, tasks).build()
}

async fn connect(server: Server, asked: Arc<AtomicUsize>) -> ClientSession {
    let (ours, theirs) = MemoryTransport::pair();
    tokio::spawn(async move { server.serve(Arc::new(theirs)).await });
    let client = Client::builder("c", "1").extension(client::Tasks::new()).on_elicitation(move |_| {
        asked.fetch_add(1, Ordering::Relaxed);
        let content = RawJson::from(json!({"ok": true})).decode().expect("an object");
        std::future::ready(Ok(ElicitResult::accept(content)))
    });
    soon(client.build().connect(ours)).await.expect("connects")
}

#[tokio::test]
async fn a_call_goes_on_until_the_task_is_over() {
    let (go, asked) = (Arc::new(Notify::new()), Arc::new(AtomicUsize::new(0)));
    let session = connect(served(&go), Arc::clone(&asked)).await;
    go.notify_one();
    let result = soon(session.call_tool("gate", json!({}))).await.expect("a result");
    assert_eq!(result.content[0].as_text(), Some("done"));
    for (tool, questions, said) in
        [("ask", 1, "accepted: true"), ("ask_twice", 2, "both answered"), ("ask_both", 2, "true true")]
    {
        asked.store(0, Ordering::Relaxed);
        let result = soon(session.call_tool(tool, json!({}))).await.expect("a result");
        assert_eq!(result.content[0].as_text(), Some(said));
        assert_eq!(asked.load(Ordering::Relaxed), questions, "each question of {tool} is answered once");
    }
    assert!(soon(session.call_tool("fail", json!({}))).await.expect("a result").failed());
    let error = soon(session.call_tool("break", json!({}))).await.expect_err("it broke");
    assert_eq!((error.kind, &*error.message), (ErrorKind::InvalidParams, "broken"));
}

#[tokio::test]
async fn a_program_may_hold_the_task_instead() {
    let go = Arc::new(Notify::new());
    let session = connect(served(&go), Arc::default()).await;
    let Started::Task(task) = soon(session.start_tool("gate", json!({}))).await.expect("starts") else {
        panic!("no task")
    };
    let state = soon(task.get()).await.expect("is there");
    assert_eq!((state.status, state.poll_interval_ms), (TaskStatus::Working, Some(20)));
    go.notify_one();
    let result = soon(session.task(task.id()).wait()).await.expect("a result");
    assert_eq!(result.content[0].as_text(), Some("done"));

    let Started::Task(task) = soon(session.start_tool("gate", json!({}))).await.expect("starts") else {
        panic!("no task")
    };
    soon(task.cancel()).await.expect("heard");
    assert_eq!(soon(task.wait()).await.expect_err("given up").kind, ErrorKind::Cancelled);
}

#[tokio::test]
async fn a_client_that_does_not_know_tasks_is_told_what_it_lacks() {
    let (ours, theirs) = MemoryTransport::pair();
    let server = served(&Arc::default());
    tokio::spawn(async move { server.serve(Arc::new(theirs)).await });
    let session = soon(Client::builder("c", "1").build().connect(ours)).await.expect("connects");
    let error = soon(session.call_tool("gate", json!({}))).await.expect_err("refused");
    assert_eq!(error.kind, ErrorKind::MissingClientCapability);
}
