//! What a connection is fed while its replies are not taken. Owns: keeping it in order
//! and within a bound, going on with it, the end of a client that takes nothing. Must not
//! know: what it says.

use std::collections::VecDeque;
use std::sync::{Arc, Weak};

use bytes::Bytes;

use mcpbolt_proto::session::{Problem, ProblemKind, StreamId};

use crate::transport::timer::Due;

use crate::bridge::fed::outbox::Fed;
use crate::bridge::queue::inbox::Inbox;

/// What was fed and not looked at yet.
#[derive(Default)]
pub(crate) struct Held {
    parts: VecDeque<Part>,
    bytes: usize,
    /// Somebody goes on with it.
    working: bool,
}

struct Part {
    bytes: Bytes,
    stream: StreamId,
    origin: Kept,
}

/// An origin that something still refers to.
pub(crate) struct Kept {
    inbox: Weak<Inbox>,
    origin: u64,
}

impl Kept {
    pub(crate) fn new(inbox: Weak<Inbox>, origin: u64) -> Self {
        if let Some(inbox) = inbox.upgrade() {
            inbox.lock().table.hold(origin);
        }
        Self { inbox, origin }
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        if let Some(inbox) = self.inbox.upgrade() {
            let closed = inbox.lock().table.release(self.origin);
            inbox.origin_closed(closed);
        }
    }
}

impl Fed {
    /// Keeps what cannot be looked at now. `false` if it can be.
    pub(crate) fn keep(&self, bytes: &Bytes, stream: StreamId, origin: u64) -> bool {
        let mut held = self.held.lock();
        if held.parts.is_empty() && !held.working && !self.outbox.is_over() {
            return false;
        }
        if self.connection.is_closed() {
            return true;
        }
        let after = held.bytes + bytes.len();
        // One part is always kept, however large: it is here already.
        if after > self.max_held && !held.parts.is_empty() {
            drop(held);
            let message = format!(
                "the client sent {after} bytes and took none of its replies: the connection is closed"
            );
            self.end(|| self.connection.tell_problem(&Problem { kind: ProblemKind::Dropped, message }));
            return true;
        }
        let origin = Kept::new(self.outbox.inbox(), origin);
        held.bytes = after;
        held.parts.push_back(Part { bytes: bytes.clone(), stream, origin });
        true
    }

    /// Looks at what was kept, as long as there is room for replies.
    pub(crate) fn go_on(&self) {
        while let Some(part) = self.next_part() {
            self.receive(part.bytes, part.stream, part.origin.origin);
            self.held.lock().working = false;
        }
    }

    fn next_part(&self) -> Option<Part> {
        let mut held = self.held.lock();
        if held.working || self.outbox.is_over() {
            return None;
        }
        let part = held.parts.pop_front()?;
        held.bytes -= part.bytes.len();
        held.working = true;
        Some(part)
    }

    /// Nothing that was kept is looked at any more.
    pub(crate) fn forget(&self) {
        let parts = {
            let mut held = self.held.lock();
            held.bytes = 0;
            std::mem::take(&mut held.parts)
        };
        // Not under the lock: the inbox hears of their origins.
        drop(parts);
    }

    fn end(&self, tell: impl FnOnce()) {
        if !self.connection.is_closed() {
            tell();
            self.connection.close(true);
        }
        self.forget();
    }
}

impl Due for Fed {
    fn due(self: Arc<Self>) {
        if self.outbox.waited_too_long() {
            self.end(|| self.connection.tell_slow_reader());
        }
    }
}
