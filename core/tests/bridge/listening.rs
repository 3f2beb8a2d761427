//! Whether a legacy server may say something by itself over HTTP, as the host hears it.

use mcpbolt::bridge::{Item, Outcome};
use serde_json::json;

use crate::carried::answer;
use crate::driver::{Driver, client, text};
use crate::peer::raw;

#[test]
fn a_host_hears_that_a_server_refuses_the_stream_of_what_belongs_to_no_request() {
    let mut driver = Driver::new();
    let client = client(&driver, json!({}));
    let connection = client.open(&raw(json!({"url": "http://127.0.0.1:9/mcp", "carrier": true}))).unwrap();
    client.initialize(connection, Some("legacy")).unwrap();
    let mut told = Vec::new();
    while told.last() != Some(&false) {
        let (question, on) = driver.next("ask, or word of the stream", |item| match item {
            Item::Ask { id, payload, .. } => Some((Some((*id, text(payload))), None)),
            Item::Listening { connection: of, on } if *of == connection => Some((None, Some(*on))),
            _ => None,
        });
        told.extend(on);
        if let Some((id, payload)) = question {
            driver.inbox.complete(id, Outcome::Result(raw(answer(&payload))));
        }
    }
    assert_eq!(told, [true, false]);
}
