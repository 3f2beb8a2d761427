//! Threads that block: tools that are plain functions, and what they ask.

use std::sync::Arc;
use std::time::Duration;

use mcpbolt::bridge::{Inbox, InboxLimits, Item, Outcome, RequestPlan};
use serde_json::{Value, json};

use crate::driver::{Driver, client, server};
use crate::peer::raw;

fn worker_tools() -> Value {
    json!([
        {"tool": {"name": "ask", "inputSchema": {"type": "object"}}, "worker": true},
        {"tool": {"name": "loop", "inputSchema": {"type": "object"}}},
    ])
}

/// More than a loaded machine takes: what ends the wait is never this, or the wait of
/// the test itself would come first.
const PATIENT: Duration = Duration::from_mins(1);

/// A worker thread that asks the user and returns the answer.
fn worker(inbox: &Arc<Inbox>) -> std::thread::JoinHandle<Result<String, String>> {
    let inbox = Arc::clone(inbox);
    std::thread::spawn(move || {
        let Some(Item::Request(request)) = inbox.take_sync(PATIENT) else { return Err("no work".into()) };
        let params = json!({"message": "name?", "requestedSchema": {"type": "object", "properties": {}}});
        let plan = RequestPlan::within(Some(PATIENT));
        let answer = inbox.request_sync(request.call, "elicitation/create", Some(raw(params)), plan);
        let answer = answer.map_err(|failure| failure.kind)?;
        inbox.complete(request.call, Outcome::Result(raw(json!({"content": []}))));
        Ok(answer.as_str().to_owned())
    })
}

#[test]
fn a_thread_asks_and_waits_in_both_eras() {
    for protocol in ["legacy", "modern"] {
        let mut driver = Driver::new();
        let server = server(&driver, &json!({}));
        server.set_snapshot("tools", 1, &raw(worker_tools())).unwrap();
        let client = client(&driver, json!({}));
        let connection = client.open_memory(&server).unwrap();
        let id = client.initialize(connection, Some(protocol)).unwrap();
        driver.response(id).unwrap();
        let thread = worker(&driver.inbox);
        let id = driver.inbox.request(connection, "tools/call", Some(raw(json!({"name": "ask"}))), None);
        let question = driver.request("elicitation/create");
        assert!(driver.ok(question.call, json!({"action": "decline"})));
        assert!(driver.response(id).is_ok());
        assert!(thread.join().unwrap().unwrap().contains("decline"));
    }
}

#[test]
fn a_waiting_thread_ends_with_the_inbox_the_call_or_its_time() {
    let mut driver = Driver::new();
    let server = server(&driver, &json!({}));
    server.set_snapshot("tools", 1, &raw(worker_tools())).unwrap();
    let client = client(&driver, json!({}));
    let connection = client.open_memory(&server).unwrap();
    let id = client.initialize(connection, Some("legacy")).unwrap();
    driver.response(id).unwrap();
    let call = |driver: &Driver| {
        driver.inbox.request(connection, "tools/call", Some(raw(json!({"name": "ask"}))), None)
    };
    // The caller gives up.
    let thread = worker(&driver.inbox);
    let id = call(&driver);
    driver.request("elicitation/create");
    driver.inbox.cancel(id);
    assert_eq!(thread.join().unwrap(), Err("cancelled".into()));
    // Nobody answers in time.
    let inbox = Arc::clone(&driver.inbox);
    let plan = RequestPlan::within(Some(Duration::from_millis(20)));
    let unanswered = Some(raw(json!({"name": "loop"})));
    let failed = inbox.request_sync(connection, "tools/call", unanswered, plan);
    assert_eq!(failed.unwrap_err().kind, "timeout");
    // The inbox ends.
    let thread = worker(&driver.inbox);
    call(&driver);
    driver.request("elicitation/create");
    driver.inbox.close();
    assert_eq!(thread.join().unwrap(), Err("closed".into()));
    let late = driver.inbox.request_sync(connection, "ping", None, RequestPlan::default());
    assert_eq!(late.unwrap_err().kind, "closed");
}

#[test]
fn several_loops_share_a_servers_connections() {
    let (mut left, mut right) = (Driver::new(), Driver::new());
    let options = mcpbolt::bridge::Options::default();
    let inboxes = vec![Arc::clone(&left.inbox), Arc::clone(&right.inbox)];
    let server = mcpbolt::bridge::HostServer::new(options, inboxes).unwrap();
    let about = json!({"serverInfo": {"name": "two", "version": "1"}, "capabilities": {"tools": {}}});
    server.set_snapshot("server", 0, &raw(about)).unwrap();
    let ours = Driver::with(InboxLimits::default());
    let client = client(&ours, json!({}));
    let mut ours = ours;
    let ids: Vec<_> = (0..4)
        .map(|n| {
            let connection = client.open_memory(&server).unwrap();
            let id = client.initialize(connection, Some("legacy")).unwrap();
            ours.response(id).unwrap();
            let params = json!({"name": "echo", "arguments": {"n": n}});
            ours.inbox.request(connection, "tools/call", Some(raw(params)), None)
        })
        .collect();
    for driver in [&mut left, &mut right] {
        for _ in 0..2 {
            let call = driver.request("tools/call");
            assert!(driver.ok(call.call, json!({"content": []})));
        }
    }
    for id in ids {
        assert!(ours.response(id).is_ok());
    }
}
