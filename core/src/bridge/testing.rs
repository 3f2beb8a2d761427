//! For the tests of bindings: time that moves at once.
//!
//! Owns: the entry for hosts. Must not know: which deadlines there are.

use std::time::Duration;

use crate::transport::timer;

/// Moves the time of every engine in the process forward, never back: what is due by
/// then happens at once, on the engine's timer thread.
/// [`Inbox::settle`](super::Inbox::settle) waits for it. Deadlines of requests and handlers,
/// parked calls, sessions, keep-alive pings and kept results follow it; sockets do not.
pub fn advance(by: Duration) {
    timer::advance(by);
}
