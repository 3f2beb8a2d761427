//! Bodies that a host hands over before somebody reads them.

use bytes::Bytes;
use mcpbolt::bridge::{HttpMount, IncomingHead, Item, Outcome};
use serde_json::json;

use crate::driver::{Driver, server};
use crate::http::{head_of, post};
use crate::peer::{modern, raw};

/// Begins a request of an address whose token is being checked: its number, and the check's.
fn begin(driver: &mut Driver, mount: &HttpMount, address: &str) -> (u64, u64) {
    let head = IncomingHead { peer: Some(address.parse().unwrap()), ..post() };
    let (request, items) = mount.request(head, None, 0).unwrap();
    assert!(items.is_empty(), "{items:?}");
    let check = driver.next("check", |item| match item {
        Item::Ask { id, service, .. } if service == "http.verify" => Some(*id),
        _ => None,
    });
    (request, check)
}

/// The status that a request ends with, once its sender is known.
fn status(driver: &mut Driver, (request, check): (u64, u64), principal: &str) -> u16 {
    driver.inbox.complete(check, Outcome::Result(raw(json!({"principal": principal}))));
    driver.next("head", |item| match item {
        Item::HttpHead { request: of, status, .. } if *of == request => Some(*status),
        _ => None,
    })
}

#[test]
fn bytes_count_for_their_sender_while_its_token_is_checked() {
    let mut driver = Driver::new();
    let server = server(&driver, &json!({"per_principal": {"in_flight_bytes": 100_000}}));
    let mount = server.mount(&json!({"verify": true, "stream_after_ms": 0}).into(), &driver.inbox).unwrap();
    let first = begin(&mut driver, &mount, "192.0.2.1:1");
    let second = begin(&mut driver, &mount, "192.0.2.1:2");
    let other = begin(&mut driver, &mount, "192.0.2.2:1");
    let body = |fill: usize| {
        let call = modern(1, "tools/call", json!({"name": "echo", "arguments": {"text": "x".repeat(fill)}}));
        Bytes::from(call.to_string())
    };
    let whole = body(70_000);
    for request in [first.0, second.0, other.0] {
        // In parts, of which none is too much alone.
        for part in whole.chunks(30_000) {
            assert!(head_of(&driver.inbox.http_body(request, Bytes::copy_from_slice(part), false)).is_none());
        }
        driver.inbox.http_body(request, Bytes::new(), true);
    }
    // Whoever they are: the address has its share, and no more.
    assert_eq!(status(&mut driver, second, "bob"), 503);
    assert_eq!(status(&mut driver, other, "carol"), 200);
    assert_eq!(status(&mut driver, first, "alice"), 200);
    // What was read counts for its principal; the address has its share again.
    let third = begin(&mut driver, &mount, "192.0.2.1:3");
    driver.inbox.http_body(third.0, body(70_000), true);
    assert_eq!(status(&mut driver, third, "bob"), 200);
    // Who leaves gives back what waited.
    let fourth = begin(&mut driver, &mount, "192.0.2.1:4");
    driver.inbox.http_body(fourth.0, body(70_000), true);
    assert!(driver.inbox.http_disconnect(fourth.0));
    let fifth = begin(&mut driver, &mount, "192.0.2.1:5");
    driver.inbox.http_body(fifth.0, body(70_000), true);
    assert_eq!(status(&mut driver, fifth, "dave"), 200);
}
