//! Tasks across the boundary: calls that the engine makes tasks of, calls that a host does, and
//! clients that wait for them or hold them.

use std::sync::Arc;
use std::time::{Duration, Instant};

use mcpbolt::bridge::{Failure, HostServer, Options, RequestPlan};
use serde_json::{Value, json};

use crate::driver::{Driver, client};
use crate::peer::raw;

/// A client and a server whose tools are `plain`, `maybe` and `must`.
struct Pair {
    ours: Driver,
    theirs: Driver,
    connection: u64,
    server: Arc<HostServer>,
}

impl Pair {
    fn new(client_options: Value, server_options: &Value) -> Self {
        let (mut ours, theirs) = (Driver::new(), Driver::new());
        let options = Options::parse(&server_options.into()).unwrap();
        let server = HostServer::new(options, vec![Arc::clone(&theirs.inbox)]).unwrap();
        let about = json!({"serverInfo": {"name": "s", "version": "1"}, "capabilities": {"tools": {}}});
        server.set_snapshot("server", 0, &about.into()).unwrap();
        let row = |name: &str, task: &str| json!({"tool": {"name": name, "inputSchema": {"type": "object"}}, "task": task});
        let tools = json!([row("plain", "forbidden"), row("maybe", "optional"), row("must", "required")]);
        server.set_snapshot("tools", 0, &tools.into()).unwrap();
        let client = client(&ours, client_options);
        let connection = client.open_memory(&server).unwrap();
        let id = client.initialize(connection, Some("modern")).unwrap();
        ours.response(id).unwrap();
        // The client lives as long as its connection.
        std::mem::forget(client);
        Self { ours, theirs, connection, server }
    }

    fn with_tasks(word: &str) -> Self {
        Self::new(json!({"tasks": word}), &json!({"tasks.poll_interval": 0.02}))
    }

    /// A request of the client's.
    fn ask(&self, method: &str, params: Value, plan: Value) -> u64 {
        let plan = RequestPlan::parse(&raw(plan)).unwrap();
        self.ours.inbox.request_with(self.connection, method, Some(raw(params)), plan)
    }

    fn call(&self, tool: &str) -> u64 {
        self.ask("tools/call", json!({"name": tool, "arguments": {}}), json!({}))
    }

    fn about(&self, method: &str, task: &Value, plan: Value) -> u64 {
        self.ask(method, json!({"taskId": task}), plan)
    }

    fn done(&mut self, call: u64, words: &str) {
        assert!(self.theirs.ok(call, json!({"content": [{"type": "text", "text": words}]})));
    }

    fn result(&mut self, id: u64) -> Value {
        self.ours.response(id).unwrap()["content"][0]["text"].clone()
    }

    fn refused(&mut self, id: u64) -> Failure {
        self.ours.response(id).unwrap_err()
    }
}

#[test]
fn a_client_that_waits_is_answered_when_the_task_is_over() {
    let mut pair = Pair::with_tasks("wait");
    let plain = pair.call("plain");
    let of_client = pair.theirs.request("tools/call");
    pair.done(of_client.call, "at once");
    assert_eq!(pair.result(plain), "at once");

    let id = pair.call("maybe");
    let of_task = pair.theirs.request("tools/call");
    assert_eq!(of_task.connection, of_client.connection, "the client's connection is named");
    let about: Value = pair.theirs.inbox.describe(of_task.call).unwrap().decode().unwrap();
    assert!(about["task"].is_string(), "{about}");
    pair.done(of_task.call, "later");
    assert_eq!(pair.result(id), "later");
}

#[test]
fn what_a_task_asks_is_a_request_and_its_answer_goes_back() {
    let mut pair = Pair::with_tasks("wait");
    let id = pair.call("must");
    let call = pair.theirs.request("tools/call").call;
    for round in ["one", "two"] {
        let asked = pair.theirs.inbox.request(call, "roots/list", None, None);
        pair.theirs.inbox.drained();
        let question = pair.ours.request("roots/list");
        assert_eq!(question.cause, id, "it belongs to the call");
        let roots = json!({"roots": [{"uri": format!("file:///{round}")}]});
        assert!(pair.ours.ok(question.call, roots.clone()));
        assert_eq!(pair.theirs.response(asked).unwrap()["roots"], roots["roots"]);
    }
    pair.done(call, "asked twice");
    assert_eq!(pair.result(id), "asked twice");
}

#[test]
fn a_task_can_be_held_waited_for_and_given_up() {
    let mut pair = Pair::with_tasks("raw");
    let id = pair.call("must");
    let call = pair.theirs.request("tools/call").call;
    let created = pair.ours.response(id).unwrap();
    assert_eq!(created["resultType"], "task");
    let task = created["taskId"].clone();
    let asked = pair.about("tasks/get", &task, json!({}));
    assert_eq!(pair.ours.response(asked).unwrap()["status"], "working");
    let waits = pair.about("tasks/get", &task, json!({"task": "wait"}));
    pair.done(call, "held");
    assert_eq!(pair.result(waits), "held");

    let id = pair.call("must");
    let call = pair.theirs.request("tools/call").call;
    let task = pair.ours.response(id).unwrap()["taskId"].clone();
    let waits = pair.about("tasks/get", &task, json!({"task": "wait"}));
    let cancel = pair.about("tasks/cancel", &task, json!({}));
    pair.ours.response(cancel).unwrap();
    assert_eq!(pair.refused(waits).kind, "cancelled");
    assert!(pair.theirs.inbox.is_cancelled(call));
}

#[test]
fn giving_up_on_a_call_leaves_its_task_alone() {
    let mut pair = Pair::with_tasks("wait");
    let id = pair.call("must");
    let call = pair.theirs.request("tools/call").call;
    // It is a task once the host has it, and the client may not have heard of that yet.
    assert!(pair.ours.inbox.cancel(id));
    assert_eq!(pair.refused(id).kind, "cancelled");
    assert!(!pair.theirs.inbox.is_cancelled(call));
    pair.done(call, "for nobody");
}

#[test]
fn a_host_makes_a_task_of_a_call_by_itself() {
    let mut pair = Pair::with_tasks("raw");
    let id = pair.call("plain");
    let call = pair.theirs.request("tools/call").call;
    let begun = pair.theirs.inbox.begin_task(call);
    let task = pair.theirs.response(begun).unwrap()["taskId"].clone();
    assert_eq!(pair.ours.response(id).unwrap()["taskId"], task);
    let again = pair.theirs.inbox.begin_task(call);
    assert_eq!(pair.theirs.response(again).unwrap()["taskId"], task);
    let waits = pair.about("tasks/get", &task, json!({"task": "wait"}));
    pair.done(call, "by itself");
    assert_eq!(pair.result(waits), "by itself");
    let gone = pair.theirs.inbox.begin_task(call);
    assert_eq!(pair.theirs.response(gone).unwrap_err().kind, "closed");
}

#[test]
fn the_file_of_a_closed_server_is_free_once_its_tasks_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let stores = format!("file:{}", folder.path().join("tasks.redb").display());
    let options = json!({"tasks.poll_interval": 0.02, "stores": stores});
    let opens = || HostServer::new(Options::parse(&(&options).into()).unwrap(), vec![Driver::new().inbox]);

    let mut pair = Pair::new(json!({"tasks": "raw"}), &options);
    let id = pair.call("must");
    let call = pair.theirs.request("tools/call").call;
    let task = pair.ours.response(id).unwrap()["taskId"].clone();
    pair.server.close();
    assert!(opens().unwrap_err().message.contains("another process or server has it open"));
    pair.done(call, "after the close");
    let end = Instant::now() + Duration::from_secs(20);
    while opens().is_err() {
        assert!(Instant::now() < end, "the file is still open");
        std::thread::yield_now();
    }

    // Its host still has the closed server.
    let mut next = Pair::new(json!({"tasks": "raw"}), &options);
    let waits = next.about("tasks/get", &task, json!({"task": "wait"}));
    assert_eq!(next.result(waits), "after the close");
    next.server.close();
    opens().unwrap().close();
    drop(pair);
}

#[test]
fn a_listener_that_stops_leaves_no_task_without_a_reason() {
    let mut pair = Pair::with_tasks("raw");
    let (listener, address) = pair.server.listen_http(&raw(json!({"port": 0, "drain": 0.03}))).unwrap();
    let far = client(&pair.ours, json!({"tasks": "raw"}));
    let connection = far.open(&raw(json!({"url": format!("http://{address}/mcp")}))).unwrap();
    let id = far.initialize(connection, Some("modern")).unwrap();
    pair.ours.response(id).unwrap();
    let params = json!({"name": "must", "arguments": {}});
    let id = pair.ours.inbox.request(connection, "tools/call", Some(raw(params)), None);
    let task = pair.ours.response(id).unwrap()["taskId"].clone();
    let call = pair.theirs.request("tools/call").call;
    assert!(pair.server.stop_http(listener));
    assert!(pair.theirs.closed(listener).is_none());
    assert!(pair.theirs.inbox.is_cancelled(call));
    let asked = pair.about("tasks/get", &task, json!({}));
    let lost = pair.ours.response(asked).unwrap();
    assert_eq!(lost["error"]["message"], "the server was stopped before the task ended", "{lost}");
    far.close();
}

#[test]
fn who_has_no_tasks_is_told_so() {
    let mut pair = Pair::new(json!({}), &json!({"tasks.poll_interval": 1}));
    let id = pair.call("must");
    assert_eq!(pair.refused(id).kind, "missing_client_capability");
    let id = pair.call("maybe");
    let call = pair.theirs.request("tools/call").call;
    let begun = pair.theirs.inbox.begin_task(call);
    assert_eq!(pair.theirs.response(begun).unwrap_err().kind, "missing_client_capability");
    pair.done(call, "without");
    assert_eq!(pair.result(id), "without");

    let mut pair = Pair::new(json!({"tasks": "wait"}), &json!({}));
    let id = pair.call("must");
    let call = pair.theirs.request("tools/call").call;
    let begun = pair.theirs.inbox.begin_task(call);
    assert_eq!(pair.theirs.response(begun).unwrap_err().kind, "usage");
    pair.done(call, "no tasks here");
    assert_eq!(pair.result(id), "no tasks here");
}
