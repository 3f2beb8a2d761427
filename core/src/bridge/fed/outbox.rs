//! Connections whose bytes the host carries: custom transports, ASGI, Express.

use std::collections::VecDeque;
use std::sync::{Arc, OnceLock, Weak};
use std::time::{Duration, Instant};

use bytes::Bytes;
use bytestring::ByteString;
use parking_lot::Mutex;

use mcpbolt_proto::jsonrpc::{Incoming, Malformed};
use mcpbolt_proto::limits::Limits;
use mcpbolt_proto::session::{OutboundKind, StreamId, Time};

use crate::handler::{Origin, Scope, Wake};
use crate::transport::connection::{ServerConnection, Sink, Wire};
use crate::transport::lines::{LineEvent, LineSplitter};
use crate::transport::stdio_server::too_long;
use crate::transport::timer::{self, Appointment, Due};

use crate::bridge::boundary::item::Item;
use crate::bridge::fed::backlog::Held;
use crate::bridge::queue::inbox::Inbox;

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
pub(crate) struct Fed {
    pub(crate) connection: Arc<ServerConnection>,
    pub(crate) outbox: Arc<Outbox>,
    lines: Option<Mutex<LineSplitter>>,
    /// What came while too many replies waited.
    pub(crate) held: Mutex<Held>,
    pub(crate) max_held: usize,
}

impl Fed {
    pub(crate) fn new(
        connection: Arc<ServerConnection>,
        outbox: Arc<Outbox>,
        framing: Framing,
        limits: &Limits,
    ) -> Arc<Self> {
        let max_line_bytes = Limits::size(limits.max_message_bytes);
        let lines = (framing == Framing::Lines).then(|| Mutex::new(LineSplitter::new(max_line_bytes)));
        let max_held = Limits::size(limits.reply_queue_bytes);
        let fed = Arc::new(Self { connection, outbox, lines, held: Mutex::default(), max_held });
        let who: Weak<dyn Due> = Arc::downgrade(&fed) as _;
        let _ = fed.outbox.owner.set(who);
        fed
    }

    /// Takes bytes of a stream; returns what is to be sent at once. While the host does not
    /// take the replies that wait, they are kept and not looked at.
    pub(crate) fn feed(&self, bytes: Bytes, stream: StreamId, origin: u64) -> Vec<ByteString> {
        if self.keep(&bytes, stream, origin) {
            return Vec::new();
        }
        let sent = self.outbox.feeding(|| self.receive(bytes, stream, origin));
        // Another thread may have kept something meanwhile.
        self.go_on();
        sent
    }

    pub(crate) fn receive(&self, bytes: Bytes, stream: StreamId, origin: u64) {
        let frames = match &self.lines {
            None => vec![self.connection.decode(bytes)],
            Some(lines) => {
                let mut frames = Vec::new();
                lines.lock().push(&bytes, |event| frames.push(self.frame(event)));
                frames
            }
        };
        let scope = Scope { origin: Origin(origin), ..Scope::default() };
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
}

/// Outgoing messages until the host takes them.
pub(crate) struct Outbox {
    inner: Mutex<Inner>,
    max_bytes: usize,
    /// Beyond that nothing more is read until the host takes something, for which it has
    /// so long; absent where nothing is read for it.
    replies: Option<(usize, Duration)>,
    /// Who is told that nothing is taken.
    owner: OnceLock<Weak<dyn Due>>,
    /// Whether each message is preceded by its stream and kind.
    labelled: bool,
    home: OnceLock<(Weak<Inbox>, u64)>,
}

#[derive(Default)]
struct Inner {
    frames: VecDeque<ByteString>,
    bytes: usize,
    /// What feeding handed out since the host last came to take: it may wait at the host.
    handed: usize,
    /// How much that was when an `Outgoing` item last asked the host to come.
    asked: usize,
    /// Since when more waits than may, and the end of the host's time.
    over: Option<(Instant, Appointment)>,
    /// An `Outgoing` item is on its way.
    announced: bool,
    /// Somebody is about to take.
    feeding: u32,
    closed: bool,
    wakes: Vec<Wake>,
}

impl Outbox {
    pub(crate) fn new(max_bytes: usize, labelled: bool) -> Self {
        let (owner, home) = (OnceLock::new(), OnceLock::new());
        Self { inner: Mutex::default(), max_bytes, replies: None, owner, labelled, home }
    }

    /// One whose connection is not read while more than so many bytes of replies wait.
    pub(crate) fn of_server(limits: &Limits, labelled: bool) -> Self {
        let mut outbox = Self::new(Limits::size(limits.send_queue_bytes), labelled);
        outbox.replies = Some((Limits::size(limits.reply_queue_bytes), limits.slow_reader));
        outbox
    }

    /// Where its `Outgoing` items go.
    pub(crate) fn belongs_to(&self, inbox: &Arc<Inbox>, connection: u64) {
        let _ = self.home.set((Arc::downgrade(inbox), connection));
    }

    /// Queues messages; tells the host unless it knows.
    pub(crate) fn push(&self, texts: impl Iterator<Item = ByteString>) {
        let announce = {
            let mut inner = self.inner.lock();
            for text in texts {
                inner.bytes += text.len();
                inner.frames.push_back(text);
            }
            self.look(&mut inner);
            let silent = inner.announced || inner.feeding > 0 || inner.frames.is_empty();
            inner.announced |= !silent;
            !silent
        };
        if announce {
            self.announce();
        }
    }

    fn announce(&self) {
        let home = self.home.get();
        if let Some((inbox, connection)) = home.and_then(|(inbox, id)| inbox.upgrade().zip(Some(*id))) {
            inbox.post(Item::Outgoing { connection });
        }
    }

    /// Where its items go.
    pub(crate) fn inbox(&self) -> Weak<Inbox> {
        self.home.get().map(|(inbox, _)| inbox.clone()).unwrap_or_default()
    }

    /// Notes that more waits than may. Whether it is so since now.
    fn look(&self, inner: &mut Inner) -> bool {
        let Some((most, patience)) = self.replies else { return false };
        if inner.over.is_some() || inner.bytes + inner.handed <= most {
            return false;
        }
        let Some(who) = self.owner.get() else { return false };
        inner.over = Some((timer::now(), Appointment::new(Time::ZERO, patience, who.clone())));
        true
    }

    /// Whether more waits than may.
    pub(crate) fn is_over(&self) -> bool {
        self.inner.lock().over.is_some()
    }

    /// Whether that has been so for too long.
    pub(crate) fn waited_too_long(&self) -> bool {
        let Some((_, patience)) = self.replies else { return false };
        let inner = self.inner.lock();
        inner
            .over
            .as_ref()
            .is_some_and(|(since, _)| timer::now().saturating_duration_since(*since) >= patience)
    }

    /// Runs `body`, which may queue messages, and returns all that wait, unannounced.
    pub(crate) fn feeding(&self, body: impl FnOnce()) -> Vec<ByteString> {
        self.inner.lock().feeding += 1;
        body();
        let (frames, wakes, asks) = {
            let mut inner = self.inner.lock();
            inner.feeding -= 1;
            let bytes = inner.bytes;
            let (frames, wakes) = inner.empty();
            (frames, wakes, self.hand(&mut inner, bytes))
        };
        for wake in wakes {
            wake();
        }
        if asks {
            self.announce();
        }
        frames
    }

    /// Counts what the host was handed without coming for it: only its coming shows that
    /// it has sent what it had. Whether it has to be asked to come.
    fn hand(&self, inner: &mut Inner, bytes: usize) -> bool {
        let Some((most, _)) = self.replies else { return false };
        inner.handed += bytes;
        let often = inner.handed - inner.asked > self.max_bytes.min(most / 2);
        let asks = self.look(inner) || often;
        if asks {
            inner.asked = inner.handed;
        }
        asks
    }

    pub(crate) fn has_room(&self) -> bool {
        self.inner.lock().bytes <= self.max_bytes
    }

    pub(crate) fn take(&self) -> Vec<ByteString> {
        let (frames, wakes, over) = {
            let mut inner = self.inner.lock();
            let (frames, wakes) = inner.empty();
            (inner.handed, inner.asked) = (0, 0);
            (frames, wakes, inner.over.take())
        };
        drop(over);
        for wake in wakes {
            wake();
        }
        frames
    }
}

impl Inner {
    fn empty(&mut self) -> (Vec<ByteString>, Vec<Wake>) {
        self.bytes = 0;
        self.announced = false;
        (std::mem::take(&mut self.frames).into(), std::mem::take(&mut self.wakes))
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
