//! Under which JSON-RPC ids the requests of a host go to its server.

use std::sync::Arc;

use mcpbolt::bridge::{HostClient, HostServer, Item, RequestPlan};
use mcpbolt_proto::jsonrpc::RawJson;
use serde_json::json;

use crate::driver::{Driver, client, server};
use crate::fed::Fed;
use crate::peer::raw;

/// A client of a server in this process.
struct Pair {
    driver: Driver,
    connection: u64,
    _server: Arc<HostServer>,
    _client: Arc<HostClient>,
}

impl Pair {
    fn open(protocol: &str) -> Self {
        let mut driver = Driver::new();
        let server = server(&driver, &json!({}));
        let client = client(&driver, json!({}));
        let connection = client.open_memory(&server).unwrap();
        let opened = client.initialize(connection, Some(protocol)).unwrap();
        driver.response(opened).unwrap();
        Self { driver, connection, _server: server, _client: client }
    }

    fn ask(&self, method: &str, params: Option<RawJson>, told: bool) -> u64 {
        let plan = RequestPlan { told, ..RequestPlan::default() };
        self.driver.inbox.request_with(self.connection, method, params, plan)
    }

    /// What comes next for a request: the id it was sent under, or nothing if it is answered.
    fn next(&mut self, id: u64) -> Option<String> {
        self.driver.next("sent or response", |item| match item {
            Item::Sent { id: of, request } if *of == id => Some(Some(request.clone())),
            Item::Response { id: of, outcome, .. } if *of == id => {
                assert!(outcome.is_ok(), "{outcome:?}");
                Some(None)
            }
            _ => None,
        })
    }
}

#[test]
fn the_host_hears_of_the_id_before_the_answer_and_only_if_it_wants_to() {
    for protocol in ["legacy", "modern"] {
        let mut pair = Pair::open(protocol);
        let mut last = 0;
        for round in 0..200 {
            let told = round % 4 != 3;
            let id = pair.ask("tools/list", None, told);
            if told {
                let sent = pair.next(id).expect("the id comes before the answer");
                let sent: u64 = sent.parse().unwrap();
                assert!(sent > last, "{protocol}: {sent} after {last}");
                last = sent;
            }
            assert_eq!(pair.next(id), None, "{protocol}");
        }
    }
}

#[test]
fn each_round_of_questions_has_an_id_of_its_own() {
    let mut pair = Pair::open("modern");
    let id = pair.ask("tools/call", Some(raw(json!({"name": "echo"}))), true);
    let first = pair.next(id).unwrap();
    let call = pair.driver.request("tools/call").call;
    pair.driver.inbox.request(call, "roots/list", None, None);
    pair.driver.inbox.drained();
    let question = pair.driver.request("roots/list").call;
    pair.driver.ok(question, json!({"roots": []}));
    let second = pair.next(id).unwrap();
    assert_ne!(first, second);
    pair.driver.ok(call, json!({"content": []}));
    assert_eq!(pair.next(id), None);
}

#[test]
fn the_id_is_the_one_on_the_wire_whatever_the_first_one_is() {
    for (options, first) in [(json!({}), 1), (json!({"norm": "python-1"}), 0)] {
        let mut fed = Fed::open(options);
        fed.client.initialize(fed.connection, Some("legacy")).unwrap();
        let opening = fed.sent()[0]["id"].clone();
        assert_eq!(opening, first);
        fed.welcome(&opening);
        let (id, wire) = fed.ask("tools/list", &json!({"sent": true}));
        let told = fed.driver.next("sent", |item| match item {
            Item::Sent { id: of, request } if *of == id => Some(request.clone()),
            _ => None,
        });
        assert_eq!((told, &wire), (wire.to_string(), &json!(first + 1)));
    }
}
