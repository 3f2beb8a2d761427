//! The client's verbs on real processes.
#![cfg(unix)]

use mcpbolt::ErrorKind;
use mcpbolt::bridge::{Item, RequestPlan};
use serde_json::{Value, json};

use crate::driver::{Driver, client, text};
use crate::peer::raw;

const PRELUDE: &str = r#"
hello='{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"sh","version":"1"}}'
reply() { printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$1" "$2"; }
"#;

fn script(text: &str, mut more: Value) -> Value {
    more["command"] = "sh".into();
    more["args"] = json!(["-c", format!("{PRELUDE}{text}")]);
    more
}

#[test]
fn a_process_is_started_spoken_to_and_gone_when_closed_is_told() {
    let mut driver = Driver::new();
    let client = client(&driver, json!({"protocol": "legacy"}));
    let text_of = "read a; reply 1 \"$hello\"; read b; read c; reply 2 \"{\\\"tools\\\":[],\\\"here\\\":\\\"$PWD $COLOUR\\\"}\"; read d";
    let target = script(text_of, json!({"cwd": "/", "env": {"COLOUR": "blue"}}));
    let connection = client.open(&target.into()).unwrap();
    let id = client.initialize(connection, None).unwrap();
    assert_eq!(driver.response(id).unwrap()["serverInfo"]["name"], "sh");
    assert_eq!(driver.call(connection, "tools/list", json!({})).unwrap()["here"], "/ blue");
    let about = text(&driver.inbox.describe_connection(connection).unwrap());
    assert_eq!(about["transport"], "stdio");
    let process = about["process"].as_u64().unwrap();
    client.close();
    assert_eq!(driver.closed(connection), None);
    assert!(!std::path::Path::new(&format!("/proc/{process}")).exists());
}

#[test]
fn a_handshake_that_begins_while_a_connection_closes_is_told_of_the_end() {
    let mut driver = Driver::new();
    let client = client(&driver, json!({"protocol": "legacy"}));
    let connection = client.open(&script("cat > /dev/null", json!({})).into()).unwrap();
    driver.inbox.close_connection(connection);
    // The process may be gone by now: then there is no such connection any more.
    match client.initialize(connection, None) {
        Ok(id) => assert_eq!(driver.response(id).unwrap_err().kind, "closed"),
        Err(gone) => assert_eq!(gone.kind, ErrorKind::Closed),
    }
}

#[test]
fn the_end_of_a_process_has_its_status_and_its_last_words() {
    let mut driver = Driver::new();
    let client = client(&driver, json!({"protocol": "legacy"}));
    let text = "read a; reply 1 \"$hello\"; read b; read c; echo 'out of paper' >&2; exit 3";
    let connection = client.open(&script(text, json!({"stderr": "capture"})).into()).unwrap();
    let id = client.initialize(connection, None).unwrap();
    driver.response(id).unwrap();
    let failed = driver.call(connection, "tools/list", json!({})).unwrap_err();
    assert_eq!(failed.kind, "closed");
    let data: Value = failed.data.unwrap().decode().unwrap();
    assert_eq!(data, json!({"exitCode": 3, "signal": null, "stderr": ["out of paper"]}));
    assert_eq!(driver.closed(connection).unwrap().data, Some(raw(data)));
    let line = driver.next("line", |item| match item {
        Item::Log { kind: "stderr", message, .. } => Some(message.clone()),
        _ => None,
    });
    assert_eq!(line, "out of paper");
}

#[test]
fn a_crashed_process_is_started_again() {
    let mut driver = Driver::new();
    let client = client(&driver, json!({"protocol": "legacy"}));
    let folder = tempfile::tempdir().unwrap();
    let text = r#"
id_of() { id=${1##*'"id":'}; id=${id%%[,\}]*}; }
read a; id_of "$a"; reply $id "$hello"; read b; read c
if test -e mark; then id_of "$c"; reply $id '{"tools":[]}'; read d; exit; fi
touch mark; exit 9
"#;
    let restart = json!({"restart": {"max": 3, "backoff": 0.001}, "cwd": folder.path()});
    let connection = client.open(&script(text, restart).into()).unwrap();
    let id = client.initialize(connection, None).unwrap();
    driver.response(id).unwrap();
    // The crash takes the first attempt; a list can be repeated.
    assert_eq!(driver.call(connection, "tools/list", json!({})).unwrap()["tools"], json!([]));
    let states = ["ready", "reconnecting", "ready"].map(|_| {
        driver.next("state", |item| match item {
            Item::State { state, .. } => Some(*state),
            _ => None,
        })
    });
    assert_eq!(states, ["ready", "reconnecting", "ready"]);
}

const TRIES: usize = 100;

#[test]
fn requests_of_a_turn_leave_at_once_in_groups_and_with_its_end() {
    let mut driver = Driver::new();
    let client = client(&driver, json!({"protocol": "legacy"}));
    let text = r#"
id_of() { id=${1##*'"id":'}; id=${id%%[,\}]*}; }
read a; reply 1 "$hello"; read b
while read c; do id_of "$c"; reply $id '{"tools":[]}'; done
"#;
    let connection = client.open(&script(text, json!({})).into()).unwrap();
    let id = client.initialize(connection, None).unwrap();
    driver.response(id).unwrap();
    let inbox = std::sync::Arc::clone(&driver.inbox);
    let ask = || inbox.request_in_turn(connection, "tools/list", None, RequestPlan::within(None));
    let waiting = || {
        let stats: Value = inbox.connection_stats(connection).unwrap().decode().unwrap();
        stats["queuedBytes"].as_u64().unwrap()
    };
    // More than once: a task that still is to write an earlier message writes what it finds.
    let pair_waits = |driver: &mut Driver| {
        let first = ask();
        assert_eq!(waiting(), 0);
        driver.response(first).unwrap();
        let second = ask();
        let waits = waiting() > 0;
        inbox.drained();
        assert_eq!(waiting(), 0);
        driver.response(second).unwrap();
        waits
    };
    assert!((0..TRIES).any(|_| pair_waits(&mut driver)), "the second does not wait for the end of the turn");
    let group_waits = |driver: &mut Driver| {
        let mut many: Vec<u64> = (0..16).map(|_| ask()).collect();
        let waits = waiting() > 0;
        many.push(ask());
        assert_eq!(waiting(), 0, "a server need not wait for so many");
        inbox.drained();
        for id in many {
            driver.response(id).unwrap();
        }
        waits
    };
    assert!((0..TRIES).any(|_| group_waits(&mut driver)), "the others do not wait for the end of the turn");
}

#[test]
fn a_program_that_does_not_exist_is_a_transport_failure() {
    let driver = Driver::new();
    let client = client(&driver, json!({}));
    let error = client.open(&raw(json!({"command": "/no/such/program"}))).unwrap_err();
    assert_eq!(error.kind, mcpbolt_proto::protocol::ErrorKind::Transport);
    assert!(error.message.contains("/no/such/program"), "{}", error.message);
}
