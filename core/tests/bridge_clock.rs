//! Time that tests of bindings move. A binary of its own: it moves for the whole process.

use std::sync::Arc;
use std::time::{Duration, Instant};

use mcpbolt::bridge::{
    ClientOptions, Framing, HostClient, HostServer, Inbox, InboxLimits, Item, Options, Outcome, testing,
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

/// One test: what moves the time of one would move it for others.
#[test]
fn hours_pass_in_no_time() {
    let inbox = Inbox::new(InboxLimits::default());
    let options = json!({"client_info": {"name": "c", "version": "1"}, "protocol": "legacy",
        "request_timeout": 3000});
    let client = HostClient::new(ClientOptions::parse(&options.into()).unwrap(), Arc::clone(&inbox));
    let connection = client.open_fed(Framing::Message).unwrap();
    client.initialize(connection, None).unwrap();
    let hello = json!({"jsonrpc": "2.0", "id": 1, "result": {"protocolVersion": "2025-11-25",
        "serverInfo": {"name": "s", "version": "1"}, "capabilities": {"tools": {}}}});
    client.feed(connection, hello.to_string().into()).unwrap();
    settled(&inbox);

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
