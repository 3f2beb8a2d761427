//! Hosts that wait for `notifications/initialized`, met by clients that never send it.

use mcpbolt::bridge::{Framing, Item, Outcome, Slot};
use serde_json::json;

use crate::driver::{Driver, client, server, text};
use crate::peer::{Peer, modern, raw};

const INITIALIZED: &str = "notifications/initialized";

/// What came, as methods; with the numbers of requests.
fn came(peer: &mut Peer) -> (Vec<String>, Vec<u64>) {
    let mut calls = Vec::new();
    let methods = peer.take().into_iter().filter_map(|item| match item {
        Item::Notification { method, .. } => Some(method.to_string()),
        Item::Request(request) => {
            calls.push(request.call);
            Some(request.method.to_string())
        }
        _ => None,
    });
    (methods.collect(), calls)
}

fn waiting() -> Peer {
    let peer = Peer::modern();
    peer.server.set_slot(INITIALIZED, Slot::Host);
    peer
}

#[test]
fn first_modern_request_of_a_connection_is_told_once_and_before_it() {
    let mut peer = waiting();
    assert!(peer.feed(&modern(1, "server/discover", json!({}))).is_empty(), "the host answers");
    // What the host does on the news may change what follows in the same breath.
    assert!(peer.feed(&modern(2, "tools/list", json!({}))).is_empty());
    let (methods, calls) = came(&mut peer);
    assert_eq!(methods, [INITIALIZED, "server/discover", "tools/list"]);
    peer.set_tools(1, &json!([{"tool": {"name": "more", "inputSchema": {"type": "object"}}}]));
    for call in calls {
        assert!(peer.inbox.complete(call, Outcome::Result(raw(json!({"tools": []})))));
    }
    peer.inbox.drained();
    peer.outgoing();
    // From now on as ever.
    let reply = peer.feed(&modern(3, "tools/list", json!({})));
    assert_eq!(reply[0]["result"]["tools"][0]["name"], "more");
    assert!(came(&mut peer).0.is_empty());
    // Another connection has its own.
    peer.connection = peer.server.connect(Framing::Message).unwrap();
    peer.feed(&modern(1, "tools/list", json!({})));
    assert_eq!(came(&mut peer).0, [INITIALIZED, "tools/list"]);
}

#[test]
fn notification_says_who_the_client_is() {
    let mut peer = waiting();
    let mut first = modern(1, "tools/list", json!({}));
    first["params"]["_meta"]["io.modelcontextprotocol/clientInfo"] = json!({"name": "t", "version": "1"});
    first["params"]["_meta"]["progressToken"] = json!(7);
    peer.feed(&first);
    let items = peer.take();
    let Item::Notification { params: Some(params), connection, .. } = &items[0] else { panic!("{items:?}") };
    assert_eq!(*connection, peer.connection);
    assert_eq!(
        text(params),
        json!({"_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}},
        }})
    );
}

#[test]
fn who_does_not_wait_and_who_shook_hands_are_not_told() {
    let mut peer = Peer::modern();
    assert_eq!(peer.feed(&modern(1, "tools/list", json!({}))).len(), 1, "the engine answers");
    peer.server.set_fast_path(false);
    peer.feed(&modern(2, "tools/list", json!({})));
    assert_eq!(came(&mut peer).0, ["tools/list"]);

    let mut peer = waiting();
    // `hello` looks for the one notification the client sends.
    peer.hello();
    peer.feed(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}));
    assert!(came(&mut peer).0.is_empty());
}

#[test]
fn server_kept_legacy_hears_it_from_the_client() {
    let mut peer = Peer::with(
        mcpbolt::bridge::InboxLimits::default(),
        &json!({"revisions": ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]}),
    );
    peer.server.set_slot(INITIALIZED, Slot::Host);
    let refused = peer.feed(&modern(1, "server/discover", json!({})));
    assert!(refused[0]["error"].is_object(), "{refused:?}");
    assert!(came(&mut peer).0.is_empty());
    peer.hello();
}

#[test]
fn over_http_it_is_told_once_for_the_server() {
    let mut driver = Driver::new();
    let server = server(&driver, &json!({}));
    server.set_slot(INITIALIZED, Slot::Host);
    let (_, address) = server.listen_http(&json!({}).into()).unwrap();
    for round in 0..3 {
        let client = client(&driver, json!({}));
        let connection = client.open(&raw(json!({"url": format!("http://{address}/mcp")}))).unwrap();
        let id = client.initialize(connection, Some("modern")).unwrap();
        if round == 0 {
            assert!(driver.notification(INITIALIZED).1["_meta"].is_object());
            let call = driver.request("server/discover").call;
            driver.ok(call, json!({"capabilities": {"tools": {}}}));
        }
        driver.response(id).unwrap();
        driver.call(connection, "tools/list", json!({})).unwrap();
    }
    assert_eq!(driver.waiting(INITIALIZED), 0);
}
