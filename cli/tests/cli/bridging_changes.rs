//! `bridge`: who is told of changes, where client and server do not speak the same.

use std::process::Child;

use mcpbolt::types::Resource;
use serde_json::Value;

use crate::bridging::Bridge;
use crate::program::command;
use crate::serving::{self, Serving};
use crate::watching::{line_after, lines};

/// A program that watches; it ends with the test.
struct Watcher {
    child: Child,
    told: std::sync::mpsc::Receiver<String>,
}

impl Watcher {
    fn start(words: &[&str]) -> Self {
        let mut child = command([&["watch", "--json"], words].concat()).spawn().expect("it starts");
        let told = lines(&mut child);
        Self { child, told }
    }

    /// What it is told first, of what is announced until then.
    fn first(&self, announce: impl Fn()) -> Value {
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
