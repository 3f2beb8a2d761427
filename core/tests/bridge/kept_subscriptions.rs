//! Subscriptions that a host keeps: asked for again when they end.

use mcpbolt::bridge::{InboxLimits, Item, RequestPlan};
use serde_json::{Value, json};

use crate::driver::Driver;
use crate::fed::Fed;
use crate::peer::raw;

const ACKNOWLEDGED: &str = "notifications/subscriptions/acknowledged";
const WANTED: &str = r#"{"toolsListChanged": true, "resourceSubscriptions": ["file:///a"]}"#;

fn begin(fed: &Fed) -> (u64, Value) {
    let plan = json!({"renew": true, "timeout": null, "max": null});
    let params = format!(r#"{{"notifications": {WANTED}}}"#);
    let id = fed.driver.inbox.request_with(
        fed.connection,
        "subscriptions/listen",
        Some(raw(serde_json::from_str(&params).unwrap())),
        RequestPlan::parse(&raw(plan)).unwrap(),
    );
    (id, fed.sent()[0]["id"].clone())
}

fn agree(fed: &Fed, of: &Value) {
    let wanted: Value = serde_json::from_str(WANTED).unwrap();
    let params = json!({"notifications": wanted, "_meta": {"io.modelcontextprotocol/subscriptionId": of}});
    fed.feed(&json!({"jsonrpc": "2.0", "method": ACKNOWLEDGED, "params": params}));
}

/// The id under which it is asked for again.
fn again(fed: &mut Fed) -> Value {
    // Those of before are still announced.
    let mut sent = Vec::new();
    while sent.is_empty() {
        fed.driver.next("outgoing", |item| matches!(item, Item::Outgoing { .. }).then_some(()));
        sent = fed.sent();
    }
    assert_eq!(sent[0]["method"], "subscriptions/listen");
    assert_eq!(sent[0]["params"]["notifications"], serde_json::from_str::<Value>(WANTED).unwrap());
    sent[0]["id"].clone()
}

#[test]
fn a_subscription_that_is_kept_is_asked_for_again_and_what_it_is_of_counts_as_changed() {
    let mut fed = Fed::open(json!({}));
    fed.discover();
    let (id, mut on_wire) = begin(&fed);
    agree(&fed, &on_wire);
    assert_eq!(fed.driver.notification(ACKNOWLEDGED).0, id);
    let lost = json!({"error": {"code": -32603, "message": "lost"}});
    for mut end in [json!({"result": {"resultType": "complete"}}), lost] {
        end["jsonrpc"] = json!("2.0");
        end["id"] = on_wire;
        fed.feed(&end);
        on_wire = again(&mut fed);
        assert_eq!(fed.driver.waiting("notifications/tools/list_changed"), 0);
        agree(&fed, &on_wire);
        assert_eq!(fed.driver.notification("notifications/tools/list_changed"), (id, Value::Null));
        assert_eq!(
            fed.driver.notification("notifications/resources/updated"),
            (id, json!({"uri": "file:///a"}))
        );
    }
    // What the server will not have is over, and the host hears of it.
    fed.feed(&json!({"jsonrpc": "2.0", "id": on_wire, "error": {"code": -32602, "message": "no more"}}));
    let words = fed.driver.next("a remark", |item| match item {
        Item::Log { kind: "stream", message, .. } => Some(message.clone()),
        _ => None,
    });
    assert_eq!(words, "changes of the server are not heard: no more");
    assert_eq!(fed.driver.response(id).unwrap_err().message, "no more");
}

#[test]
fn only_the_first_acknowledgement_of_a_subscription_is_taken_whatever_waits() {
    const MOST: usize = 16;
    let limits = InboxLimits { max_items: MOST, max_bytes: 1 << 20 };
    let mut fed = Fed::with(Driver::with(limits), json!({}));
    fed.discover();
    let stray = json!({"jsonrpc": "2.0", "method": ACKNOWLEDGED, "params": {"notifications": {}}});
    (0..100).for_each(|_| drop(fed.feed(&stray)));
    assert_eq!(fed.driver.inbox.len(), MOST, "nobody asked for these");
    let (id, on_wire) = begin(&fed);
    let (full, dropped) = (fed.driver.inbox.len(), fed.driver.inbox.dropped());
    (0..50).for_each(|_| agree(&fed, &on_wire));
    assert_eq!(fed.driver.inbox.len(), full + 1);
    assert!(fed.driver.inbox.dropped() >= dropped + 49);
    let is_own = |item: &Item| matches!(item, Item::Notification { cause, .. } if *cause == id).then_some(());
    fed.driver.next("the acknowledgement", is_own);
}

#[test]
fn a_subscription_that_the_server_never_had_is_not_asked_for_again() {
    let mut fed = Fed::open(json!({}));
    fed.discover();
    let (id, on_wire) = begin(&fed);
    fed.feed(&json!({"jsonrpc": "2.0", "id": on_wire, "error": {"code": -32603, "message": "not now"}}));
    assert_eq!(fed.driver.response(id).unwrap_err().message, "not now");
}
