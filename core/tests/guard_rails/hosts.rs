//! The same rails for servers whose handlers are in another language: options as JSON,
//! bounds in the snapshots, access as a service.

use std::sync::mpsc;

use mcpbolt::bridge::{InboxLimits, Item, Options, Outcome};
use mcpbolt_proto::jsonrpc::RawJson;
use serde_json::{Value, json};

use super::host::{Peer, WAIT, modern, raw};
use super::peer::text;

fn peer(options: &Value) -> Peer {
    Peer::with(InboxLimits::default(), options)
}

fn call(peer: &mut Peer, id: i64, name: &str) -> Vec<Value> {
    peer.feed(&modern(id, "tools/call", json!({"name": name})))
}

#[test]
fn options_that_cannot_be_are_refused_by_name() {
    let refused = |options: Value| Options::parse(&options.into()).map(drop).unwrap_err().message;
    assert!(refused(json!({"timeout": -1})).contains("timeout"));
    assert!(refused(json!({"max_concurrency": 0})).contains("max_concurrency"));
    assert!(refused(json!({"authorize": 1})).contains("authorize"));
    let rule = |rule: Value| refused(json!({"rate_limit": [rule]}));
    assert!(refused(json!({"rate_limit": 5})).contains("rate_limit"));
    assert!(
        rule(json!({"methods": ["a"], "per": "server", "rate": 1, "burst": 1, "x": 1})).contains("member x")
    );
    assert!(rule(json!({"methods": "a", "per": "server", "rate": 1, "burst": 1})).contains("methods"));
    assert!(rule(json!({"methods": ["a"], "per": "planet", "rate": 1, "burst": 1})).contains("per"));
    assert!(rule(json!({"methods": ["a"], "per": "server", "rate": 0, "burst": 1})).contains("rate"));
    assert!(rule(json!({"methods": ["a"], "per": "server", "rate": 1, "burst": -1})).contains("burst"));
}

#[test]
fn a_host_is_not_asked_for_what_is_over_the_limit() {
    let rule = json!({"methods": ["tools/call"], "per": "server", "rate": 0.001, "burst": 1});
    let mut peer = peer(&json!({"rate_limit": [rule]}));
    assert!(call(&mut peer, 1, "echo").is_empty());
    let first = peer.request();
    let refused = call(&mut peer, 2, "echo");
    assert!(text(&refused[0]).starts_with("Rate limit exceeded: try again in "), "{refused:?}");
    assert!(peer.take().is_empty(), "nothing more came");
    assert!(peer.inbox.complete(first.call, Outcome::Result(RawJson::empty_object())));
    assert_eq!(peer.outgoing()[0]["id"], 1);
}

#[test]
fn a_tool_of_a_host_has_a_deadline_and_places() {
    let mut peer = peer(&json!({"timeout": 3600}));
    let tool = |name: &str| json!({"name": name, "inputSchema": {"type": "object"}});
    let rows =
        json!([{"tool": tool("slow"), "timeout": 0.05}, {"tool": tool("single"), "max_concurrency": 1}]);
    peer.set_tools(1, &rows);
    let (wake, woken) = mpsc::channel();
    peer.inbox.on_ready(Some(std::sync::Arc::new(move || {
        let _ = wake.send(());
    })));
    assert!(call(&mut peer, 1, "slow").is_empty());
    let slow = peer.request();
    let mut answers = Vec::new();
    let mut cancelled = false;
    while answers.is_empty() || !cancelled {
        woken.recv_timeout(WAIT).expect("the deadline comes");
        for item in peer.take() {
            match item {
                Item::Cancel { call, why, .. } => {
                    assert_eq!((call, why.as_str()), (slow.call, "deadline"));
                    cancelled = true;
                }
                Item::Outgoing { .. } => answers.extend(peer.outgoing()),
                _ => {}
            }
        }
    }
    assert_eq!(text(&answers[0]), "Tool slow timed out after 0.05 s");
    assert!(!peer.inbox.complete(slow.call, Outcome::Result(RawJson::empty_object())), "too late");
    assert!(peer.outgoing().is_empty());

    assert!(call(&mut peer, 2, "single").is_empty());
    let running = peer.request();
    let refused = call(&mut peer, 3, "single");
    assert_eq!(refused[0]["error"]["data"]["reason"], "max_concurrency of tool single", "{refused:?}");
    peer.inbox.complete(running.call, Outcome::Result(RawJson::empty_object()));
    assert_eq!(peer.outgoing()[0]["id"], 2);
    assert!(call(&mut peer, 4, "single").is_empty(), "its place is free again");
}

#[test]
fn rows_of_resources_prompts_and_completions_may_have_bounds() {
    let mut peer = peer(&json!({}));
    let one = |item: Value| json!([{"item": item, "max_concurrency": 0}]);
    let about = json!({"serverInfo": {"name": "s", "version": "1"}, "completion": {"max_concurrency": 0},
        "capabilities": {"tools": {}, "resources": {}, "prompts": {}, "completions": {}}});
    let set = |kind, rows: Value| peer.server.set_snapshot(kind, 1, &rows.into()).unwrap();
    set("server", about);
    set("resources", one(json!({"name": "a", "uri": "note:///a"})));
    set("resourceTemplates", one(json!({"name": "b", "uriTemplate": "part:///{n}"})));
    set("prompts", one(json!({"name": "tidy"})));
    let reference = json!({"type": "ref/prompt", "name": "tidy"});
    for (method, params, reason) in [
        ("resources/read", json!({"uri": "note:///a"}), "resource note:///a"),
        ("resources/read", json!({"uri": "part:///7"}), "template part:///{n}"),
        ("prompts/get", json!({"name": "tidy"}), "prompt tidy"),
        (
            "completion/complete",
            json!({"ref": reference, "argument": {"name": "x", "value": ""}}),
            "completion",
        ),
    ] {
        let refused = peer.feed(&modern(1, method, params));
        let reason = format!("max_concurrency of {reason}");
        assert_eq!(refused[0]["error"]["data"]["reason"], reason, "{method}");
    }
    let listed = peer.feed(&modern(2, "prompts/list", json!({})));
    assert_eq!(listed[0]["result"]["prompts"], json!([{"name": "tidy"}]), "clients see the item alone");
}

/// The next question of access, with its number.
fn asked(peer: &mut Peer) -> (u64, Value) {
    let items = peer.take();
    let found = items.into_iter().find_map(|item| match item {
        Item::Ask { id, service, payload } if service == "decide" => Some((id, payload)),
        _ => None,
    });
    let (id, payload) = found.expect("the host is asked");
    (id, payload.decode().unwrap())
}

#[test]
fn a_host_decides_what_may_be_done_and_seen() {
    let mut peer = peer(&json!({"authorize": "decide"}));
    let tool = |name: &str| json!({"tool": {"name": name, "inputSchema": {"type": "object"}}});
    peer.set_tools(1, &json!([tool("open"), tool("secret"), tool("paid")]));
    assert!(call(&mut peer, 1, "open").is_empty());
    let (id, question) = asked(&mut peer);
    assert_eq!(question["actions"], json!([{"verb": "call", "thing": "tool", "name": "open"}]));
    assert_eq!(question["asker"]["revision"], "2026-07-28");
    assert!(peer.inbox.complete(id, Outcome::Result(raw(json!(["allow"])))));
    assert_eq!(peer.request().name.as_deref(), Some("open"), "now it goes to the host");

    for (id, verdict, wanted) in [
        (2, json!(["hide"]), "Unknown tool: secret"),
        (3, json!([{"deny": "members only"}]), "denied: members only"),
        (4, json!([]), "denied: nobody allowed it"),
        (5, json!("nonsense"), "-32603"),
    ] {
        assert!(call(&mut peer, id, "secret").is_empty());
        let (ask, _) = asked(&mut peer);
        peer.inbox.complete(ask, Outcome::Result(raw(verdict)));
        let answer = peer.outgoing().remove(0).to_string();
        assert!(answer.contains(wanted), "{answer}");
        assert!(peer.take().iter().all(|item| !matches!(item, Item::Request(_))), "the host is not asked");
    }

    assert!(peer.feed(&modern(9, "tools/list", json!({}))).is_empty());
    let (ask, question) = asked(&mut peer);
    assert_eq!(question["actions"].as_array().map(Vec::len), Some(3), "all entries at once");
    peer.inbox.complete(ask, Outcome::Result(raw(json!(["allow", "hide", {"deny": "no"}]))));
    let listed = peer.outgoing().remove(0);
    let names: Vec<_> =
        listed["result"]["tools"].as_array().unwrap().iter().map(|tool| &tool["name"]).collect();
    assert_eq!(
        (names, &listed["result"]["cacheScope"]),
        (vec![&json!("open"), &json!("paid")], &json!("private"))
    );
}

#[test]
fn a_list_that_the_host_makes_is_looked_through_too() {
    let mut peer = peer(&json!({"authorize": "decide", "fast_path": false}));
    assert!(peer.feed(&modern(1, "tools/list", json!({}))).is_empty());
    let request = peer.request();
    let tools = json!({"tools": [{"name": "open"}, {"name": "secret"}], "cacheScope": "public", "ttlMs": 5});
    peer.inbox.complete(request.call, Outcome::Result(raw(tools)));
    assert!(peer.outgoing().is_empty(), "first it is asked who may see what");
    let (ask, _) = asked(&mut peer);
    peer.inbox.complete(ask, Outcome::Result(raw(json!(["allow", "hide"]))));
    let listed = peer.outgoing().remove(0);
    assert_eq!(listed["result"]["tools"], json!([{"name": "open"}]), "{listed}");
    assert_eq!(listed["result"]["cacheScope"], "private");
}

#[test]
fn the_words_for_a_hidden_tool_are_the_hosts() {
    let words = "MCP error -32602: Tool {name} not found";
    let mut peer = peer(&json!({"authorize": "decide", "unknown_tool": "host", "hidden_tool": words}));
    assert!(call(&mut peer, 1, "echo").is_empty());
    let (ask, _) = asked(&mut peer);
    peer.inbox.complete(ask, Outcome::Result(raw(json!(["hide"]))));
    assert_eq!(text(&peer.outgoing()[0]), "MCP error -32602: Tool echo not found");
}

#[test]
fn the_words_for_hidden_resources_and_prompts_are_the_hosts() {
    let options = json!({
        "authorize": "decide", "unknown_tool": "host", "hidden_tool_error": "no tool {name}",
        "hidden_resource": "no {name}", "hidden_prompt": "no prompt {name}"});
    let mut peer = peer(&options);
    let about = json!({"serverInfo": {"name": "s", "version": "1"},
        "capabilities": {"tools": {}, "resources": {}, "prompts": {}}});
    peer.server.set_snapshot("server", 1, &about.into()).unwrap();
    for (id, method, params, wanted) in [
        (1, "resources/read", json!({"uri": "note:///a"}), "no note:///a"),
        (2, "prompts/get", json!({"name": "a"}), "no prompt a"),
        (3, "tools/call", json!({"name": "a"}), "no tool a"),
    ] {
        assert!(peer.feed(&modern(id, method, params)).is_empty());
        let (ask, _) = asked(&mut peer);
        peer.inbox.complete(ask, Outcome::Result(raw(json!(["hide"]))));
        assert_eq!(peer.outgoing()[0]["error"]["message"], wanted);
    }
}
