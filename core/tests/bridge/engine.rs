//! What the engine answers itself, options, errors.

use std::time::Duration;

use mcpbolt::bridge::{Failure, Options, Outcome, Slot};
use serde_json::{Value, json};

use crate::peer::{Peer, failure, raw};

#[test]
fn the_engine_answers_from_its_snapshot_and_asks_when_it_is_stale() {
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
fn a_host_that_takes_everything_is_asked_for_what_nobody_knows() {
    let mut peer = Peer::legacy();
    let unknown = |id: i64| json!({"jsonrpc": "2.0", "id": id, "method": "acme/unknown"});
    assert_eq!(peer.feed(&unknown(1))[0]["error"]["code"], -32601);
    peer.server.set_slot("*", Slot::Host);
    assert!(peer.feed(&unknown(2)).is_empty());
    assert_eq!(&*peer.request().method, "acme/unknown");
    peer.server.set_slot("*", Slot::Engine);
    assert_eq!(peer.feed(&unknown(3))[0]["error"]["code"], -32601);
}

#[test]
fn slots_and_the_fast_path_switch() {
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
fn errors_of_the_host_keep_their_code_or_follow_the_revision() {
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
fn options_go_by_the_names_of_the_limits() {
    let parse = |value: Value| Options::parse(&raw(value));
    let options = parse(json!({"max_in_flight": 5, "parked": {"ttl": 1.5}, "send_queue.bytes": 9,
        "handler_timeout": null, "page_size": 3, "inbox": {"max_items": 7}}))
    .unwrap();
    assert_eq!(options.engine.session.max_in_flight, 5);
    assert_eq!(options.engine.limits.parked_ttl, Duration::from_millis(1500));
    assert_eq!((options.engine.limits.send_queue_bytes, options.inbox.unwrap().max_items), (9, 7));
    for (wrong, name) in [
        (json!({"max_inflight": 5}), "max_inflight"),
        (json!({"parked": {"tll": 5}}), "parked.tll"),
        (json!({"max_depth": "many"}), "max_depth"),
        (json!({"session_idle": null}), "session_idle"),
        (json!({"page_size": 0}), "page_size"),
        (json!({"state_keys": []}), "state_keys"),
        (json!({"host_seals_state": "yes"}), "host_seals_state"),
        (json!({"reusable_state": 1}), "reusable_state"),
        (json!({"state_keys": ["too short"]}), "state_keys"),
    ] {
        let error = parse(wrong).unwrap_err();
        assert!(error.message.contains(name), "{error}");
    }
}

#[test]
fn the_engine_validates_where_the_tool_says_so_and_the_host_words_it() {
    let mut peer = Peer::legacy();
    let schema = json!({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]});
    peer.set_tools(
        1,
        &json!([
            {"tool": {"name": "checked", "inputSchema": schema}, "validation": "engine"},
            {"tool": {"name": "own", "inputSchema": schema}, "validation": "host"},
            {"tool": {"name": "secret", "inputSchema": schema}, "hidden": true}]),
    );
    let mut invalid = |tool: &str, arguments: Value| {
        peer.call(1, tool, &arguments);
        let request = peer.request();
        peer.inbox.complete(request.call, Outcome::Error(failure(-32602, "no")));
        peer.outgoing();
        peer.take();
        request.invalid.map(|invalid| invalid.decode::<Value>().unwrap())
    };
    assert_eq!(invalid("checked", json!({"n": 1})), None);
    assert_eq!(invalid("own", json!({})), None);
    let missing = invalid("checked", json!({})).unwrap();
    assert_eq!((&missing[0]["keyword"], &missing[0]["expected"]), (&json!("required"), &json!("n")));
    let wrong = invalid("checked", json!({"n": "x"})).unwrap();
    assert_eq!((&wrong[0]["instancePath"], &wrong[0]["actual"]), (&json!("/n"), &json!("string")));
    assert_eq!(peer.call(2, "secret", &json!({"n": 1}))[0]["error"]["code"], -32602);
}
