//! Headers that a request of the host brings along, over HTTP.

use std::sync::{Arc, mpsc};

use mcpbolt::bridge::{Framing, Inbox, Item, Outcome, RequestPlan};
use parking_lot::Mutex;
use serde_json::{Value, json};

use crate::driver::{Driver, client, text};
use crate::peer::{WAIT, raw};

fn plan() -> RequestPlan {
    let headers = json!([["x-trace", "one"], ["Mcp-Session-Id", "forged"], ["accept", "text/plain"]]);
    RequestPlan::parse(&raw(json!({"headers": headers}))).unwrap()
}

#[test]
fn headers_of_a_request_go_with_it_and_replace_none_of_the_protocol() {
    let mut driver = Driver::new();
    let client = client(&driver, json!({}));
    let connection = client.open(&raw(json!({"url": "http://127.0.0.1:9/mcp", "carrier": true}))).unwrap();
    client.initialize(connection, Some("legacy")).unwrap();
    let (mut asked, mut seen) = (None, None);
    while seen.is_none() {
        let (id, payload) = driver.next("ask", |item| match item {
            Item::Ask { id, payload, .. } => Some((*id, text(payload))),
            _ => None,
        });
        let body: Value = serde_json::from_str(payload["body"].as_str().unwrap_or("null")).unwrap();
        let answer = match body["method"].as_str() {
            Some("initialize") => {
                let result = json!({"protocolVersion": "2025-11-25", "capabilities": {},
                    "serverInfo": {"name": "s", "version": "1"}});
                let body = json!({"jsonrpc": "2.0", "id": body["id"], "result": result}).to_string();
                json!({"status": 200, "body": body,
                    "headers": [["content-type", "application/json"], ["mcp-session-id", "mine"]]})
            }
            Some("ping") => {
                seen = Some(payload["headers"].clone());
                json!({"status": 500, "headers": [], "body": ""})
            }
            Some(_) => {
                if asked.is_none() {
                    asked = Some(driver.inbox.request_with(connection, "ping", None, plan()));
                }
                json!({"status": 202, "headers": [], "body": ""})
            }
            None => json!({"status": 405, "headers": [], "body": ""}),
        };
        driver.inbox.complete(id, Outcome::Result(raw(answer)));
    }
    let value = |wanted: &str| {
        let all = seen.as_ref().and_then(Value::as_array).into_iter().flatten();
        all.filter(|pair| pair[0] == wanted).map(|pair| pair[1].clone()).collect::<Vec<_>>()
    };
    assert_eq!(value("x-trace"), ["one"]);
    assert_eq!(value("mcp-session-id"), ["mine"]);
    assert_eq!(value("accept"), ["application/json, text/event-stream"]);
}

#[test]
fn a_host_that_carries_messages_gets_the_headers_of_its_requests() {
    let driver = Driver::new();
    let client = client(&driver, json!({}));
    let connection = client.open_fed_http(Framing::Message).unwrap();
    client.initialize(connection, Some("legacy")).unwrap();
    let opening: Value = serde_json::from_str(&client.take_outgoing(connection).unwrap()[0]).unwrap();
    let welcome = json!({"jsonrpc": "2.0", "id": opening["id"], "result": {"protocolVersion": "2025-11-25",
        "capabilities": {}, "serverInfo": {"name": "s", "version": "1"}}});
    client.feed(connection, welcome.to_string().into()).unwrap();
    driver.inbox.request_with(connection, "ping", None, plan());
    let sent = client.take_outgoing(connection).unwrap();
    let (headers, message) = sent[0].split_once('\n').unwrap();
    assert_eq!(serde_json::from_str::<Value>(headers).unwrap()["x-trace"], "one");
    assert_eq!(serde_json::from_str::<Value>(message).unwrap()["method"], "ping");
}

/// A host that answers questions for headers by twos, at the moment the second one is asked.
struct ByTwos {
    inbox: Arc<Inbox>,
    asked: Mutex<Vec<u64>>,
    sent: mpsc::Sender<String>,
}

impl ByTwos {
    fn take(&self) {
        for item in self.inbox.take(64, 1 << 20) {
            let Item::Ask { id, service, payload } = item else { continue };
            if service == "client.headers" {
                self.asked.lock().push(id);
                continue;
            }
            let body: Value = serde_json::from_str(text(&payload)["body"].as_str().unwrap()).unwrap();
            let _ = self.sent.send(body["method"].as_str().unwrap().to_owned());
        }
        let mut asked = self.asked.lock();
        if asked.len() == 2 {
            for id in asked.drain(..) {
                self.inbox.complete(id, Outcome::Result(raw(json!([]))));
            }
        }
    }
}

#[test]
fn requests_of_a_host_keep_their_order_however_fast_it_answers_for_them() {
    let driver = Driver::new();
    let client = client(&driver, json!({}));
    let target = json!({"url": "http://127.0.0.1:9/mcp", "carrier": true, "header_hook": true});
    let (sent, methods) = mpsc::channel();
    let host = ByTwos { inbox: Arc::clone(&driver.inbox), asked: Mutex::default(), sent };
    driver.inbox.on_ready(Some(Arc::new(move || host.take())));
    let connections = [0; 2].map(|_| client.open(&raw(target.clone())).unwrap());
    client.initialize(connections[0], Some("modern")).unwrap();
    client.initialize(connections[1], Some("legacy")).unwrap();
    let order = [0; 2].map(|_| methods.recv_timeout(WAIT).unwrap());
    assert_eq!(order, ["server/discover", "initialize"]);
}
