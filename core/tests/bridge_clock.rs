//! Time that tests of bindings move. A binary of its own: it moves for the whole process.

use std::sync::Arc;
use std::time::{Duration, Instant};

use mcpbolt::bridge::{
    ClientOptions, Framing, HostClient, HostServer, Inbox, InboxLimits, Item, Options, Outcome, RequestPlan,
    testing,
};
use mcpbolt_proto::jsonrpc::RawJson;
use serde_json::{Value, json};

const WAIT: Duration = Duration::from_secs(5);
const HOUR: Duration = Duration::from_hours(1);

fn raw(value: Value) -> RawJson {
    value.into()
}

/// All items, once nothing is due any more.
fn settled(inbox: &Inbox) -> Vec<Item> {
    let end = Instant::now() + WAIT;
    let mut items = Vec::new();
    loop {
        items.extend(inbox.take(64, 1 << 20));
        if inbox.settle(Duration::from_millis(5)) {
            return items;
        }
        assert!(Instant::now() < end, "something still moves: {items:?}");
    }
}

/// A client that has met its server, which the test plays.
fn opened(inbox: &Arc<Inbox>, mut options: Value) -> (Arc<HostClient>, u64) {
    options["client_info"] = json!({"name": "c", "version": "1"});
    options["protocol"] = "legacy".into();
    let client = HostClient::new(ClientOptions::parse(&options.into()).unwrap(), Arc::clone(inbox));
    let connection = client.open_fed(Framing::Message).unwrap();
    client.initialize(connection, None).unwrap();
    let hello = json!({"jsonrpc": "2.0", "id": 1, "result": {"protocolVersion": "2025-11-25",
        "serverInfo": {"name": "s", "version": "1"}, "capabilities": {"tools": {}}}});
    client.feed(connection, hello.to_string().into()).unwrap();
    settled(inbox);
    client.take_outgoing(connection).unwrap();
    (client, connection)
}

/// Without a timeout of its own, a request whose timeout is fixed has the client's 60 s.
fn progress_earns_no_time_where_the_timeout_is_fixed(inbox: &Arc<Inbox>) {
    let (client, connection) = opened(inbox, json!({}));
    let asked = [false, true].map(|resets| {
        let plan = json!({"progress": true, "reset_on_progress": resets});
        let plan = RequestPlan::parse(&plan.into()).unwrap();
        inbox.request_with(connection, "tools/list", None, plan)
    });
    testing::advance(Duration::from_secs(40));
    for sent in client.take_outgoing(connection).unwrap() {
        let token = serde_json::from_str::<Value>(&sent).unwrap()["id"].clone();
        let progress = json!({"jsonrpc": "2.0", "method": "notifications/progress",
            "params": {"progressToken": token, "progress": 1}});
        client.feed(connection, progress.to_string().into()).unwrap();
    }
    testing::advance(Duration::from_secs(40));
    let (end, mut over) = (Instant::now() + WAIT, Vec::new());
    while over.is_empty() {
        assert!(Instant::now() < end, "progress has kept it alive");
        inbox.settle(Duration::from_millis(5));
        over.extend(inbox.take(64, 1 << 20).into_iter().filter_map(|item| match item {
            Item::Response { id, outcome: Err(failure), .. } => Some((id, failure.kind)),
            _ => None,
        }));
    }
    assert_eq!(over, [(asked[0], "timeout".into())]);
    client.close();
    settled(inbox);
}

/// A timeout that progress does not put off, and a longest time of the caller's own, are those of a call
/// with all that its task takes. Without them it takes what it takes.
fn a_task_takes_no_longer_than_its_caller_waits(inbox: &Arc<Inbox>) {
    let options = json!({"client_info": {"name": "c", "version": "1"}, "tasks": "wait"});
    let client = HostClient::new(ClientOptions::parse(&options.into()).unwrap(), Arc::clone(inbox));
    let connection = client.open_fed(Framing::Message).unwrap();
    let discovered = json!({"supportedVersions": ["2026-07-28"],
        "capabilities": {"tools": {}, "extensions": {"io.modelcontextprotocol/tasks": {}}},
        "serverInfo": {"name": "s", "version": "1"}});
    client.adopt(connection, "2026-07-28", raw(discovered)).unwrap();
    let plans =
        [json!({"timeout": 10, "reset_on_progress": false}), json!({"timeout": 10, "max": 20}), json!({})];
    let calls = plans.map(|plan| {
        let plan = RequestPlan::parse(&plan.into()).unwrap();
        inbox.request_with(connection, "tools/call", Some(raw(json!({"name": "x", "arguments": {}}))), plan)
    });
    let requests = || -> Vec<Value> {
        let sent = client.take_outgoing(connection).unwrap();
        sent.iter().map(|message| serde_json::from_str(message).unwrap()).collect()
    };
    testing::advance(Duration::from_secs(6));
    let sent = requests();
    assert_eq!(sent.len(), calls.len(), "{sent:?}");
    for (number, call) in sent.iter().enumerate() {
        let task = json!({"jsonrpc": "2.0", "id": call["id"], "result": {"resultType": "task",
            "taskId": format!("t{number}"), "status": "working", "createdAt": "2026-08-01T10:00:00Z",
            "lastUpdatedAt": "2026-08-01T10:00:00Z", "ttlMs": null, "pollIntervalMs": 60_000}});
        client.feed(connection, task.to_string().into()).unwrap();
    }
    let failures = || -> Vec<(u64, String)> {
        let failure = |item| match item {
            Item::Response { id, outcome: Err(failure), .. } => Some((id, failure.kind)),
            _ => None,
        };
        settled(inbox).into_iter().filter_map(failure).collect()
    };
    for (call, left) in [(calls[0], 2), (calls[1], 7)] {
        testing::advance(Duration::from_secs(3));
        assert_eq!(failures(), [], "it waits");
        testing::advance(Duration::from_secs(left));
        let (end, mut over) = (Instant::now() + WAIT, Vec::new());
        while over.is_empty() {
            assert!(Instant::now() < end, "a call goes on");
            over = failures();
        }
        assert_eq!(over, [(call, "timeout".to_owned())]);
        assert!(requests().is_empty(), "its task goes on");
    }
    assert_eq!(failures(), [], "the third waits");
    client.close();
    settled(inbox);
}

/// One test: what moves the time of one would move it for others.
#[test]
fn hours_pass_in_no_time() {
    let inbox = Inbox::new(InboxLimits::default());
    progress_earns_no_time_where_the_timeout_is_fixed(&inbox);
    a_task_takes_no_longer_than_its_caller_waits(&inbox);
    let (_client, connection) = opened(&inbox, json!({"request_timeout": 3000}));
    let id = inbox.request(connection, "tools/list", None, None);
    testing::advance(Duration::from_secs(2999));
    assert!(!inbox.settle(Duration::ZERO), "it still waits");
    testing::advance(Duration::from_secs(2));
    let failed = settled(&inbox).into_iter().find_map(|item| match item {
        Item::Response { id: of, outcome: Err(failure), .. } if of == id => Some(failure.kind),
        _ => None,
    });
    assert_eq!(failed.as_deref(), Some("timeout"));

    // A parked call is forgotten when its time is over.
    let server = HostServer::new(Options::default(), vec![Arc::clone(&inbox)]).unwrap();
    let about = json!({"serverInfo": {"name": "s", "version": "1"}, "capabilities": {"tools": {}}});
    server.set_snapshot("server", 0, &raw(about)).unwrap();
    let peer = server.connect(Framing::Message).unwrap();
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "x", "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {"roots": {}}}}});
    server.feed(peer, call.to_string().into(), 0).unwrap();
    let call = inbox
        .take(64, 1 << 20)
        .into_iter()
        .find_map(|item| if let Item::Request(request) = item { Some(request.call) } else { None })
        .unwrap();
    inbox.request(call, "roots/list", None, None);
    inbox.drained();
    assert_eq!(server.engine().parking().len(), 1);
    testing::advance(HOUR);
    let end = Instant::now() + WAIT;
    let mut gone = false;
    while !gone {
        assert!(Instant::now() < end, "the parked call lives for ever");
        inbox.settle(Duration::from_millis(5));
        let is_end = |item: &Item| matches!(item, Item::Cancel { call: of, .. } if *of == call);
        gone = inbox.take(64, 1 << 20).iter().any(is_end);
    }
    assert_eq!(server.engine().parking().len(), 0);
    inbox.complete(call, Outcome::Result(RawJson::empty_object()));
}
