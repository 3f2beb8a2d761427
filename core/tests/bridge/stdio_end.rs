//! The end of standard streams: what was asked before it is answered.
#![cfg(unix)]

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::Shutdown;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::time::Instant;

use mcpbolt::bridge::{Item, Outcome};
use serde_json::json;

use crate::peer::{Peer, WAIT, modern, raw};

const CALLS: usize = 3;

/// Calls, and at once the end of input; how many answers come before the end of output.
fn answers_at_the_end(peer: &Peer) -> usize {
    let (ours, theirs) = UnixStream::pair().unwrap();
    ours.set_read_timeout(Some(WAIT)).unwrap();
    let input: OwnedFd = theirs.try_clone().unwrap().into();
    peer.server.listen_on(input, theirs.into()).unwrap();
    for id in 0..CALLS {
        let call = modern(id.try_into().unwrap(), "tools/call", json!({"name": "echo", "arguments": {}}));
        writeln!(&ours, "{call}").unwrap();
    }
    ours.shutdown(Shutdown::Write).unwrap();
    let outcome = |call| (call, Outcome::Result(raw(json!({"content": []}))));
    let mut calls = Vec::new();
    let end = Instant::now() + WAIT;
    while calls.len() < CALLS {
        assert!(Instant::now() < end, "{} calls came", calls.len());
        calls.extend(peer.inbox.take(64, 1 << 20).into_iter().filter_map(|item| match item {
            Item::Request(request) => Some(outcome(request.call)),
            _ => None,
        }));
        std::thread::yield_now();
    }
    peer.inbox.complete_many(calls);
    BufReader::new(ours).lines().map_while(Result::ok).count()
}

#[test]
fn answers_that_are_handed_back_together_leave_before_the_end() {
    let peer = Peer::modern();
    for round in 0..30 {
        assert_eq!(answers_at_the_end(&peer), CALLS, "round {round}");
    }
}
