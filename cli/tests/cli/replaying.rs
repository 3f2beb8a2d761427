//! `replay` where what is said names something that was said before: requests, streams, states.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::program::{run, run_with};

/// A recording of these messages, `>` from the client and `<` from the server.
fn recording(messages: &[(char, Value)]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("session.jsonl");
    let head =
        json!({"kind": "mcpbolt recording", "version": 1, "started": "2026-01-01T00:00:00Z", "redact": []});
    let lines = messages.iter().map(|(from, message)| {
        let from = if *from == '>' { "client" } else { "server" };
        json!({"at": 0.1, "from": from, "message": message})
    });
    let text = lines.fold(format!("{head}\n"), |text, line| format!("{text}{line}\n"));
    fs::write(&file, text).unwrap();
    (folder, file)
}

/// What a client of the recording hears who says this.
fn heard(file: &std::path::Path, said: &[Value]) -> Vec<Value> {
    let input = said.iter().fold(String::new(), |text, message| format!("{text}{message}\n"));
    let ran = run_with(&["replay", file.to_str().unwrap()], &input).exits(0);
    ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn call(id: &Value, name: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": name}})
}

fn result(id: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "result": {}})
}

#[test]
fn a_client_gives_up_requests_by_its_own_ids() {
    let cancelled = |id: &Value| json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id, "reason": "r"}});
    let then = [json!(1), json!(2), json!(3)];
    let says =
        |ids: &[Value; 3]| [call(&ids[0], "a"), call(&ids[1], "b"), cancelled(&ids[1]), call(&ids[2], "c")];
    let lines = says(&then).map(|message| ('>', message)).into_iter();
    let answers = [('<', result(&then[0])), ('<', result(&then[2]))];
    let (_folder, file) = recording(&lines.chain(answers).collect::<Vec<_>>());
    // The second one has an id that another had then.
    for now in [then, [json!("x"), json!(1), json!(2)]] {
        assert_eq!(heard(&file, &says(&now)), [result(&now[0]), result(&now[2])]);
    }
}

#[test]
fn a_client_is_told_of_changes_on_its_own_stream() {
    let listen = |id: &Value| {
        json!({"jsonrpc": "2.0", "id": id, "method": "subscriptions/listen",
            "params": {"notifications": {"toolsListChanged": true}}})
    };
    let tag = |id: &Value| json!({"io.modelcontextprotocol/subscriptionId": id});
    let note = |method: &str, id: &Value| json!({"jsonrpc": "2.0", "method": format!("notifications/{method}"), "params": {"_meta": tag(id)}});
    let told = |id: &Value, other: &Value| {
        let end = json!({"jsonrpc": "2.0", "id": id, "result": {"resultType": "complete", "_meta": tag(id)}});
        [note("subscriptions/acknowledged", id), note("tools/list_changed", id), result(other), end]
    };
    let (then, other) = (json!(1), json!(2));
    let [acknowledged, changed, answer, end] = told(&then, &other).map(|message| ('<', message));
    let (asked, called) = (('>', listen(&then)), ('>', call(&other, "a")));
    let (_folder, file) = recording(&[asked, acknowledged, called, changed, answer, end]);
    for (now, other) in [(then, other), (json!("x"), json!("y")), (json!(2), json!(1))] {
        assert_eq!(heard(&file, &[listen(&now), call(&other, "a")]), told(&now, &other));
    }
}

/// A server that has a question, and wants its state back with the answer.
const ASKING: &str = r#"
while read -r line; do case "$line" in
*'"requestState":"live"'*) echo '{"jsonrpc":"2.0","id":2,"result":{"resultType":"complete"}}';;
*requestState*) echo '{"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"another state"}}';;
*) echo '{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{},"requestState":"live"}}';;
esac; done"#;

#[test]
fn a_server_that_asks_gets_its_own_state_back() {
    let mut again = call(&json!(2), "a");
    again["params"]["inputResponses"] = json!({});
    again["params"]["requestState"] = json!("[redacted]");
    let question = json!({"resultType": "input_required", "inputRequests": {}, "requestState": "[redacted]"});
    let answer = |id: u32, result: &Value| json!({"jsonrpc": "2.0", "id": id, "result": result});
    let (_folder, file) = recording(&[
        ('>', call(&json!(1), "a")),
        ('<', answer(1, &question)),
        ('>', again),
        ('<', answer(2, &json!({"resultType": "complete"}))),
    ]);
    let ran = run(["replay", file.to_str().unwrap(), "--", "sh", "-c", ASKING]).exits(0);
    assert!(ran.out.starts_with("2 messages sent, 2 answers are the same"), "{ran:?}");
}
