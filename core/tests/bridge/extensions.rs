//! Methods of extensions that a host declares: their rows decide who may send them, under which
//! name the audit and access rules know them, and what a client does not send.

use std::sync::Arc;

use mcpbolt::bridge::{Framing, HostServer, Item, Outcome, Slot};
use serde_json::{Value, json};

use crate::driver::{Driver, client, server, text};
use crate::peer::raw;

const ID: &str = "com.example/colours";
const MIX: &str = "com.example/mix";
const GUESS: &str = "com.example/guess";

/// A server whose host answers two methods of an extension, one of them for everybody.
fn studio(driver: &Driver, options: &Value) -> (Arc<HostServer>, u64) {
    let server = server(driver, options);
    let about = json!({"serverInfo": {"name": "studio", "version": "1"},
    "capabilities": {"extensions": {ID: {"depth": 8}}},
    "extensionMethods": [
        {"extension": ID, "method": MIX, "named_by": "name", "since": "2026-07-28"},
        {"extension": ID, "method": GUESS, "undeclared": "serve"},
    ]});
    server.set_snapshot("server", 0, &about.into()).unwrap();
    for method in [MIX, GUESS] {
        server.set_slot(method, Slot::Host);
    }
    let connection = server.connect(Framing::Message).unwrap();
    (server, connection)
}

/// Sends a request of 2026-07-28; what is answered without the host.
fn feed(server: &HostServer, connection: u64, method: &str, capabilities: &Value) -> Option<Value> {
    let message = json!({"jsonrpc": "2.0", "id": method, "method": method, "params": {"name": "sky", "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": capabilities,
    }}});
    let sent = server.feed(connection, message.to_string().into(), 0).unwrap();
    sent.first().map(|text| serde_json::from_str(text).unwrap())
}

#[test]
fn a_row_says_who_may_send_its_method() {
    let mut driver = Driver::new();
    let (server, connection) = studio(&driver, &json!({}));
    let (declared, nothing) = (json!({"extensions": {ID: {}}}), json!({}));
    let refused = feed(&server, connection, MIX, &nothing).expect("the engine refuses");
    assert_eq!(refused["error"]["code"], -32021);
    assert!(refused["error"]["data"]["requiredCapabilities"]["extensions"].get(ID).is_some(), "{refused}");
    assert_eq!(feed(&server, connection, MIX, &declared), None);
    assert_eq!(driver.request(MIX).name.as_deref(), Some("sky"));
    // Whoever answers it decides what others get.
    assert_eq!(feed(&server, connection, GUESS, &nothing), None);
    driver.request(GUESS);
    // What a row does not have in this revision does not exist.
    let old = server.connect_streams(Some("2025-11-25")).unwrap();
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": MIX, "params": {}}).to_string();
    let sent = server.feed_stream(old, 1, message.into(), 0).unwrap();
    assert!(sent[0].contains("-32601"), "{}", &sent[0]);
}

#[test]
fn access_rules_and_the_audit_know_methods_of_extensions() {
    let mut driver = Driver::new();
    let (server, connection) = studio(&driver, &json!({"authorize": true, "audit": {"service": true}}));
    for (verdict, code) in [(json!("hide"), -32601), (json!({"deny": "not today"}), 403)] {
        assert_eq!(feed(&server, connection, GUESS, &json!({})), None);
        let (ask, actions) = driver.next("question about access", |item| match item {
            Item::Ask { id, service, payload } if service == "server.authorize" => {
                Some((*id, text(payload)["actions"].clone()))
            }
            _ => None,
        });
        assert_eq!(actions, json!([{"verb": "call", "thing": "method", "name": GUESS}]));
        driver.inbox.complete(ask, Outcome::Result(raw(json!([verdict]))));
        let sent = server.take_outgoing(connection).unwrap();
        let answer: Value = serde_json::from_str(&sent[0]).unwrap();
        assert_eq!(answer["error"]["code"], code, "{answer}");
    }
    let records = driver.next("records", |item| match item {
        Item::Ask { payload, service, .. } if service != "server.authorize" => Some(text(payload)),
        _ => None,
    });
    assert!(records.to_string().contains(GUESS), "{records}");
}

#[test]
fn a_client_names_what_it_sends_and_keeps_what_a_server_did_not_declare() {
    let mut driver = Driver::new();
    let (studio, _) = studio(&driver, &json!({}));
    let plain = server(&driver, &json!({}));
    let rows = json!([{"extension": ID, "method": MIX, "named_by": "name"}]);
    let declared = json!({"extensions": {ID: {}}});
    for (server, has_it) in [(&studio, true), (&plain, false)] {
        let client = client(&driver, json!({"extension_methods": rows, "capabilities": declared}));
        let connection = client.open_memory(server).unwrap();
        let id = client.initialize(connection, Some("modern")).unwrap();
        driver.response(id).unwrap();
        let id = driver.inbox.request(connection, MIX, Some(raw(json!({"name": "sky"}))), None);
        if has_it {
            let request = driver.request(MIX);
            assert_eq!(request.name.as_deref(), Some("sky"));
            driver.ok(request.call, json!({"mixed": "blue"}));
            assert_eq!(driver.response(id).unwrap()["mixed"], "blue");
        } else {
            let refused = driver.response(id).expect_err("the server does not have it");
            assert_eq!((&*refused.kind, refused.code), ("method_not_found", -32601));
        }
    }
}
