//! The boundary cases that every language has, by the names in
//! `tests/vectors/binding/README.md`.

use std::collections::HashMap;
use std::sync::Arc;

use mcpbolt::bridge::{
    ERROR_NAMES, Failure, HostClient, HostServer, InboxLimits, Item, Outcome, RequestPlan,
};
use mcpbolt_proto::protocol::ErrorKind;
use serde_json::{Value, json};

use crate::driver::{Driver, client, server, text};
use crate::peer::{WAIT, raw};

/// A client and a server with a loop each.
struct Two {
    ours: Driver,
    theirs: Driver,
    client: Arc<HostClient>,
    server: Arc<HostServer>,
    connection: u64,
    /// The server's number for it, once a call has named it.
    far: u64,
}

impl Two {
    fn meet(protocol: &str) -> Self {
        let (mut ours, theirs) = (Driver::new(), Driver::new());
        let server = server(&theirs, &json!({}));
        let client = client(&ours, json!({}));
        let connection = client.open_memory(&server).unwrap();
        let id = client.initialize(connection, Some(protocol)).unwrap();
        ours.response(id).unwrap();
        Self { ours, theirs, client, server, connection, far: 0 }
    }

    /// Ends what `close` names.
    fn end(&mut self, close: &str, what: &str) {
        match close {
            "client.close" => self.client.close(),
            "close_connection" => assert!(self.ours.inbox.close_connection(self.connection), "{what}"),
            "inbox.close" => self.ours.inbox.close(),
            "server.close" => self.server.close(),
            "server connection" => assert!(self.theirs.inbox.close_connection(self.far), "{what}"),
            _ => self.theirs.inbox.close(),
        }
    }

    /// A call that the server's program has and does not answer: its number here, there.
    fn hang(&mut self) -> (u64, u64) {
        let params = Some(raw(json!({"name": "echo", "arguments": {}})));
        let id = self.ours.inbox.request(self.connection, "tools/call", params, None);
        (id, self.called())
    }

    /// The next call that the server's program is given.
    fn called(&mut self) -> u64 {
        let request = self.theirs.request("tools/call");
        self.far = request.connection;
        request.call
    }

    fn cancelled(&mut self, call: u64) {
        self.theirs.next("cancel", |item| match item {
            Item::Cancel { call: of, .. } if *of == call => Some(()),
            _ => None,
        });
    }
}

#[test]
fn each_error_kind_crosses() {
    for protocol in ["legacy", "modern"] {
        let mut two = Two::meet(protocol);
        for names in ERROR_NAMES {
            let (id, call) = two.hang();
            let data = Some(raw(json!({"why": names.name})));
            let failure = Failure { kind: names.name.into(), code: 1234, message: "m".into(), data };
            assert!(two.theirs.inbox.complete(call, Outcome::Error(failure)));
            let seen = two.ours.response(id).unwrap_err();
            assert_eq!(seen.message, "m", "{}", names.name);
            assert_eq!(text(&seen.data.unwrap()), json!({"why": names.name}));
            let legacy = protocol == "legacy";
            let expected = match names.kind {
                // A code of the program's own is the peer's here.
                ErrorKind::Peer => "peer",
                // What failed over there is that server's trouble, never ours.
                kind if kind.is_local() => "internal",
                // The other era has no code for these.
                ErrorKind::HeaderMismatch | ErrorKind::MissingClientCapability if legacy => "invalid_request",
                ErrorKind::UnsupportedProtocolVersion if legacy => "invalid_params",
                ErrorKind::ResourceNotFound if !legacy => "invalid_params",
                ErrorKind::UrlElicitationRequired if !legacy => "internal",
                ErrorKind::Rejected if !legacy => "peer",
                _ => names.name,
            };
            assert_eq!(seen.kind, expected, "{} on {protocol}", names.name);
        }
    }
}

#[test]
fn cancelling_a_hung_call_stops_it() {
    for protocol in ["legacy", "modern"] {
        let mut two = Two::meet(protocol);
        let (id, call) = two.hang();
        assert!(two.ours.inbox.cancel(id));
        assert_eq!(two.ours.response(id).unwrap_err().kind, "cancelled");
        two.cancelled(call);
        assert!(two.theirs.inbox.is_cancelled(call));
        two.theirs.ok(call, json!({"content": []}));
        assert!(two.theirs.inbox.settle(WAIT) && two.ours.inbox.settle(WAIT));
        assert_eq!(two.theirs.inbox.open_calls(), 0);
        // The connection is as good as before.
        let (id, call) = two.hang();
        two.theirs.ok(call, json!({"content": []}));
        assert!(two.ours.response(id).is_ok());
    }
}

#[test]
fn ten_thousand_concurrent_calls_are_answered() {
    const CALLS: usize = 10_000;
    let limits = InboxLimits { max_items: 2 * CALLS, max_bytes: 64 << 20 };
    let (mut ours, mut theirs) = (Driver::with(limits), Driver::with(limits));
    let server = server(&theirs, &json!({"max_in_flight": CALLS}));
    let client = client(&ours, json!({"max_in_flight": CALLS}));
    let connection = client.open_memory(&server).unwrap();
    let id = client.initialize(connection, Some("modern")).unwrap();
    ours.response(id).unwrap();
    let mut asked: HashMap<u64, usize> = (0..CALLS)
        .map(|n| {
            let params = json!({"name": "echo", "arguments": {"n": n}});
            (ours.inbox.request(connection, "tools/call", Some(raw(params)), None), n)
        })
        .collect();
    // All are there before any is answered.
    let mut calls = Vec::with_capacity(CALLS);
    while calls.len() < CALLS {
        calls.push(theirs.next("call", |item| match item {
            Item::Request(request) => {
                Some((request.call, text(request.params.as_ref()?)["arguments"]["n"].clone()))
            }
            _ => None,
        }));
    }
    assert_eq!(theirs.inbox.open_calls(), CALLS);
    let answer = |n: Value| Outcome::Result(raw(json!({"content": [], "n": n})));
    let outcomes = calls.into_iter().map(|(call, n)| (call, answer(n))).collect();
    assert!(theirs.inbox.complete_many(outcomes).into_iter().all(|ended| ended));
    while !asked.is_empty() {
        let (id, n) = ours.next("answer", |item| match item {
            Item::Response { id, outcome, .. } => Some((*id, text(outcome.as_ref().unwrap())["n"].clone())),
            _ => None,
        });
        assert_eq!(asked.remove(&id).map(|n| json!(n)), Some(n));
    }
    assert_eq!(theirs.inbox.open_calls(), 0);
}

#[test]
fn dropping_while_pending_ends_everything() {
    for protocol in ["legacy", "modern"] {
        let mut two = Two::meet(protocol);
        let (id, call) = two.hang();
        drop(std::mem::replace(&mut two.client, client(&two.ours, json!({}))));
        assert_eq!(two.ours.response(id).unwrap_err().kind, "closed");
        assert_eq!(two.ours.closed(two.connection), None);
        two.cancelled(call);
        two.theirs.ok(call, json!({"content": []}));
        assert!(two.theirs.inbox.settle(WAIT));
    }
}

/// Ways to close, by name.
const CLOSES: [&str; 6] =
    ["client.close", "close_connection", "inbox.close", "server.close", "server connection", "server inbox"];
/// What can be pending.
const PENDING: [&str; 5] = ["call", "question", "parked", "listen", "thread"];

#[test]
fn closing_ends_every_pending_thing() {
    for close in CLOSES {
        for pending in PENDING {
            // The connection outlives an inbox: its listen streams are the engine's, and a
            // parked call waits on the client's side.
            if close != "server inbox" || !matches!(pending, "parked" | "listen") {
                ends(close, pending);
            }
        }
    }
}

fn ends(close: &str, pending: &str) {
    let what = format!("{close} while {pending}");
    let protocol = if matches!(pending, "parked" | "listen") { "modern" } else { "legacy" };
    let mut two = Two::meet(protocol);
    let inbox = Arc::clone(&two.ours.inbox);
    let connection = two.connection;
    let thread = (pending == "thread").then(|| {
        let inbox = Arc::clone(&inbox);
        std::thread::spawn(move || {
            let params = Some(raw(json!({"name": "echo", "arguments": {}})));
            let plan = RequestPlan::parse(&raw(json!({"timeout": 60}))).unwrap();
            inbox.request_sync(connection, "tools/call", params, plan)
        })
    });
    let (id, call) = match pending {
        "thread" => (0, two.called()),
        "listen" => {
            let params = raw(json!({"notifications": {"toolsListChanged": true}}));
            let id = two.ours.inbox.request(connection, "subscriptions/listen", Some(params), None);
            two.ours.notification("notifications/subscriptions/acknowledged");
            (id, 0)
        }
        _ => two.hang(),
    };
    let asked = matches!(pending, "question" | "parked").then(|| {
        let asked = two.theirs.inbox.request(call, "roots/list", None, None);
        two.theirs.inbox.drained();
        two.ours.request("roots/list");
        asked
    });
    // Nothing has named the connection of a listen stream.
    if close == "server connection" && two.far == 0 {
        return;
    }
    two.end(close, &what);
    if let Some(thread) = thread {
        check(&what, close, thread.join().unwrap().map(|value| text(&value)));
    } else if close != "inbox.close" {
        let outcome = two.ours.response(id);
        // A listen stream that its server ends has a result.
        if pending != "listen" || outcome.is_err() {
            check(&what, close, outcome);
        }
    }
    if pending == "parked" {
        // It waits for its client on any connection, until its server ends.
        two.server.close();
    }
    if let (Some(asked), true) = (asked, close != "server inbox") {
        let kind = two.theirs.response(asked).unwrap_err().kind;
        assert!(["closed", "cancelled"].contains(&kind.as_str()), "{what}: {kind}");
    }
    two.theirs.inbox.complete(call, Outcome::Result(raw(json!({"content": []}))));
    drop(two.theirs.inbox.take(64, 1 << 20));
    assert_eq!(two.theirs.inbox.open_calls(), 0, "{what}");
}

/// A server that ends may still answer, in its own words, what it was asked.
fn check(what: &str, close: &str, outcome: Result<Value, Failure>) {
    let kind = outcome.expect_err(what).kind;
    let ours = !close.starts_with("server");
    assert!(kind == "closed" || !ours && kind == "internal", "{what}: {kind}");
}
