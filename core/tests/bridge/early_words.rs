//! What a server says of a request before the thread that sent it goes on.
//!
//! The wake for the item `Sent` comes on that thread, without a lock, when the request is on its
//! way. A wake that does not return keeps the thread there for as long as the server needs.

use std::sync::{Arc, Mutex, mpsc};
use std::thread;

use mcpbolt::bridge::{Inbox, Item, Outcome, RequestPlan};
use serde_json::json;

use crate::carried::answer;
use crate::driver::{Driver, client, text};
use crate::fed::Fed;
use crate::peer::{WAIT, raw};

const ACKNOWLEDGED: &str = "notifications/subscriptions/acknowledged";

/// Has `act` see each item on the thread that posts it, before that goes on.
fn at_once(inbox: &Arc<Inbox>, act: impl Fn(&Inbox, &Item) + Send + Sync + 'static) -> mpsc::Receiver<Item> {
    let (sender, items) = mpsc::channel();
    let weak = Arc::downgrade(inbox);
    inbox.on_ready(Some(Arc::new(move || {
        let Some(inbox) = weak.upgrade() else { return };
        for item in inbox.take(64, 1 << 20) {
            act(&inbox, &item);
            let _ = sender.send(item);
        }
    })));
    items
}

/// All items up to the answer to a request, its own left out.
fn until_answered(items: &mpsc::Receiver<Item>, id: u64) -> Vec<Item> {
    let next = || items.recv_timeout(WAIT).expect("the answer comes");
    let answers = |item: &Item| matches!(item, Item::Response { id: of, .. } if *of == id);
    std::iter::from_fn(|| Some(next()).filter(|item| !answers(item))).collect()
}

#[test]
fn an_acknowledgement_tells_under_the_number_of_its_subscription() {
    let mut fed = Fed::open(json!({}));
    fed.discover();
    let (client, connection) = (Arc::clone(&fed.client), fed.connection);
    let items = at_once(&fed.driver.inbox, move |_, item| {
        let Item::Sent { request, .. } = item else { return };
        let of: u64 = request.parse().unwrap();
        let params = json!({"notifications": {"toolsListChanged": true},
            "_meta": {"io.modelcontextprotocol/subscriptionId": of}});
        let said = json!({"jsonrpc": "2.0", "method": ACKNOWLEDGED, "params": params}).to_string();
        let (client, (done, heard)) = (Arc::clone(&client), mpsc::channel());
        thread::spawn(move || done.send(client.feed(connection, said.into()).is_ok()));
        assert_eq!(heard.recv_timeout(WAIT), Ok(true));
    });
    let plan = RequestPlan { told: true, ..RequestPlan::default() };
    let params = raw(json!({"notifications": {"toolsListChanged": true}}));
    let id = fed.driver.inbox.request_with(connection, "subscriptions/listen", Some(params), plan);
    let told = items.try_iter().filter_map(|item| match item {
        Item::Notification { cause, method, .. } => Some((method.to_string(), cause)),
        _ => None,
    });
    assert_eq!(told.collect::<Vec<_>>(), [(ACKNOWLEDGED.to_owned(), id)]);
}

#[test]
fn a_request_that_is_given_up_is_cancelled_and_answered_once() {
    let fed = Fed::legacy(json!({}));
    let items = at_once(&fed.driver.inbox, |inbox, item| {
        if let Item::Sent { id, .. } = item {
            assert!(inbox.cancel(*id));
        }
    });
    let plan = RequestPlan { told: true, ..RequestPlan::default() };
    let id = fed.driver.inbox.request_with(fed.connection, "tools/list", None, plan);
    let sent = fed.sent();
    let (method, of) = (&sent[1]["method"], &sent[1]["params"]["requestId"]);
    assert_eq!((method, of), (&json!("notifications/cancelled"), &sent[0]["id"]));
    until_answered(&items, id);
    fed.feed(&json!({"jsonrpc": "2.0", "id": of, "result": {"tools": []}}));
    assert!(items.try_iter().all(|item| !matches!(item, Item::Response { .. })));
}

#[test]
fn a_question_and_the_ids_of_events_are_those_of_the_call_they_come_with() {
    let driver = Driver::new();
    let client = client(&driver, json!({}));
    let connection = client.open(&raw(json!({"url": "http://127.0.0.1:9/mcp", "carrier": true}))).unwrap();
    let (ask, asked) = mpsc::channel();
    let (asked, caller) = (Mutex::new(asked), thread::current().id());
    let items = at_once(&driver.inbox, move |inbox, item| match item {
        Item::Ask { id, payload, .. } => {
            inbox.complete(*id, Outcome::Result(raw(answer(&text(payload)))));
        }
        Item::Request(_) => ask.send(()).unwrap(),
        // Another thread has it only if it was quicker than this one, which then goes on.
        Item::Sent { .. } if thread::current().id() == caller => {
            asked.lock().unwrap().recv_timeout(WAIT).unwrap();
        }
        _ => {}
    });
    let opened = client.initialize(connection, Some("legacy")).unwrap();
    until_answered(&items, opened);
    let plan = RequestPlan::parse(&raw(json!({"sent": true, "event_ids": true}))).unwrap();
    let params = raw(json!({"name": "echo"}));
    let id = driver.inbox.request_with(connection, "tools/call", Some(params), plan);
    let (mut causes, mut events) = (Vec::new(), Vec::new());
    for item in until_answered(&items, id) {
        match item {
            Item::Request(request) => causes.push(request.cause),
            Item::EventId { id: of, event } => events.push((of, event)),
            _ => {}
        }
    }
    assert_eq!(causes, [id]);
    assert_eq!(events, [(id, "e-1".to_owned()), (id, "e-2".to_owned())]);
}
