//! The inbox: wakes, order, bounds, causes, panics.

use std::collections::VecDeque;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::Context;
use std::time::Duration;

use mcpbolt::bridge::{
    CancelWhy, Delivery, Inbox, InboxLimits, Item, Outcome, decode_outcomes, encode_batch,
};
use mcpbolt_proto::jsonrpc::RawJson;
use serde_json::{Value, json};

use crate::peer::{Peer, WAIT, raw};

#[tokio::test]
async fn a_cancelled_wait_loses_nothing() {
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

#[test]
fn a_wait_that_is_given_up_leaves_nothing_behind() {
    struct Nobody;

    impl std::task::Wake for Nobody {
        fn wake(self: Arc<Self>) {}
    }

    let inbox = Inbox::new(InboxLimits::default());
    let nobody = Arc::new(Nobody);
    let waker = std::task::Waker::from(Arc::clone(&nobody));
    let mut cx = Context::from_waker(&waker);
    let mut kept = pin!(inbox.ready());
    assert!(kept.as_mut().poll(&mut cx).is_pending());
    for _ in 0..100 {
        let mut ready = pin!(inbox.ready());
        assert!(ready.as_mut().poll(&mut cx).is_pending());
        assert!(ready.poll(&mut cx).is_pending());
    }
    // Ours, that of the waker, and that of the one who still waits.
    assert_eq!(Arc::strong_count(&nobody), 3);
}

#[tokio::test]
async fn ready_wakes_and_ends_with_the_inbox() {
    let inbox = Inbox::new(InboxLimits::default());
    let waiting = tokio::spawn(inbox.ready());
    inbox.close();
    tokio::time::timeout(WAIT, waiting).await.expect("woken").unwrap();
    assert!(inbox.take(1, 1).is_empty());
}

#[test]
fn take_is_bounded_and_a_large_item_travels_alone() {
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
fn one_wake_per_batch_and_one_more_for_what_is_left() {
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

#[test]
fn what_is_taken_at_once_wakes_nobody_but_what_is_left_does() {
    let mut peer = Peer::legacy();
    let (inbox, wakes) = (Arc::clone(&peer.inbox), Arc::new(AtomicUsize::new(0)));
    let count = Arc::clone(&wakes);
    inbox.on_ready(Some(Arc::new(move || {
        count.fetch_add(1, Ordering::SeqCst);
    })));
    let (_, items) = inbox.take_after(|| peer.call(1, "echo", &json!({})), 4, 1 << 20);
    assert_eq!((items.len(), wakes.load(Ordering::SeqCst)), (1, 0));
    let calls = || (2..8).for_each(|id| drop(peer.call(id, "echo", &json!({}))));
    let ((), items) = inbox.take_after(calls, 4, 1 << 20);
    assert_eq!((items.len(), wakes.load(Ordering::SeqCst)), (4, 1), "two are left");
    assert_eq!(inbox.take(64, 1 << 20).len(), 2);
    let fails = || {
        peer.call(8, "echo", &json!({}));
        panic!("inside");
    };
    let take = std::panic::AssertUnwindSafe(|| inbox.take_after(fails, 4, 1 << 20));
    assert!(std::panic::catch_unwind(take).is_err());
    assert_eq!(wakes.load(Ordering::SeqCst), 2, "nothing was taken, so somebody has to come");
}

/// Producers on several threads, one consumer that acts on wakes only.
#[test]
fn no_wake_is_ever_missed() {
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
        let mut items = VecDeque::from(inbox.take(7, 1 << 20));
        while let Some(item) = items.pop_front() {
            let Item::Ask { id, .. } = item else { panic!("{item:?}") };
            seen += 1;
            let complete = || inbox.complete(id, Outcome::Result(RawJson::null()));
            if seen % 3 == 0 {
                let (done, more) = inbox.take_after(complete, 2, 1 << 20);
                assert!(done);
                items.extend(more);
            } else {
                assert!(complete());
            }
        }
    }
    for thread in producers {
        thread.join().unwrap();
    }
    assert!(inbox.settle(WAIT));
}

#[test]
fn items_come_in_wire_order() {
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
fn above_the_cap_requests_are_overloaded_at_once_and_the_rest_is_taken() {
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
fn a_server_names_the_caps_of_what_waits_for_it() {
    let mut wide =
        Peer::with(InboxLimits { max_items: 2, max_bytes: 1 << 20 }, &json!({"inbox.max_items": 4}));
    let mut narrow = Peer::with(InboxLimits::default(), &json!({"inbox": {"max_bytes": 300}}));
    for (peer, most) in [(&mut wide, 4), (&mut narrow, 2)] {
        peer.hello();
        for id in 1..=most {
            assert!(peer.call(id, "echo", &json!({"text": "x".repeat(80)})).is_empty(), "{id} of {most}");
        }
        let reply = peer.call(most + 1, "echo", &json!({"text": "x".repeat(80)}));
        assert_eq!(reply[0]["error"]["code"], -32603, "{reply:?}");
    }
}

#[test]
fn the_cap_is_in_bytes_too() {
    let mut peer = Peer::with(InboxLimits { max_items: 100, max_bytes: 2000 }, &json!({}));
    peer.hello();
    assert!(peer.call(1, "echo", &json!({"text": "x".repeat(1500)})).is_empty());
    assert_eq!(peer.call(2, "echo", &json!({"text": "x".repeat(1500)}))[0]["error"]["code"], -32603);
    assert_eq!(peer.take().len(), 1);
    assert!(peer.call(3, "echo", &json!({"text": "x".repeat(1500)})).is_empty());
}

#[test]
fn full_then_writable() {
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
fn ask_the_host_and_close_what_is_open() {
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
fn each_request_has_the_cause_it_came_with() {
    let mut peer = Peer::legacy();
    let call =
        |id: i64| json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": "echo"}});
    peer.feed_from(&call(1), 101);
    peer.feed_from(&call(2), 102);
    let (first, second) = (peer.request(), peer.request());
    assert_eq!((first.cause, second.cause), (101, 102));
    peer.inbox.complete(first.call, Outcome::Result(raw(json!({"content": []}))));
    let closed: Vec<_> = peer
        .take()
        .iter()
        .filter_map(|i| if let Item::CauseClosed { cause } = i { Some(*cause) } else { None })
        .collect();
    assert_eq!(closed, [101]);
    // Nothing else was caused by it: its context ends with the feed.
    peer.feed_from(&json!({"jsonrpc": "2.0", "id": 3, "method": "ping"}), 103);
    assert!(matches!(peer.take()[..], [Item::CauseClosed { cause: 103 }]));
}

#[test]
fn worker_tools_go_to_threads_that_block() {
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
fn a_panic_does_not_cross() {
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
fn batches_and_outcomes_as_text() {
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
