//! Lists of the host that change, and the capabilities that follow from what it handles.

use mcpbolt::bridge::{InboxLimits, OutdatedList};
use serde_json::{Value, json};

use crate::peer::{Peer, modern, raw};

fn list(id: i64) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/list"})
}

fn told(messages: &[Value]) -> Vec<&str> {
    messages.iter().filter_map(|message| message["method"].as_str()).collect()
}

/// The host comes once for all changes of a turn, and clients are told once.
#[test]
fn changes_of_one_turn_are_announced_once() {
    let mut peer = Peer::legacy();
    peer.server.refresh_lists().unwrap();
    assert!(peer.server.list_changed("tools", true).unwrap());
    assert!(!peer.server.list_changed("tools", false).unwrap());
    assert!(!peer.server.list_changed("tools", true).unwrap());
    assert!(peer.outgoing().is_empty());
    let outdated = peer.server.refresh_lists().unwrap();
    assert_eq!(outdated[0], OutdatedList { kind: "tools", generation: 3 });
    assert_eq!(told(&peer.outgoing()), ["notifications/tools/list_changed"]);
    peer.server.refresh_lists().unwrap();
    assert!(peer.outgoing().is_empty());
    assert!(peer.server.list_changed("tools", true).unwrap(), "a new turn");
}

/// Until the rows arrive the host answers; rows of an older generation are not current.
#[test]
fn the_host_answers_until_it_gave_its_rows() {
    let mut peer = Peer::legacy();
    assert_eq!(peer.feed(&list(1)).len(), 1);
    peer.server.list_changed("tools", false).unwrap();
    assert!(peer.feed(&list(2)).is_empty());
    assert_eq!(&*peer.request().method, "tools/list");
    let [tools, ..] = peer.server.refresh_lists().unwrap()[..] else { panic!("tools are outdated") };
    // Another change, while the rows were being written.
    peer.server.list_changed("tools", false).unwrap();
    peer.set_tools(tools.generation, &json!([]));
    assert!(peer.feed(&list(3)).is_empty());
    let [tools, ..] = peer.server.refresh_lists().unwrap()[..] else { panic!("tools are outdated") };
    peer.set_tools(tools.generation, &json!([{"tool": {"name": "new", "inputSchema": {"type": "object"}}}]));
    assert_eq!(peer.feed(&list(4))[0]["result"]["tools"][0]["name"], "new");
    let rest = peer.server.refresh_lists().unwrap();
    assert_eq!(
        rest.iter().map(|list| list.kind).collect::<Vec<_>>(),
        ["prompts", "resources", "resourceTemplates"]
    );
    assert!(peer.outgoing().is_empty());
}

/// Rows that the host sets before anything changed are replaced by those of a change.
#[test]
fn a_change_is_newer_than_every_snapshot() {
    let mut peer = Peer::legacy();
    peer.set_tools(7, &json!([]));
    peer.server.list_changed("tools", false).unwrap();
    assert!(peer.feed(&list(1)).is_empty());
    assert_eq!(peer.server.refresh_lists().unwrap()[0].generation, 8);
}

/// Rows that cannot be read leave the list to the host, which hears of it once.
#[test]
fn refused_rows_are_asked_for_again_after_a_change() {
    let mut peer = Peer::legacy();
    peer.server.list_changed("tools", false).unwrap();
    let tools = peer.server.refresh_lists().unwrap()[0];
    assert_eq!(tools.kind, "tools");
    assert!(peer.server.set_snapshot("tools", tools.generation, &raw(json!([{"tool": {}}]))).is_err());
    assert!(peer.feed(&list(1)).is_empty());
    assert_eq!(peer.server.refresh_lists().unwrap()[0].kind, "prompts");
    peer.server.list_changed("tools", false).unwrap();
    assert_eq!(peer.server.refresh_lists().unwrap()[0].kind, "tools");
}

/// Told are those who asked for it, of what the server declares.
#[test]
fn only_declared_changes_are_announced_to_those_who_listen() {
    let mut peer = Peer::modern();
    let listen = json!({"notifications": {"toolsListChanged": true, "promptsListChanged": true}});
    peer.feed(&modern(1, "subscriptions/listen", listen));
    peer.outgoing();
    for kind in ["prompts", "resources", "resourceTemplates", "tools"] {
        peer.server.list_changed(kind, true).unwrap();
    }
    peer.server.refresh_lists().unwrap();
    assert_eq!(told(&peer.outgoing()), ["notifications/tools/list_changed"]);
}

#[test]
fn resources_and_templates_are_one_list_to_clients() {
    let mut peer = Peer::with(InboxLimits::default(), &json!({}));
    let about = json!({"serverInfo": {"name": "bridge", "version": "1"}, "uses": ["notifications/resources/list_changed"]});
    peer.server.set_snapshot("server", 0, &about.into()).unwrap();
    peer.hello();
    peer.server.list_changed("resources", true).unwrap();
    peer.server.list_changed("resourceTemplates", true).unwrap();
    peer.server.refresh_lists().unwrap();
    assert_eq!(told(&peer.outgoing()), ["notifications/resources/list_changed"]);
    assert!(peer.server.list_changed("roots", true).is_err());
}

#[test]
fn what_the_host_handles_is_declared() {
    let peer = Peer::modern();
    let about = json!({
        "serverInfo": {"name": "bridge", "version": "1"},
        "capabilities": {"logging": {}, "com.example/x": 1},
        "uses": ["tools/call", "resources/subscribe", "com.example/own"],
    });
    peer.server.set_snapshot("server", 0, &raw(about)).unwrap();
    let declared: Value = peer.server.capabilities().decode().unwrap();
    let all = json!({"tools": {}, "resources": {"subscribe": true}, "logging": {}, "com.example/x": 1});
    assert_eq!(declared, all);
}
