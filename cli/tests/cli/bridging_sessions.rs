//! `bridge`: servers that have sessions, and what they say and hear in them.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::mpsc;

use mcpbolt::client::{Client, ProtocolPolicy};
use serde_json::{Value, json};

use crate::bridging::Bridge;
use crate::bridging_changes::Watcher;
use crate::program::{BOUND, command};
use crate::watching::lines;

/// A server with sessions. It tells standard error what it hears, waits at `$GATE` before it answers the
/// subscription with the number `$GATED`, and tells of a change whenever somebody subscribes again.
const SERVER: &str = r#"
say() { printf '{"jsonrpc":"2.0",%s}\n' "$1"; }
part() { x=${line#*\"$1\":}; x=${x#\"}; printf %s "${x%%[\",\}]*}"; }
count=0
while read -r line; do
    n=$(part id) uri=$(part uri)
    case "$line" in
    *'"initialize"'*)
        name=$(part name)
        say "\"id\":$n,\"result\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"resources\":{\"subscribe\":true},\"tools\":{},\"logging\":{}},\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}";;
    *notifications/initialized*) say '"id":"q","method":"roots/list"'; if [ "$name" = ada ]; then echo 'no message'; fi;;
    *'"id":"q"'*) echo "$name answers $line" >&2;;
    *resources/subscribe*)
        count=$((count + 1)); echo "+ $uri" >&2
        if [ "$count" = "$GATED" ]; then read -r _ < "$GATE"; on=yes; fi
        if [ -n "$on" ]; then say "\"method\":\"notifications/resources/updated\",\"params\":{\"uri\":\"$uri\"}"; fi
        on=yes; say "\"id\":$n,\"result\":{}";;
    *resources/unsubscribe*) on=; echo "- $uri" >&2; say "\"id\":$n,\"result\":{}";;
    *logging/setLevel*) level=$(part level); say "\"id\":$n,\"result\":{}";;
    *tools/list*) say "\"id\":$n,\"result\":{\"tools\":[]}";;
    *tools/call*) levels="$levels $level"; say "\"id\":$n,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"$levels\"}]}";;
    esac
done"#;

/// A bridge to it, and the gate, before which this subscription waits.
struct Gated {
    bridge: Bridge,
    gate: PathBuf,
    _folder: tempfile::TempDir,
}

impl Gated {
    fn start(gated: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let gate = folder.path().join("gate");
        assert!(Command::new("mkfifo").arg(&gate).status().expect("mkfifo").success());
        let env = [("GATE", gate.to_str().unwrap()), ("GATED", gated)];
        let bridge = Bridge::with(&["--protocol-version", "legacy"], &["--", "sh", "-c", SERVER], &env);
        Self { bridge, gate, _folder: folder }
    }

    /// A client without a session that listens for a resource, once the server has heard of it.
    fn watch(&self, uri: &str) -> Watcher {
        let watcher = Watcher::start(&[&self.bridge.url, "--protocol-version", "modern", "--resource", uri]);
        self.bridge.says(&format!("+ {uri}"));
        watcher
    }

    fn open(&self) {
        fs::write(&self.gate, "\n").unwrap();
    }
}

/// It is told of a change.
fn hears(watcher: &Watcher) {
    assert_eq!(watcher.first(|| ())["method"], "notifications/resources/updated");
}

#[test]
fn who_begins_to_listen_hears_what_changes_meanwhile_and_after_another_leaves() {
    let server = Gated::start("2");
    let first = server.watch("test://a");
    let second = server.watch("test://a");
    drop(first);
    server.open();
    hears(&second);
    let third = server.watch("test://a");
    hears(&second);
    hears(&third);
    drop((second, third));
    server.bridge.says("- test://a");
}

#[test]
fn a_subscription_ends_with_the_last_who_listens_for_it() {
    let server = Gated::start("none");
    let [one, other] = ["test://a", "test://b"].map(|uri| server.watch(uri));
    drop(one);
    server.bridge.says("- test://a");
    drop(other);
    server.bridge.says("- test://b");
}

#[test]
fn a_connection_on_which_a_subscription_is_under_way_is_not_closed_for_another() {
    let server = Gated::start("1");
    let watcher = server.watch("test://a");
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    // More kinds of clients than there are connections for.
    for number in 0..16 {
        let client =
            Client::builder(format!("client {number}"), "1").protocol(ProtocolPolicy::ModernOnly).build();
        let connected =
            async { tokio::time::timeout(BOUND, client.connect(server.bridge.url.clone())).await };
        runtime.block_on(connected).expect("in time").expect("it connects");
    }
    server.open();
    hears(&watcher);
}

#[test]
fn a_server_asks_as_soon_as_it_may_and_the_client_answers() {
    let words = ["bridge", "--stdio", "--protocol-version", "legacy", "--", "sh", "-c", SERVER];
    let mut child = command(words).stdin(Stdio::piped()).spawn().expect("it starts");
    let (mut input, heard) = (child.stdin.take().unwrap(), lines(&mut child));
    let err = BufReader::new(child.stderr.take().unwrap());
    let (tell, told) = mpsc::channel();
    std::thread::spawn(move || err.lines().map_while(Result::ok).try_for_each(|line| tell.send(line)));
    let says = |words: &str| loop {
        let line = told.recv_timeout(BOUND).unwrap_or_else(|_| panic!("it does not say {words:?}"));
        if line.contains(words) {
            return line;
        }
    };
    let next = || -> Value { serde_json::from_str(&heard.recv_timeout(BOUND).unwrap()).unwrap() };
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {"roots": {}}, "clientInfo": {"name": "ada", "version": "1"}}});
    writeln!(input, "{hello}").unwrap();
    assert_eq!(next()["id"], 1);
    // What the server says after the question.
    says("not valid JSON");
    writeln!(input, "{}", json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).unwrap();
    let question = next();
    assert_eq!(question["method"], "roots/list");
    let roots = json!({"roots": [{"uri": "file:///ada"}]});
    writeln!(input, "{}", json!({"jsonrpc": "2.0", "id": question["id"], "result": roots})).unwrap();
    let answer = says("ada answers");
    assert!(answer.contains("file:///ada"), "{answer}");
    let _ = child.kill();
    let _ = child.wait();
}

#[test]
fn a_server_logs_from_the_lowest_level_that_is_wanted() {
    let server = Gated::start("none");
    let call = |level: &[&str]| {
        let words = ["call", "x", "--arguments", "{}", "--protocol-version", "modern"];
        server.bridge.ask(&[&words, level].concat()).exits(0).out
    };
    call(&[]);
    call(&["--log-level", "error"]);
    call(&["--log-level", "debug"]);
    assert_eq!(call(&["--log-level", "warning"]).trim(), "error debug debug");
}
