//! Connections of a server whose bytes the host carries: custom transports, ASGI, Express.
//!
//! Owns: looking at what was fed in order, keeping it while replies are not taken, the end
//! of a client that takes nothing. Must not know: what is said.

use std::sync::{Arc, Weak};

use bytes::Bytes;
use bytestring::ByteString;
use parking_lot::Mutex;

use mcpbolt_proto::jsonrpc::{Incoming, Malformed};
use mcpbolt_proto::limits::Limits;
use mcpbolt_proto::session::{Problem, ProblemKind, StreamId};

use crate::bridge::queue::causes::CauseHold;
use crate::handler::{Cause, Scope};
use crate::transport::connection::ServerConnection;
use crate::transport::lines::{LineEvent, LineSplitter};
use crate::transport::stdio_server::too_long;
use crate::transport::timer::Due;

use super::backlog::{Backlog, FedPart};
use super::framing::Framing;
use super::outbox::Outbox;

/// A connection of a server whose bytes the host carries.
pub(crate) struct FedServer {
    pub(crate) connection: Arc<ServerConnection>,
    pub(crate) outbox: Arc<Outbox>,
    lines: Option<Mutex<LineSplitter>>,
    /// What came while too many replies waited.
    backlog: Mutex<Backlog>,
    max_backlog: usize,
}

impl FedServer {
    pub(crate) fn new(
        connection: Arc<ServerConnection>,
        outbox: Arc<Outbox>,
        framing: Framing,
        limits: &Limits,
    ) -> Arc<Self> {
        let max_line_bytes = Limits::size(limits.max_message_bytes);
        let lines = (framing == Framing::Lines).then(|| Mutex::new(LineSplitter::new(max_line_bytes)));
        let max_backlog = Limits::size(limits.reply_queue_bytes);
        let fed = Arc::new(Self { connection, outbox, lines, backlog: Mutex::default(), max_backlog });
        let who: Weak<dyn Due> = Arc::downgrade(&fed) as _;
        fed.outbox.tell_when_stuck(who);
        fed
    }

    /// Takes bytes of a stream; returns what is to be sent at once. While the host does not
    /// take the replies that wait, they are kept and not looked at.
    pub(crate) fn feed(&self, bytes: Bytes, stream: StreamId, cause: u64) -> Vec<ByteString> {
        if self.keep(&bytes, stream, cause) {
            return Vec::new();
        }
        let sent = self.outbox.feeding(|| self.receive(bytes, stream, cause));
        // Another thread may have kept something meanwhile.
        self.go_on();
        sent
    }

    fn receive(&self, bytes: Bytes, stream: StreamId, cause: u64) {
        let frames = match &self.lines {
            None => vec![self.connection.decode(bytes)],
            Some(lines) => {
                let mut frames = Vec::new();
                lines.lock().push(&bytes, |event| frames.push(self.frame(event)));
                frames
            }
        };
        let scope = Scope { cause: Cause(cause), ..Scope::default() };
        self.connection.receive_decoded(frames, stream, &scope);
    }

    fn frame(&self, event: LineEvent) -> Result<Incoming, Malformed> {
        match event {
            LineEvent::Line(line) => self.connection.decode(line),
            LineEvent::TooLong { bytes, skimmed } => Err(too_long(bytes, *skimmed)),
        }
    }

    /// What waits to be sent. Then there is room for more replies.
    pub(crate) fn take(&self) -> Vec<ByteString> {
        let sent = self.outbox.take();
        self.go_on();
        sent
    }

    /// The last of what waits to be sent.
    pub(crate) fn take_last(&self) -> Vec<ByteString> {
        self.forget();
        self.outbox.take()
    }

    /// Keeps what cannot be looked at now. `false` if it can be.
    fn keep(&self, bytes: &Bytes, stream: StreamId, cause: u64) -> bool {
        let mut backlog = self.backlog.lock();
        if backlog.is_idle() && !self.outbox.is_over() {
            return false;
        }
        if self.connection.is_closed() {
            return true;
        }
        if let Err(after) = backlog.room_for(bytes.len(), self.max_backlog) {
            drop(backlog);
            let message = format!(
                "the client sent {after} bytes and took none of its replies: the connection is closed"
            );
            self.end(|| self.connection.tell_problem(&Problem { kind: ProblemKind::Dropped, message }));
            return true;
        }
        let cause = CauseHold::new(self.outbox.inbox(), cause);
        backlog.push(FedPart { bytes: bytes.clone(), stream, cause });
        true
    }

    /// Looks at what was kept, as long as there is room for replies.
    fn go_on(&self) {
        // Nothing is looked at under the lock: it may answer, and the host may feed more
        // meanwhile. One caller at a time works, so that the order stays.
        while let Some(part) = self.next_part() {
            self.receive(part.bytes, part.stream, part.cause.cause());
            self.backlog.lock().done();
        }
    }

    fn next_part(&self) -> Option<FedPart> {
        let mut backlog = self.backlog.lock();
        if self.outbox.is_over() { None } else { backlog.next() }
    }

    /// Nothing that was kept is looked at any more.
    fn forget(&self) {
        let parts = self.backlog.lock().clear();
        // Not under the lock: the inbox hears of their causes.
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

impl Due for FedServer {
    fn due(self: Arc<Self>) {
        if self.outbox.waited_too_long() {
            self.end(|| self.connection.tell_slow_reader());
        }
    }
}
