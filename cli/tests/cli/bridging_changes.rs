//! `bridge`: who is told of changes, where client and server do not speak the same.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc;

use mcpbolt::types::Resource;
use serde_json::{Value, json};

use crate::bridging::{Bridge, hello};
use crate::program::{BOUND, command};
use crate::serving::{self, Serving};
use crate::watching::{line_after, lines};

/// A program that watches; it ends with the test.
pub(crate) struct Watcher {
    child: Child,
    told: std::sync::mpsc::Receiver<String>,
}

impl Watcher {
    pub(crate) fn start(words: &[&str]) -> Self {
        let mut child = command([&["watch", "--json"], words].concat()).spawn().expect("it starts");
        let told = lines(&mut child);
        Self { child, told }
    }

    /// What it is told first, of what is announced until then.
    pub(crate) fn first(&self, announce: impl Fn()) -> Value {
        let line = line_after(&self.told, announce);
        serde_json::from_str(&line).unwrap_or_else(|_| panic!("{line}"))
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn changes_are_heard_of_across_eras() {
    for (there, here) in [("auto", "legacy"), ("auto", "modern"), ("legacy", "modern"), ("modern", "legacy")]
    {
        let served = Serving::start(serving::shape);
        let bridge = Bridge::start(&["--protocol-version", there], &[&served.url]);
        let watcher = Watcher::start(&[&bridge.url, "--protocol-version", here]);
        let heard = watcher.first(|| served.server.tools_changed());
        assert_eq!(heard["method"], "notifications/tools/list_changed", "{there} → {here}");
    }
}

#[test]
fn who_listens_for_a_resource_is_not_told_of_one_that_is_called_alike() {
    let served = Serving::start(|builder| {
        builder.resource(Resource::new("test://note", "note"), |_| async { "milk".to_owned() })
    });
    let bridge = Bridge::start(&["--protocol-version", "legacy"], &[&served.url]);
    // Both clients are on one connection to the server, which tells it what either listens for.
    let watch = |uri: &str| Watcher::start(&[&bridge.url, "--protocol-version", "modern", "--resource", uri]);
    let other = watch("test://notes");
    let heard = other.first(|| served.server.resource_updated("test://notes"));
    assert_eq!(heard["params"]["uri"], "test://notes");
    let watcher = watch("test://note");
    let heard = watcher.first(|| {
        served.server.resource_updated("test://notes");
        served.server.resource_updated("test://note/today");
    });
    assert_eq!(heard["params"]["uri"], "test://note/today");
}

/// A server that tells those who listen, of resources alone. It refuses to tell of `secret`, and its
/// first stream about `brief` ends at once; when a request is given up it says so to standard error.
const TELLING: &str = r#"
id() { x=${1#*\"id\":}; printf %s "${x%%[,\}]*}"; }
say() { printf '{"jsonrpc":"2.0",%s}\n' "$1"; }
note() { say "\"method\":\"notifications/$1\",\"params\":{\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":$n},$2}"; }
while read -r line; do
    n=$(id "$line")
    case "$line" in
    *server/discover*) say "\"id\":$n,\"result\":{\"resultType\":\"complete\",\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{\"resources\":{\"subscribe\":true}},\"ttlMs\":0,\"cacheScope\":\"private\"}";;
    *subscriptions/listen*test://secret*) say "\"id\":$n,\"error\":{\"code\":-32602,\"message\":\"that is secret\"}";;
    *subscriptions/listen*test://brief*)
        note subscriptions/acknowledged '"notifications":{"resourceSubscriptions":["test://brief"]}'
        if [ -z "$before" ]; then say "\"id\":$n,\"result\":{\"resultType\":\"complete\"}"; before=yes
        else note resources/updated '"uri":"test://brief"'; fi;;
    *subscriptions/listen*) note subscriptions/acknowledged '"notifications":{"resourceSubscriptions":["test://note"]}';;
    *notifications/cancelled*) echo 'given up' >&2;;
    esac
done"#;

/// A client with a session, of a bridge to that server.
struct Legacy {
    child: Child,
    input: ChildStdin,
    heard: mpsc::Receiver<String>,
}

impl Legacy {
    fn start() -> Self {
        let words = ["bridge", "--stdio", "--protocol-version", "modern", "--", "sh", "-c", TELLING];
        let mut child = command(words).stdin(Stdio::piped()).spawn().expect("it starts");
        let (mut input, heard) = (child.stdin.take().unwrap(), lines(&mut child));
        input.write_all(hello().as_bytes()).unwrap();
        let client = Self { child, input, heard };
        assert_eq!(client.hears()["id"], 1);
        client
    }

    /// What it hears next.
    fn hears(&self) -> Value {
        let line = self.heard.recv_timeout(BOUND).expect("it hears something");
        serde_json::from_str(&line).unwrap_or_else(|_| panic!("{line}"))
    }

    /// The answer to a request about a resource; nothing else is said before it.
    fn asks(&mut self, id: u32, method: &str, uri: &str) -> Value {
        let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": {"uri": uri}});
        writeln!(self.input, "{request}").unwrap();
        let answer = self.hears();
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }
}

impl Drop for Legacy {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn who_unsubscribes_from_the_last_resource_listens_no_more() {
    let mut client = Legacy::start();
    let mut said = BufReader::new(client.child.stderr.take().unwrap()).lines().map_while(Result::ok);
    let (tell, told) = mpsc::channel();
    std::thread::spawn(move || said.try_for_each(|line| tell.send(line)));
    assert_eq!(client.asks(2, "resources/subscribe", "test://note")["result"], json!({}));
    assert_eq!(client.asks(3, "resources/unsubscribe", "test://note")["result"], json!({}));
    assert_eq!(told.recv_timeout(BOUND).expect("the server hears of it"), "given up");
}

#[test]
fn what_a_server_refuses_to_tell_of_is_refused_in_its_words() {
    let mut client = Legacy::start();
    let refused = client.asks(2, "resources/subscribe", "test://secret");
    assert_eq!(refused["error"]["message"], "that is secret");
    // It changes nothing of what else is asked for.
    assert_eq!(client.asks(3, "resources/subscribe", "test://note")["result"], json!({}));
}

#[test]
fn a_stream_of_changes_that_ends_is_asked_for_again() {
    let mut client = Legacy::start();
    assert_eq!(client.asks(2, "resources/subscribe", "test://brief")["result"], json!({}));
    let told = client.hears();
    assert_eq!(told["method"], "notifications/resources/updated");
    assert_eq!(told["params"], json!({"uri": "test://brief"}));
}
