//! The boundary as a binding sees it: take, complete, cancel, park, order, bounds.

mod bridge_support;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use bridge_support::{Peer, modern};
use mcpbolt::bridge::{
    CancelWhy, Delivery, Failure, Inbox, InboxLimits, Item, Options, Outcome, Question, Slot,
    decode_outcomes, encode_batch,
};
use mcpbolt_proto::jsonrpc::RawJson;
use serde_json::{Value, json};

const WAIT: Duration = Duration::from_secs(5);

fn raw(value: Value) -> RawJson {
    value.into()
}

#[test]
fn r5_a_request_is_taken_and_completed() {
    let mut peer = Peer::legacy();
    assert!(peer.call(7, "echo", &json!({"text": "hi"})).is_empty());
    let request = peer.request();
    assert_eq!((&*request.method, request.name.as_deref()), ("tools/call", Some("echo")));
    assert_eq!(request.connection, peer.connection);
    assert!(peer.inbox.complete(request.call, Outcome::Result(raw(json!({"content": []})))));
    assert!(matches!(peer.take()[..], [Item::Outgoing { .. }]));
    assert_eq!(peer.outgoing(), [json!({"jsonrpc": "2.0", "id": 7, "result": {"content": []}})]);
    assert!(peer.inbox.settle(WAIT));
}

#[test]
fn r5_completing_twice_or_the_unknown_does_nothing() {
    let mut peer = Peer::legacy();
    peer.call(1, "echo", &json!({}));
    let request = peer.request();
    let done = || Outcome::Result(raw(json!({"content": []})));
    assert!(!peer.inbox.complete(request.call + 1, done()));
    assert!(peer.inbox.complete(request.call, done()));
    assert!(!peer.inbox.complete(request.call, done()));
    assert_eq!(peer.outgoing().len(), 1);
}

#[test]
fn r5_a_queued_request_cannot_be_completed_before_it_is_taken() {
    let mut peer = Peer::legacy();
    peer.call(1, "echo", &json!({}));
    let (first, rest) = (1_u64, 2_000_u64);
    let done = (first..rest).any(|id| peer.inbox.complete(id, Outcome::Result(RawJson::empty_object())));
    assert!(!done);
    assert_eq!(peer.request().name.as_deref(), Some("echo"));
}

#[test]
fn r5_many_completions_leave_in_one_go() {
    let mut peer = Peer::legacy();
    for id in 1..=3 {
        peer.call(id, "echo", &json!({}));
    }
    let items = peer.inbox.take(64, 1 << 20);
    let done: Vec<_> = items
        .iter()
        .filter_map(|item| if let Item::Request(r) = item { Some(r.call) } else { None })
        .map(|call| (call, Outcome::Result(raw(json!({"content": [], "call": 1})))))
        .collect();
    assert_eq!(peer.inbox.complete_many(done), [true; 3]);
    let items = peer.take();
    assert_eq!(items.len(), 1, "one notice for all: {items:?}");
    let ids: Vec<_> = peer.outgoing().iter().map(|m| m["id"].clone()).collect();
    assert_eq!(ids, [1, 2, 3]);
}

#[test]
fn r6_the_engine_answers_from_its_snapshot_and_asks_when_it_is_stale() {
    let mut peer = Peer::legacy();
    let list = |id: i64| json!({"jsonrpc": "2.0", "id": id, "method": "tools/list"});
    let reply = peer.feed(&list(1));
    assert_eq!(reply[0]["result"]["tools"][0]["name"], "echo");
    let reply = peer.call(2, "nonsense", &json!({}));
    assert_eq!(reply[0]["error"]["code"], -32602);
    assert_eq!(peer.feed(&json!({"jsonrpc": "2.0", "id": 3, "method": "ping"}))[0]["result"], json!({}));

    peer.server.mark_stale("tools", 9).unwrap();
    assert!(peer.feed(&list(4)).is_empty());
    let request = peer.request();
    assert_eq!(&*request.method, "tools/list");
    // A snapshot of an older generation does not count as fresh.
    peer.set_tools(8, &json!([]));
    assert!(peer.feed(&list(5)).is_empty());
    peer.set_tools(9, &json!([{"tool": {"name": "new", "inputSchema": {"type": "object"}}}]));
    assert_eq!(peer.feed(&list(6))[0]["result"]["tools"][0]["name"], "new");
    assert!(!peer.server.set_snapshot("tools", 3, &raw(json!([]))).unwrap());
}

#[test]
fn r6_slots_and_the_fast_path_switch() {
    let mut peer = Peer::legacy();
    peer.server.set_slot("tools/list", Slot::Host);
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    assert!(peer.feed(&list).is_empty());
    assert_eq!(&*peer.request().method, "tools/list");
    peer.server.set_slot("tools/list", Slot::Engine);
    assert_eq!(peer.feed(&json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"})).len(), 1);

    peer.server.set_fast_path(false);
    for (id, method) in [(3, "tools/list"), (4, "ping"), (5, "logging/setLevel")] {
        let params = json!({"level": "info"});
        assert!(
            peer.feed(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})).is_empty()
        );
        assert_eq!(&*peer.request().method, method);
    }
    let own = json!({"jsonrpc": "2.0", "id": 6, "method": "acme/do"});
    assert_eq!(peer.feed(&own)[0]["error"]["code"], -32601);
    peer.server.set_slot("acme/do", Slot::Host);
    assert!(peer.feed(&json!({"jsonrpc": "2.0", "id": 7, "method": "acme/do"})).is_empty());
    assert_eq!(&*peer.request().method, "acme/do");
}

#[test]
fn c2_a_queued_request_that_is_cancelled_is_never_delivered() {
    let mut peer = Peer::legacy();
    peer.call(1, "echo", &json!({}));
    peer.cancel(1);
    peer.call(2, "echo", &json!({}));
    let items = peer.take();
    assert_eq!(items.len(), 1, "{items:?}");
    assert_eq!(peer.inbox.open_calls(), 1);
    assert!(peer.outgoing().is_empty());
}

#[test]
fn c2_a_running_call_is_cancelled_once_and_its_outcome_dropped() {
    let mut peer = Peer::legacy();
    peer.call(1, "echo", &json!({}));
    let request = peer.request();
    assert!(!peer.inbox.is_cancelled(request.call));
    peer.cancel(1);
    let items = peer.take();
    let [Item::Cancel { call, why: CancelWhy::Peer, reason }] = &items[..] else { panic!("{items:?}") };
    assert_eq!((*call, reason.as_deref()), (request.call, Some("enough")));
    assert!(peer.inbox.is_cancelled(request.call));
    assert_eq!(peer.inbox.open_calls(), 1, "cancelling until it is completed");
    peer.inbox.complete(request.call, Outcome::Result(raw(json!({"content": []}))));
    assert!(peer.outgoing().is_empty());
    assert!(peer.inbox.settle(WAIT));
}

#[test]
fn c2_many_cancelled_requests_leave_no_rows_behind() {
    let mut peer = Peer::legacy();
    for id in 0..500 {
        peer.call(id, "echo", &json!({"text": "x".repeat(1000)}));
        peer.cancel(id);
    }
    assert_eq!((peer.inbox.len(), peer.inbox.open_calls()), (0, 0));
    peer.call(1000, "echo", &json!({}));
    assert_eq!(peer.take().len(), 1);
}

#[tokio::test]
async fn r5_a_cancelled_wait_loses_nothing() {
    let mut peer = Peer::legacy();
    for id in 0..50 {
        // Polled until ready, then dropped instead of used: nothing is taken.
        let ready = peer.inbox.ready();
        peer.call(id, "echo", &json!({}));
        drop(tokio::time::timeout(WAIT, ready).await);
        drop(peer.inbox.ready());
    }
    let abandoned = tokio::time::timeout(Duration::ZERO, std::future::pending::<()>()).await;
    assert!(abandoned.is_err());
    let items = peer.take();
    assert_eq!(items.len(), 50);
}

#[tokio::test]
async fn r5_ready_wakes_and_ends_with_the_inbox() {
    let inbox = Inbox::new(InboxLimits::default());
    let waiting = tokio::spawn(inbox.ready());
    inbox.close();
    tokio::time::timeout(WAIT, waiting).await.expect("woken").unwrap();
    assert!(inbox.take(1, 1).is_empty());
}

#[test]
fn r5_take_is_bounded_and_a_large_item_travels_alone() {
    let mut peer = Peer::legacy();
    for (id, size) in [(1, 10), (2, 5000), (3, 10), (4, 10)] {
        peer.call(id, "echo", &json!({"text": "x".repeat(size)}));
    }
    let sizes: Vec<_> = std::iter::from_fn(|| {
        let items = peer.inbox.take(2, 1000);
        (!items.is_empty()).then_some(items.len())
    })
    .collect();
    assert_eq!(sizes, [1, 1, 2]);
}

#[test]
fn r5_one_wake_per_batch_and_one_more_for_what_is_left() {
    let mut peer = Peer::legacy();
    let wakes = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&wakes);
    peer.inbox.on_ready(Some(Arc::new(move || {
        count.fetch_add(1, Ordering::SeqCst);
    })));
    assert_eq!(wakes.load(Ordering::SeqCst), 0);
    for id in 0..10 {
        peer.call(id, "echo", &json!({}));
    }
    assert_eq!(wakes.load(Ordering::SeqCst), 1);
    assert_eq!(peer.inbox.take(4, 1 << 20).len(), 4);
    assert_eq!(wakes.load(Ordering::SeqCst), 2, "six are left");
    assert_eq!(peer.inbox.take(64, 1 << 20).len(), 6);
    assert_eq!(wakes.load(Ordering::SeqCst), 2);
    peer.call(99, "echo", &json!({}));
    assert_eq!(wakes.load(Ordering::SeqCst), 3);
}

/// Producers on several threads, one consumer that acts on wakes only.
#[test]
fn r5_no_wake_is_ever_missed() {
    const EACH: usize = 5_000;
    let inbox = Inbox::new(InboxLimits { max_items: usize::MAX, max_bytes: usize::MAX });
    let (wake, woken) = std::sync::mpsc::channel();
    inbox.on_ready(Some(Arc::new(move || {
        let _ = wake.send(());
    })));
    let producers: Vec<_> = (0..4)
        .map(|_| {
            let inbox = Arc::clone(&inbox);
            std::thread::spawn(move || {
                for n in 0..EACH {
                    inbox.ask_host_then("stress", RawJson::null(), Box::new(drop));
                    if n % 64 == 0 {
                        std::thread::yield_now();
                    }
                }
            })
        })
        .collect();
    let mut seen = 0;
    while seen < 4 * EACH {
        woken.recv_timeout(WAIT).expect("items wait, but no wake came");
        for item in inbox.take(7, 1 << 20) {
            let Item::Ask { id, .. } = item else { panic!("{item:?}") };
            seen += 1;
            assert!(inbox.complete(id, Outcome::Result(RawJson::null())));
        }
    }
    for thread in producers {
        thread.join().unwrap();
    }
    assert!(inbox.settle(WAIT));
}

#[test]
fn r5_items_come_in_wire_order() {
    let mut peer = Peer::legacy();
    for id in 0..20 {
        if id % 2 == 0 {
            peer.call(id, "echo", &json!({}));
        } else {
            peer.feed(&json!({"jsonrpc": "2.0", "method": "notifications/roots/list_changed"}));
        }
    }
    let kinds: Vec<_> = peer.take().iter().map(|item| matches!(item, Item::Request(_))).collect();
    assert_eq!(kinds, [true, false].repeat(10));
}

#[test]
fn r11_above_the_cap_requests_are_overloaded_at_once_and_the_rest_is_taken() {
    let mut peer = Peer::with(InboxLimits { max_items: 2, max_bytes: 1 << 20 }, &json!({}));
    peer.hello();
    assert!(peer.call(1, "echo", &json!({})).is_empty());
    let first = peer.request();
    peer.call(2, "echo", &json!({}));
    peer.call(3, "echo", &json!({}));
    let reply = peer.call(4, "echo", &json!({}));
    assert_eq!(reply[0]["error"]["code"], -32603);
    assert!(reply[0]["error"]["data"]["reason"].is_string(), "{reply:?}");
    peer.feed(&json!({"jsonrpc": "2.0", "method": "notifications/roots/list_changed"}));
    assert_eq!(peer.inbox.dropped(), 1);
    peer.cancel(1);
    let items = peer.take();
    assert!(matches!(&items[2], Item::Cancel { call, .. } if *call == first.call), "{items:?}");
}

#[test]
fn r11_the_cap_is_in_bytes_too() {
    let mut peer = Peer::with(InboxLimits { max_items: 100, max_bytes: 2000 }, &json!({}));
    peer.hello();
    assert!(peer.call(1, "echo", &json!({"text": "x".repeat(1500)})).is_empty());
    assert_eq!(peer.call(2, "echo", &json!({"text": "x".repeat(1500)}))[0]["error"]["code"], -32603);
    assert_eq!(peer.take().len(), 1);
    assert!(peer.call(3, "echo", &json!({"text": "x".repeat(1500)})).is_empty());
}

#[test]
fn r5_full_then_writable() {
    let mut peer = Peer::with(InboxLimits::default(), &json!({"send_queue": {"bytes": 500}}));
    peer.hello();
    peer.feed(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "echo", "arguments": {}, "_meta": {"progressToken": "t"}}}));
    let call = peer.request().call;
    let mut sent = 0;
    let progress = |n: i32| Some(raw(json!({"progress": n, "message": "x".repeat(50)})));
    while peer.inbox.send(call, "notifications/progress", progress(sent).as_ref()) == Delivery::Sent {
        sent += 1;
        assert!(sent < 100, "never full");
    }
    assert_eq!(peer.inbox.send(call, "notifications/progress", progress(sent).as_ref()), Delivery::Full);
    assert!(!peer.take().iter().any(|item| matches!(item, Item::Writable { .. })));
    assert_eq!(peer.outgoing().len(), usize::try_from(sent).unwrap());
    let items = peer.take();
    assert!(matches!(items[..], [Item::Writable { target }] if target == call), "{items:?}");
    assert_eq!(peer.inbox.send(call, "notifications/progress", progress(sent).as_ref()), Delivery::Sent);
    peer.inbox.complete(call, Outcome::Result(raw(json!({"content": []}))));
    assert_eq!(peer.inbox.send(call, "notifications/progress", progress(sent + 1).as_ref()), Delivery::Gone);
    // Progress before the result, without waiting for anything.
    let methods: Vec<_> = peer.outgoing().iter().map(|m| m["method"].is_string()).collect();
    assert_eq!(methods, [true, false]);
}

#[test]
fn r5_ask_the_host_and_close_what_is_open() {
    let inbox = Inbox::new(InboxLimits::default());
    let (answers, given) = std::sync::mpsc::channel();
    let asked = |n: usize| {
        let answers = answers.clone();
        inbox.ask_host_then("table.get", raw(json!({"n": n})), Box::new(move |a| drop(answers.send((n, a)))))
    };
    let (first, _) = (asked(1), asked(2));
    let items = inbox.take(64, 1 << 20);
    let Item::Ask { id, service, payload } = &items[0] else { panic!("{items:?}") };
    assert_eq!((*id, service.as_str(), payload.as_str()), (first, "table.get", r#"{"n":1}"#));
    assert!(inbox.complete(first, Outcome::Result(RawJson::null())));
    assert!(!inbox.complete(first, Outcome::Result(RawJson::null())));
    assert!(given.recv_timeout(WAIT).unwrap().1.unwrap().is_null());
    inbox.close();
    let (n, outcome) = given.recv_timeout(WAIT).unwrap();
    assert_eq!((n, outcome.unwrap_err().kind), (2, mcpbolt_proto::protocol::ErrorKind::Closed));
    asked(3);
    assert!(given.recv_timeout(WAIT).unwrap().1.is_err());
}

#[test]
fn r7_a_call_parks_with_all_questions_and_goes_on_with_the_retry() {
    let mut peer = Peer::modern();
    let ask = json!({"name": "echo", "arguments": {}});
    peer.feed_from(&modern(1, "tools/call", ask.clone()), 11);
    let request = peer.request();
    assert_eq!(request.origin, 11);
    let form = raw(json!({"message": "?", "requestedSchema": {"type": "object", "properties": {}}}));
    let first = peer.inbox.request(request.call, "elicitation/create", Some(form.clone()), None);
    let second = peer.inbox.request(request.call, "elicitation/create", Some(form), None);
    assert!(peer.outgoing().is_empty(), "nothing leaves before the drain ends");
    peer.inbox.drained();
    let reply = peer.outgoing().remove(0);
    assert_eq!(reply["result"]["resultType"], "input_required");
    assert_eq!(reply["result"]["inputRequests"].as_object().unwrap().len(), 2);
    let items = peer.take();
    assert!(items.iter().any(|i| matches!(i, Item::OriginClosed { origin: 11 })), "{items:?}");
    assert!(peer.inbox.settle(WAIT), "parked is settled");

    let mut retry = ask;
    retry["requestState"] = reply["result"]["requestState"].clone();
    retry["inputResponses"] = json!({"q1": {"action": "accept", "content": {}}, "q2": {"action": "decline"}});
    peer.feed_from(&modern(2, "tools/call", retry), 22);
    let items = peer.take();
    let answers: Vec<_> = items
        .iter()
        .map(|item| match item {
            Item::Response { id, call, origin, outcome } => {
                (*id, *call, *origin, outcome.as_ref().unwrap().as_str())
            }
            other => panic!("{other:?}"),
        })
        .collect();
    let accepted = r#"{"action":"accept","content":{}}"#;
    let call = request.call;
    assert_eq!(answers, [(first, call, 22, accepted), (second, call, 22, r#"{"action":"decline"}"#)]);
    assert!(peer.inbox.complete(call, Outcome::Result(raw(json!({"content": []})))));
    assert_eq!(peer.outgoing()[0]["id"], 2);
    assert!(peer.take().iter().any(|i| matches!(i, Item::OriginClosed { origin: 22 })));
}

#[test]
fn r7_on_the_legacy_era_the_client_is_asked_at_once() {
    let mut peer = Peer::legacy();
    peer.call(1, "echo", &json!({}));
    let call = peer.request().call;
    let form = raw(json!({"message": "?", "requestedSchema": {"type": "object", "properties": {}}}));
    let id = peer.inbox.request(call, "elicitation/create", Some(form), None);
    let sent = peer.outgoing();
    assert_eq!(sent[0]["method"], "elicitation/create");
    peer.take();
    peer.feed(&json!({"jsonrpc": "2.0", "id": sent[0]["id"], "result": {"action": "cancel"}}));
    let items = peer.take();
    assert!(
        matches!(&items[..], [Item::Response { id: got, outcome: Ok(_), .. }] if *got == id),
        "{items:?}"
    );
}

#[test]
fn r7_a_request_on_a_connection_is_answered_or_given_up() {
    let mut peer = Peer::legacy();
    let id = peer.inbox.request(peer.connection, "ping", None, None);
    let sent = peer.outgoing();
    assert_eq!(sent[0]["method"], "ping");
    peer.feed(&json!({"jsonrpc": "2.0", "id": sent[0]["id"], "result": {}}));
    assert!(peer.responses().contains(&(id, true)));
    let id = peer.inbox.request(peer.connection, "ping", None, None);
    assert!(peer.inbox.cancel(id));
    assert!(!peer.inbox.cancel(id));
    assert_eq!(peer.outgoing()[1]["method"], "notifications/cancelled");
    assert_eq!(peer.responses(), [(id, false)]);
    let id = peer.inbox.request(u64::MAX, "ping", None, None);
    assert_eq!(peer.responses(), [(id, false)]);
}

#[test]
fn r7_an_explicit_question_runs_the_handler_again() {
    let mut peer = Peer::modern();
    let ask = json!({"name": "echo", "arguments": {}});
    peer.feed(&modern(1, "tools/call", ask.clone()));
    let first = peer.request().call;
    let params = json!({"message": "?", "requestedSchema": {"type": "object", "properties": {}}});
    let question =
        Question { key: "name".into(), method: "elicitation/create".into(), params: Some(raw(params)) };
    assert!(
        peer.inbox.complete(
            first,
            Outcome::InputRequired { questions: vec![question], state: Some("step 1".into()) }
        )
    );
    let reply = peer.outgoing().remove(0);
    peer.take();
    let mut retry = ask;
    retry["requestState"] = reply["result"]["requestState"].clone();
    retry["inputResponses"] = json!({"name": {"action": "decline"}});
    peer.feed(&modern(2, "tools/call", retry));
    let second = peer.request().call;
    assert_ne!(first, second);
    let about: Value = peer.inbox.describe(second).unwrap().decode().unwrap();
    assert_eq!(about["requestState"], "step 1");
    assert_eq!(about["inputResponses"]["name"]["action"], "decline");
    assert_eq!((&about["era"], &about["id"]), (&json!("modern"), &json!(2)));
    assert_eq!(about["clientCapabilities"]["elicitation"], json!({}));
}

#[test]
fn r5_each_request_has_the_origin_it_came_with() {
    let mut peer = Peer::legacy();
    let call =
        |id: i64| json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": "echo"}});
    peer.feed_from(&call(1), 101);
    peer.feed_from(&call(2), 102);
    let (first, second) = (peer.request(), peer.request());
    assert_eq!((first.origin, second.origin), (101, 102));
    peer.inbox.complete(first.call, Outcome::Result(raw(json!({"content": []}))));
    let closed: Vec<_> = peer
        .take()
        .iter()
        .filter_map(|i| if let Item::OriginClosed { origin } = i { Some(*origin) } else { None })
        .collect();
    assert_eq!(closed, [101]);
    // Nothing else was caused by it: its context ends with the feed.
    peer.feed_from(&json!({"jsonrpc": "2.0", "id": 3, "method": "ping"}), 103);
    assert!(matches!(peer.take()[..], [Item::OriginClosed { origin: 103 }]));
}

#[test]
fn r5_worker_tools_go_to_threads_that_block() {
    let mut peer = Peer::legacy();
    peer.set_tools(
        1,
        &json!([
        {"tool": {"name": "echo", "inputSchema": {"type": "object"}}},
        {"tool": {"name": "slow", "inputSchema": {"type": "object"}}, "worker": true}]),
    );
    let inbox = Arc::clone(&peer.inbox);
    let worker = std::thread::spawn(move || {
        let Some(Item::Request(request)) = inbox.take_sync(WAIT) else { panic!("no work") };
        inbox.complete(request.call, Outcome::Result(raw(json!({"content": []}))));
        request.name
    });
    peer.call(1, "slow", &json!({}));
    assert_eq!(worker.join().unwrap().as_deref(), Some("slow"));
    assert_eq!(peer.outgoing()[0]["id"], 1);
    assert!(peer.inbox.take_sync(Duration::ZERO).is_none());
    peer.inbox.close();
    assert!(peer.inbox.take_sync(WAIT).is_none());
}

#[test]
fn r5_a_panic_does_not_cross() {
    let mut peer = Peer::legacy();
    peer.inbox.on_ready(Some(Arc::new(|| panic!("a wake that fails"))));
    peer.call(1, "echo", &json!({}));
    let call = peer.request().call;
    assert!(peer.inbox.complete(call, Outcome::Result(raw(json!({"content": []})))));
    let ask = peer.inbox.ask_host_then("s", RawJson::null(), Box::new(|_| panic!("a reply that fails")));
    assert!(!peer.inbox.complete(ask, Outcome::Result(RawJson::null())));
    assert_eq!(peer.outgoing()[0]["id"], 1);
    let contained = mcpbolt::bridge::contain(|| panic!("inside"));
    let error: mcpbolt_proto::protocol::Error = contained.map(|never: ()| never).unwrap_err();
    assert_eq!(error.kind, mcpbolt_proto::protocol::ErrorKind::Internal);
}

#[test]
fn r5_closing_ends_every_pending_thing() {
    let mut peer = Peer::legacy();
    peer.call(1, "echo", &json!({}));
    peer.call(2, "echo", &json!({}));
    let Some(Item::Request(request)) = peer.inbox.take(1, 1 << 20).pop() else { panic!("no request") };
    let call = request.call;
    let ping = peer.inbox.request(peer.connection, "ping", None, None);
    let last = peer.server.disconnect(peer.connection).unwrap();
    assert!(last.len() <= 1, "only the ping was sent");
    let items = peer.take();
    assert!(
        items
            .iter()
            .any(|i| matches!(i, Item::Cancel { call: c, why: CancelWhy::SessionClosed, .. } if *c == call))
    );
    assert!(items.iter().any(|i| matches!(i, Item::Response { id, outcome: Err(_), .. } if *id == ping)));
    assert!(matches!(items.last(), Some(Item::Closed { connection }) if *connection == peer.connection));
    assert_eq!(peer.inbox.open_calls(), 1);
    peer.inbox.complete(call, Outcome::Error(failure(-32603, "")));
    assert!(peer.inbox.settle(WAIT));
    assert_eq!(peer.inbox.send(peer.connection, "notifications/x", None), Delivery::Gone);
    assert!(peer.server.feed(peer.connection, "{}".into(), 0).is_err());
}

fn failure(code: i64, message: &str) -> Failure {
    Failure { kind: String::new(), code, message: message.into(), data: None }
}

#[test]
fn r10_errors_of_the_host_keep_their_code_or_follow_the_revision() {
    let mut peer = Peer::legacy();
    let cases = [
        (Outcome::Error(failure(1234, "mine")), 1234),
        (Outcome::Error(Failure { kind: "resource_not_found".into(), ..failure(0, "no") }), -32002),
        (Outcome::Error(Failure { kind: "invalid_params".into(), ..failure(0, "no") }), -32602),
        (Outcome::Result(raw(json!([1]))), -32603),
    ];
    for (id, (outcome, code)) in (1..).zip(cases) {
        peer.call(id, "echo", &json!({}));
        let call = peer.request().call;
        peer.inbox.complete(call, outcome);
        assert_eq!(peer.outgoing()[0]["error"]["code"], code);
        peer.take();
    }
}

#[test]
fn r5_batches_and_outcomes_as_text() {
    let mut peer = Peer::legacy();
    peer.call(1, "echo", &json!({"b": 1, "a": 9_007_199_254_740_993_i64}));
    let items = peer.take();
    let text = encode_batch(&items);
    assert!(text.contains(r#"{"b":1,"a":9007199254740993}"#) || text.contains(r#""a":9007199254740993"#));
    let rows: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        (&rows[0][0], &rows[0][4], &rows[0][5]),
        (&json!("request"), &json!("tools/call"), &json!("echo"))
    );
    let call = rows[0][1].as_u64().unwrap();
    let outcomes = decode_outcomes(&format!(r#"[{{"id":{call},"result":{{"content":[]}}}}]"#)).unwrap();
    assert_eq!(peer.inbox.complete_many(outcomes), [true]);
    assert!(decode_outcomes(r#"[{"id":1}]"#).is_err());
    assert!(decode_outcomes("nonsense").is_err());
    let asked = [Item::Cancel { call: 1, why: CancelWhy::Peer, reason: None }, Item::Writable { target: 2 }];
    assert_eq!(encode_batch(&asked), r#"[["cancel",1,"peer",null],["writable",2]]"#);
}

#[test]
fn p39_options_go_by_the_names_of_the_limits() {
    let parse = |value: Value| Options::parse(&raw(value));
    let options = parse(json!({"max_in_flight": 5, "parked": {"ttl": 1.5}, "send_queue.bytes": 9,
        "handler_timeout": null, "page_size": 3, "inbox": {"max_items": 7}}))
    .unwrap();
    assert_eq!(options.engine.session.max_in_flight, 5);
    assert_eq!(options.engine.limits.parked_ttl, Duration::from_millis(1500));
    assert_eq!((options.engine.limits.send_queue_bytes, options.inbox.max_items), (9, 7));
    for (wrong, name) in [
        (json!({"max_inflight": 5}), "max_inflight"),
        (json!({"parked": {"tll": 5}}), "parked.tll"),
        (json!({"max_depth": "many"}), "max_depth"),
        (json!({"session_idle": null}), "session_idle"),
        (json!({"page_size": 0}), "page_size"),
    ] {
        let error = parse(wrong).unwrap_err();
        assert!(error.message.contains(name), "{error}");
    }
}
