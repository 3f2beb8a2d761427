//! Requests over HTTP that the host carries: bodies that are too much, sessions that are lost.

use bytes::Bytes;
use mcpbolt::bridge::{HostTransport, Item, Outcome, RequestPlan};
use serde_json::{Value, json};

use crate::carried::{self, asked_for};
use crate::driver::{Driver, client, text};
use crate::peer::raw;

#[test]
fn a_body_whose_last_part_is_too_much_is_not_taken_for_an_empty_one() {
    let mut driver = Driver::new();
    let client = client(&driver, json!({}));
    let target = raw(json!({"url": "http://localhost/mcp", "carrier": true, "max_message_bytes": 64}));
    let too_much = "x".repeat(65);
    for in_parts in [false, true] {
        let connection = client.open(&target).unwrap();
        let id = client.initialize(connection, Some("modern")).unwrap();
        let (fetch, _) = asked_for(&mut driver);
        let body = if in_parts { "" } else { &too_much };
        let head = json!({"status": 200, "headers": [["content-type", "application/json"]],
            "body": body, "more": in_parts});
        driver.inbox.complete(fetch, Outcome::Result(raw(head)));
        if in_parts {
            driver.inbox.http_body(fetch, Bytes::from(too_much.clone()), true);
        }
        let failed = driver.response(id).unwrap_err();
        assert!(failed.message.contains("faster than it is read"), "{failed:?}");
    }
}

#[test]
fn what_follows_a_lost_session_is_refused_and_does_not_wait() {
    let mut driver = Driver::new();
    let target = raw(json!({"url": "http://localhost/mcp", "carrier": true}));
    let transport = HostTransport::open(&target, &driver.inbox).unwrap();
    let send = |message: Value| transport.send(&raw(message)).unwrap();
    let list = |id: u32| json!({"jsonrpc": "2.0", "id": id, "method": "tools/list"});
    let answer = |driver: &Driver, fetch, mut answer: Value| {
        answer["headers"].as_array_mut().unwrap().push(json!(["mcp-session-id", "first"]));
        driver.inbox.complete(fetch, Outcome::Result(raw(answer)));
    };
    send(json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}}));
    let (fetch, hello) = asked_for(&mut driver);
    answer(&driver, fetch, carried::answer(&hello));
    driver.next("welcome", |item| matches!(item, Item::Message { .. }).then_some(()));
    send(json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    // That, and the stream for what belongs to no request.
    for _ in 0..2 {
        let (fetch, request) = asked_for(&mut driver);
        answer(&driver, fetch, carried::answer(&request));
    }
    // Two on their way when the session is lost, and one that comes later.
    let refuse = |driver: &mut Driver, session: bool| {
        let (fetch, request) = asked_for(driver);
        let named = request["headers"].as_array().unwrap().contains(&json!(["mcp-session-id", "first"]));
        assert_eq!((&request["method"], named), (&json!("POST"), session), "{request}");
        (fetch, json!({"status": 404, "headers": [], "body": ""}))
    };
    let failed = |driver: &mut Driver| {
        driver.next("failure", |item| match item {
            Item::SendFailed { id, .. } => Some(text(id)),
            _ => None,
        })
    };
    send(list(7));
    send(list(8));
    for (fetch, refusal) in [refuse(&mut driver, true), refuse(&mut driver, true)] {
        driver.inbox.complete(fetch, Outcome::Result(raw(refusal)));
    }
    failed(&mut driver);
    let (fetch, refusal) = refuse(&mut driver, false);
    driver.inbox.complete(fetch, Outcome::Result(raw(refusal)));
    failed(&mut driver);
    send(list(9));
    let (fetch, refusal) = refuse(&mut driver, false);
    driver.inbox.complete(fetch, Outcome::Result(raw(refusal)));
    assert_eq!(failed(&mut driver), json!(9));
}

#[test]
fn a_request_of_the_programs_own_says_what_it_names_and_nothing_else_of_the_protocol() {
    let mut driver = Driver::new();
    let client = client(&driver, json!({}));
    let connection = client.open(&raw(json!({"url": "http://localhost/mcp", "carrier": true}))).unwrap();
    let known = json!({"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}});
    client.adopt(connection, "2026-07-28", raw(known)).unwrap();
    let headers = json!([["Mcp-Name", "job-7"], ["Mcp-Method", "other"], ["X-Colour", "blue"]]);
    for (method, name) in [("com.example/jobs", "job-7"), ("tools/call", "echo")] {
        let plan = RequestPlan::parse(&raw(json!({"headers": headers}))).unwrap();
        driver.inbox.request_with(connection, method, Some(raw(json!({"name": "echo"}))), plan);
        let (_, request) = asked_for(&mut driver);
        let sent = |wanted: &str| {
            let all = request["headers"].as_array().unwrap();
            all.iter()
                .filter(|header| header[0] == wanted)
                .map(|header| header[1].clone())
                .collect::<Vec<_>>()
        };
        assert_eq!((sent("mcp-name"), sent("mcp-method")), (vec![json!(name)], vec![json!(method)]));
        assert_eq!(sent("x-colour"), [json!("blue")]);
    }
}
