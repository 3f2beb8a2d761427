//! Requests over HTTP that the host carries: bodies that are too much, sessions that are lost.

use bytes::Bytes;
use mcpbolt::bridge::{Item, Outcome};
use serde_json::{Value, json};

use crate::driver::{Driver, client, text};
use crate::peer::raw;

/// The next request that the host is to carry, and its number.
fn carried(driver: &mut Driver) -> (u64, Value) {
    driver.next("fetch", |item| match item {
        Item::Ask { id, service, payload } if service == "client.fetch" => Some((*id, text(payload))),
        _ => None,
    })
}

#[test]
fn a_body_whose_last_part_is_too_much_is_not_taken_for_an_empty_one() {
    let mut driver = Driver::new();
    let client = client(&driver, json!({}));
    let target = raw(json!({"url": "http://localhost/mcp", "carrier": true, "max_message_bytes": 64}));
    let too_much = "x".repeat(65);
    for in_parts in [false, true] {
        let connection = client.open(&target).unwrap();
        let id = client.initialize(connection, Some("modern")).unwrap();
        let (fetch, _) = carried(&mut driver);
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
