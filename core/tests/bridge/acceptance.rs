//! What a client's host learns of notifications over HTTP: whether the server took them.

use std::sync::Arc;

use mcpbolt::bridge::{HostClient, Item, Outcome, RequestPlan};
use serde_json::{Value, json};

use crate::carried::asked_for;
use crate::driver::{Driver, client, server, text};
use crate::peer::raw;

const CHANGED: &str = "notifications/roots/list_changed";

/// The number of the next message that the client has carried; streams are refused.
fn carried(driver: &mut Driver, method: &str) -> (u64, Value) {
    loop {
        let (id, payload) = asked_for(driver);
        match payload["body"].as_str() {
            None => reply(driver, id, 405, ""),
            Some(body) => {
                let message: Value = serde_json::from_str(body).unwrap();
                assert_eq!(message["method"], method);
                return (id, message);
            }
        }
    }
}

fn reply(driver: &Driver, id: u64, status: u16, body: &str) {
    let headers = [["content-type", "application/json"]];
    let answer = json!({"status": status, "headers": headers, "body": body});
    assert!(driver.inbox.complete(id, Outcome::Result(raw(answer))));
}

/// A client whose server has answered `initialize`; the numbers of connection, handshake and
/// the notification that ends it.
fn opening(driver: &mut Driver, strict: bool) -> (Arc<HostClient>, u64, u64, u64) {
    let capabilities = json!({"roots": {"listChanged": true}});
    let client = client(driver, json!({"strict_opening": strict, "capabilities": capabilities}));
    let connection = client.open(&raw(json!({"url": "http://localhost/mcp", "carrier": true}))).unwrap();
    let handshake = client.initialize(connection, Some("legacy")).unwrap();
    let (id, message) = carried(driver, "initialize");
    let info = json!({"name": "s", "version": "1"});
    let result = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": info});
    let answer = json!({"jsonrpc": "2.0", "id": message["id"], "result": result});
    reply(driver, id, 200, &answer.to_string());
    let (last, _) = carried(driver, "notifications/initialized");
    (client, connection, handshake, last)
}

fn tell(driver: &Driver, target: u64) -> u64 {
    tell_of(driver, target, CHANGED, None)
}

fn tell_of(driver: &Driver, target: u64, method: &str, params: Option<Value>) -> u64 {
    let plan = RequestPlan::parse(&raw(json!({"notification": true}))).unwrap();
    driver.inbox.request_with(target, method, params.map(raw), plan)
}

#[test]
fn a_handshake_is_over_once_its_last_message_is_taken() {
    let mut driver = Driver::new();
    let (_client, connection, handshake, last) = opening(&mut driver, true);
    assert_eq!(text(&driver.inbox.describe_connection(connection).unwrap())["state"], "connecting");
    reply(&driver, last, 202, "");
    assert_eq!(driver.response(handshake).unwrap()["serverInfo"]["name"], "s");
}

#[test]
fn a_strict_client_does_not_begin_where_that_is_refused() {
    let mut driver = Driver::new();
    let (_client, connection, handshake, last) = opening(&mut driver, true);
    reply(&driver, last, 400, "");
    let refused = driver.response(handshake).unwrap_err();
    assert_eq!(refused.kind.as_str(), "transport");
    assert!(driver.closed(connection).is_some());
}

#[test]
fn others_begin_and_are_told() {
    let mut driver = Driver::new();
    let (_client, _, handshake, last) = opening(&mut driver, false);
    reply(&driver, last, 400, "");
    assert!(driver.response(handshake).is_ok());
    driver.next("log", |item| {
        matches!(item, Item::Log { message, .. } if message.contains("400")).then_some(())
    });
}

#[test]
fn a_watched_notification_ends_with_what_the_server_says() {
    let mut driver = Driver::new();
    let (client, connection, handshake, last) = opening(&mut driver, true);
    reply(&driver, last, 202, "");
    driver.response(handshake).unwrap();
    for status in [202, 400] {
        let told = tell(&driver, connection);
        let (id, _) = carried(&mut driver, CHANGED);
        reply(&driver, id, status, "");
        match driver.response(told) {
            Ok(answer) => assert_eq!((status, answer), (202, Value::Null)),
            Err(failure) => assert_eq!((status, failure.kind.as_str()), (400, "transport")),
        }
    }
    // One that is on its way when the connection ends.
    let told = tell(&driver, connection);
    carried(&mut driver, CHANGED);
    client.close();
    assert_eq!(driver.response(told).unwrap_err().kind.as_str(), "closed");
}

#[test]
fn where_nobody_can_tell_it_ends_when_it_is_sent() {
    let mut driver = Driver::new();
    let server = server(&driver, &json!({}));
    let client = client(&driver, json!({}));
    let connection = client.open_memory(&server).unwrap();
    let handshake = client.initialize(connection, Some("legacy")).unwrap();
    driver.response(handshake).unwrap();
    let told = tell(&driver, connection);
    assert_eq!(driver.response(told).unwrap(), Value::Null);
    let gone = tell(&driver, 1 << 60);
    assert_eq!(driver.response(gone).unwrap_err().kind.as_str(), "closed");
}

#[test]
fn a_watched_cancellation_ends_with_what_the_server_says() {
    let mut driver = Driver::new();
    let (_client, connection, handshake, last) = opening(&mut driver, true);
    reply(&driver, last, 202, "");
    driver.response(handshake).unwrap();
    let call = driver.inbox.request(connection, "ping", None, None);
    let (_, message) = carried(&mut driver, "ping");
    let params = json!({"requestId": message["id"], "reason": "enough"});
    let told = tell_of(&driver, connection, "notifications/cancelled", Some(params.clone()));
    let (id, message) = carried(&mut driver, "notifications/cancelled");
    assert_eq!(message["params"], params);
    reply(&driver, id, 202, "");
    assert_eq!(driver.response(told).unwrap(), Value::Null);
    assert_eq!(driver.response(call).unwrap_err().kind.as_str(), "cancelled");
}
