//! Connections with a stream per request.

use mcpbolt::bridge::{HostServer, Outcome};
use serde_json::{Value, json};

use crate::peer::{Peer, raw};

fn call(id: i64) -> Value {
    let params = json!({"name": "echo", "arguments": {}, "_meta": {"progressToken": id}});
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})
}

/// Stream, kind and message of each.
fn read(sent: &[impl ToString]) -> Vec<(u64, String, Value)> {
    let part = |text: String| {
        let mut parts = text.splitn(3, ' ').map(str::to_owned);
        let mut next = || parts.next().unwrap();
        (next().parse().unwrap(), next(), serde_json::from_str(&next()).unwrap_or(Value::Null))
    };
    sent.iter().map(|text| part(text.to_string())).collect()
}

fn feed(server: &HostServer, connection: u64, stream: u64, message: &Value) -> Vec<(u64, String, Value)> {
    read(&server.feed_stream(connection, stream, message.to_string().into(), 0).unwrap())
}

#[test]
fn what_belongs_to_a_request_leaves_on_its_stream() {
    let mut peer = Peer::modern();
    let connection = peer.server.connect_streams(Some("2025-06-18")).unwrap();
    assert!(feed(&peer.server, connection, 7, &call(1)).is_empty());
    let first = peer.request().call;
    assert!(feed(&peer.server, connection, 8, &call(2)).is_empty());
    let second = peer.request().call;
    let progress = raw(json!({"progress": 1}));
    peer.inbox.send(second, "notifications/progress", Some(&progress));
    peer.inbox.complete(second, Outcome::Result(raw(json!({"content": []}))));
    peer.inbox.complete(first, Outcome::Result(raw(json!({"content": []}))));
    peer.server.announce("tools", None).unwrap();
    let sent = read(&peer.server.take_outgoing(connection).unwrap());
    let labels: Vec<_> = sent.iter().map(|(stream, kind, _)| (*stream, kind.as_str())).collect();
    assert_eq!(labels, [(8, "n"), (8, "r"), (7, "r"), (0, "n")]);
    assert_eq!((&sent[1].2["id"], &sent[2].2["id"]), (&json!(2), &json!(1)));
}

#[test]
fn without_a_revision_the_handshake_comes_first() {
    let peer = Peer::modern();
    let connection = peer.server.connect_streams(None).unwrap();
    let refused = feed(&peer.server, connection, 1, &call(1));
    assert_eq!(refused[0].2["error"]["code"], -32600);
    assert!(peer.server.connect_streams(Some("2026-07-28")).is_err());
}
