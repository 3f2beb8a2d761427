//! Hosts whose transport takes no replies: what is fed waits, nothing is lost, and who takes
//! nothing for long is let go.

use mcpbolt::bridge::{InboxLimits, Item, Outcome};
use serde_json::{Value, json};

use crate::driver::{Driver, server};
use crate::peer::{Peer, raw};

const MIB: usize = 1 << 20;

fn calls(peer: &mut Peer, ids: std::ops::RangeInclusive<i64>) {
    for id in ids {
        assert!(peer.call(id, "echo", &json!({})).is_empty(), "{id}");
    }
}

/// Answers all requests that the host has, each with half a mebibyte; how many they were.
fn answer(peer: &mut Peer) -> usize {
    let requests: Vec<u64> = (peer.take().into_iter())
        .filter_map(|item| if let Item::Request(request) = item { Some(request.call) } else { None })
        .collect();
    for call in &requests {
        let result = json!({"content": [{"type": "text", "text": "x".repeat(MIB / 2)}]});
        peer.inbox.complete(*call, Outcome::Result(raw(result)));
    }
    requests.len()
}

fn ids(messages: &[Value]) -> Vec<i64> {
    messages.iter().filter_map(|message| message["id"].as_i64()).collect()
}

#[test]
fn while_replies_wait_nothing_more_is_read_and_none_is_lost() {
    let mut peer = Peer::with(InboxLimits::default(), &json!({"send_queue.reply_bytes": MIB}));
    peer.hello();
    calls(&mut peer, 1..=3);
    assert_eq!(answer(&mut peer), 3, "what runs at once is answered, beyond the bound too");
    calls(&mut peer, 4..=6);
    let ping = json!({"jsonrpc": "2.0", "id": 7, "method": "ping"});
    assert!(peer.feed(&ping).is_empty());
    assert_eq!(answer(&mut peer), 0, "they wait until replies are taken");
    assert_eq!(ids(&peer.outgoing()), [1, 2, 3]);
    assert_eq!(answer(&mut peer), 3);
    assert_eq!(ids(&peer.outgoing()), [7, 4, 5, 6]);
    assert_eq!(peer.feed(&ping)[0]["id"], 7, "all is as before");
}

#[test]
fn what_feeding_hands_out_counts_until_the_host_comes_for_more() {
    let mut peer = Peer::with(InboxLimits::default(), &json!({"send_queue.reply_bytes": 2000}));
    peer.hello();
    assert!(peer.outgoing().is_empty());
    let ping = json!({"jsonrpc": "2.0", "id": "x".repeat(500), "method": "ping"});
    let answered = (0..10).take_while(|_| !peer.feed(&ping).is_empty()).count();
    assert_eq!(answered, 4);
    let asked = peer.take().into_iter().filter(|item| matches!(item, Item::Outgoing { .. })).count();
    assert!(asked > 0, "the host is asked to come");
    // It has sent what it had, and comes: what was kept goes on.
    assert!(peer.outgoing().is_empty());
    assert_eq!(peer.outgoing().len(), 1);
    assert_eq!(peer.feed(&ping).len(), 1);
}

#[test]
fn a_host_that_takes_no_replies_is_let_go_with_a_reason() {
    let mut driver = Driver::new();
    let options = json!({"send_queue.reply_bytes": 1000, "slow_reader": 0.2});
    let server = server(&driver, &options);
    let connection = server.connect(mcpbolt::bridge::Framing::Message).unwrap();
    let feed = |message: Value| server.feed(connection, message.to_string().into(), 5).unwrap();
    let hello = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": "2025-11-25",
        "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}});
    assert_eq!(feed(hello).len(), 1);
    let call = |id| json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": "echo"}});
    feed(call(1));
    let running = driver.request("tools/call").call;
    driver.ok(running, json!({"content": [{"type": "text", "text": "x".repeat(2000)}]}));
    assert!(feed(call(2)).is_empty());
    let said = driver.next("log", |item| match item {
        Item::Log { connection: of, message, .. } if *of == connection => Some(message.clone()),
        _ => None,
    });
    assert!(said.contains("took none of its replies for 0.2 s"), "{said}");
    assert_eq!(driver.closed(connection), None);
    // What it had sent is forgotten, and where that came from.
    driver.next("cause", |item| matches!(item, Item::CauseClosed { cause: 5 }).then_some(()));
    assert!(feed(call(3)).is_empty());
    assert_eq!(driver.inbox.open_calls(), 0);
}

#[test]
fn what_is_kept_is_bounded() {
    let mut peer = Peer::with(InboxLimits::default(), &json!({"send_queue.reply_bytes": MIB}));
    peer.hello();
    calls(&mut peer, 1..=3);
    answer(&mut peer);
    let large = json!({"text": "x".repeat(MIB / 2)});
    for id in 4..=5 {
        assert!(peer.call(id, "echo", &large).is_empty());
    }
    let items = peer.take();
    let said =
        items.iter().find_map(|item| if let Item::Log { message, .. } = item { Some(message) } else { None });
    assert!(said.is_some_and(|said| said.contains("took none of its replies")), "{items:?}");
    assert!(items.iter().any(|item| matches!(item, Item::Closed { .. })), "{items:?}");
}
