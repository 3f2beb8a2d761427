//! Connections whose bytes the host carries: custom transports, ASGI, Express.

use std::collections::VecDeque;
use std::sync::{Arc, OnceLock, Weak};

use bytes::Bytes;
use bytestring::ByteString;
use parking_lot::Mutex;

use mcpbolt_proto::jsonrpc::{Incoming, Malformed};
use mcpbolt_proto::session::{OutboundKind, StreamId};

use crate::handler::{Origin, Scope, Wake};
use crate::transport::connection::{ServerConnection, Sink, Wire};
use crate::transport::lines::{LineEvent, LineSplitter};
use crate::transport::stdio_server::too_long;

use super::inbox::Inbox;
use super::item::Item;

/// How messages stand in the bytes that are fed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Framing {
    /// One whole message each time.
    #[default]
    Message,
    /// Lines, cut anywhere.
    Lines,
}

/// A connection and what waits to be sent on it.
pub(super) struct Fed {
    pub(super) connection: Arc<ServerConnection>,
    outbox: Arc<Outbox>,
    lines: Option<Mutex<LineSplitter>>,
}

impl Fed {
    pub(super) fn new(
        connection: Arc<ServerConnection>,
        outbox: Arc<Outbox>,
        framing: Framing,
        max_line_bytes: usize,
    ) -> Self {
        let lines = (framing == Framing::Lines).then(|| Mutex::new(LineSplitter::new(max_line_bytes)));
        Self { connection, outbox, lines }
    }

    /// Takes bytes of a stream; returns what is to be sent at once.
    pub(super) fn feed(&self, bytes: Bytes, stream: StreamId, origin: u64) -> Vec<ByteString> {
        let frames = match &self.lines {
            None => vec![self.connection.decode(bytes)],
            Some(lines) => {
                let mut frames = Vec::new();
                lines.lock().push(&bytes, |event| frames.push(self.frame(event)));
                frames
            }
        };
        let scope = Scope { origin: Origin(origin), ..Scope::default() };
        self.outbox.feeding(|| self.connection.receive_decoded(frames, stream, &scope))
    }

    fn frame(&self, event: LineEvent) -> Result<Incoming, Malformed> {
        match event {
            LineEvent::Line(line) => self.connection.decode(line),
            LineEvent::TooLong { bytes, skimmed } => Err(too_long(bytes, *skimmed)),
        }
    }

    /// What waits to be sent.
    pub(super) fn take(&self) -> Vec<ByteString> {
        self.outbox.take()
    }
}

/// Outgoing messages until the host takes them.
pub(super) struct Outbox {
    inner: Mutex<Inner>,
    max_bytes: usize,
    /// Whether each message is preceded by its stream and kind.
    labelled: bool,
    home: OnceLock<(Weak<Inbox>, u64)>,
}

#[derive(Default)]
struct Inner {
    frames: VecDeque<ByteString>,
    bytes: usize,
    /// An `Outgoing` item is on its way.
    announced: bool,
    /// Somebody is about to take.
    feeding: u32,
    closed: bool,
    wakes: Vec<Wake>,
}

impl Outbox {
    pub(super) fn new(max_bytes: usize, labelled: bool) -> Self {
        Self { inner: Mutex::default(), max_bytes, labelled, home: OnceLock::new() }
    }

    /// Where its `Outgoing` items go.
    pub(super) fn belongs_to(&self, inbox: &Arc<Inbox>, connection: u64) {
        let _ = self.home.set((Arc::downgrade(inbox), connection));
    }

    /// Queues messages; tells the host unless it knows.
    pub(super) fn push(&self, texts: impl Iterator<Item = ByteString>) {
        let announce = {
            let mut inner = self.inner.lock();
            for text in texts {
                inner.bytes += text.len();
                inner.frames.push_back(text);
            }
            let silent = inner.announced || inner.feeding > 0 || inner.frames.is_empty();
            inner.announced |= !silent;
            !silent
        };
        let home = self.home.get().filter(|_| announce);
        if let Some((inbox, connection)) = home.and_then(|(inbox, id)| inbox.upgrade().zip(Some(*id))) {
            inbox.post(Item::Outgoing { connection });
        }
    }

    /// Runs `body`, which may queue messages, and returns all that wait, unannounced.
    pub(super) fn feeding(&self, body: impl FnOnce()) -> Vec<ByteString> {
        self.inner.lock().feeding += 1;
        body();
        self.inner.lock().feeding -= 1;
        self.take()
    }

    pub(super) fn has_room(&self) -> bool {
        self.inner.lock().bytes <= self.max_bytes
    }

    pub(super) fn take(&self) -> Vec<ByteString> {
        let (frames, wakes) = {
            let mut inner = self.inner.lock();
            inner.bytes = 0;
            inner.announced = false;
            (std::mem::take(&mut inner.frames), std::mem::take(&mut inner.wakes))
        };
        for wake in wakes {
            wake();
        }
        frames.into()
    }
}

impl Sink for Outbox {
    fn send(&self, steps: &mut Vec<Wire>) {
        let labelled = self.labelled;
        self.push(steps.drain(..).filter_map(|step| match step {
            Wire::Message(outbound) if labelled => {
                Some(label(outbound.stream, letter(&outbound.kind), &outbound.text))
            }
            Wire::Message(outbound) => Some(outbound.text),
            Wire::Ended(stream) => labelled.then(|| label(stream, 'e', "")),
            Wire::Detach(stream) => labelled.then(|| label(stream, 'd', "")),
        }));
    }

    fn is_full(&self, _: StreamId) -> bool {
        !self.has_room()
    }

    fn on_writable(&self, wake: Wake) {
        {
            let mut inner = self.inner.lock();
            if inner.bytes > self.max_bytes && !inner.closed {
                inner.wakes.push(wake);
                return;
            }
        }
        wake();
    }

    fn close(&self) {
        let wakes = {
            let mut inner = self.inner.lock();
            inner.closed = true;
            std::mem::take(&mut inner.wakes)
        };
        for wake in wakes {
            wake();
        }
    }
}

fn label(stream: StreamId, what: char, text: &str) -> ByteString {
    format!("{} {what} {text}", stream.0).into()
}

const fn letter(kind: &OutboundKind) -> char {
    match kind {
        OutboundKind::Response { .. } => 'r',
        OutboundKind::Notification => 'n',
        OutboundKind::Request => 'q',
    }
}
