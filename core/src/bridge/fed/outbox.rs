//! What waits to be sent on a connection whose bytes the host carries.
//!
//! Owns: the messages in order, telling the host to come, and noticing that it does not.
//! Must not know: what is fed.

use std::collections::VecDeque;
use std::sync::{Arc, OnceLock, Weak};
use std::time::{Duration, Instant};

use bytestring::ByteString;
use parking_lot::Mutex;

use mcpbolt_proto::limits::Limits;
use mcpbolt_proto::session::{OutboundKind, StreamId, Time};

use crate::bridge::boundary::item::Item;
use crate::bridge::queue::inbox::Inbox;
use crate::handler::Wake;
use crate::transport::connection::{Sink, Wire};
use crate::transport::timer::{self, Appointment, Due};

/// Outgoing messages until the host takes them.
pub(crate) struct Outbox {
    queue: Mutex<OutboxQueue>,
    max_bytes: usize,
    /// Most bytes of replies that wait: beyond them nothing more is read until the host takes
    /// something, and how long it has for that. Absent where nothing is read.
    replies: Option<(usize, Duration)>,
    /// Is told when the host does not come for what waits.
    owner: OnceLock<Weak<dyn Due>>,
    /// Whether each message is preceded by its stream and kind.
    labelled: bool,
    home: OnceLock<(Weak<Inbox>, u64)>,
}

#[derive(Default)]
struct OutboxQueue {
    frames: VecDeque<ByteString>,
    bytes: usize,
    /// What feeding handed out since the host last came to take: it may wait at the host.
    handed: usize,
    /// How much that was when an `Outgoing` item last asked the host to come.
    asked: usize,
    /// Since when more waits than is allowed, and the end of the host's time.
    over: Option<(Instant, Appointment)>,
    /// An `Outgoing` item is on its way.
    announced: bool,
    /// How many callers are about to take.
    feeding: u32,
    closed: bool,
    wakes: Vec<Wake>,
}

impl Outbox {
    pub(crate) fn new(max_bytes: usize, labelled: bool) -> Self {
        let (owner, home) = (OnceLock::new(), OnceLock::new());
        Self { queue: Mutex::default(), max_bytes, replies: None, owner, labelled, home }
    }

    /// One whose connection is not read while more than so many bytes of replies wait.
    pub(crate) fn of_server(limits: &Limits, labelled: bool) -> Self {
        let mut outbox = Self::new(Limits::size(limits.send_queue_bytes), labelled);
        outbox.replies = Some((Limits::size(limits.reply_queue_bytes), limits.slow_reader));
        outbox
    }

    /// Who is told when nothing is taken for too long.
    pub(crate) fn tell_when_stuck(&self, owner: Weak<dyn Due>) {
        let _ = self.owner.set(owner);
    }

    /// Where its `Outgoing` items go.
    pub(crate) fn belongs_to(&self, inbox: &Arc<Inbox>, connection: u64) {
        let _ = self.home.set((Arc::downgrade(inbox), connection));
    }

    /// Queues messages. The host is told once, and not while a caller is about to take.
    pub(crate) fn push(&self, texts: impl Iterator<Item = ByteString>) {
        let announce = {
            let mut queue = self.queue.lock();
            for text in texts {
                queue.bytes += text.len();
                queue.frames.push_back(text);
            }
            self.look(&mut queue);
            let silent = queue.announced || queue.feeding > 0 || queue.frames.is_empty();
            queue.announced |= !silent;
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

    /// The inbox that its items go to.
    pub(crate) fn inbox(&self) -> Weak<Inbox> {
        self.home.get().map(|(inbox, _)| inbox.clone()).unwrap_or_default()
    }

    /// Notes that more waits than is allowed. True if that has just begun.
    fn look(&self, queue: &mut OutboxQueue) -> bool {
        let Some((most, patience)) = self.replies else { return false };
        if queue.over.is_some() || queue.bytes + queue.handed <= most {
            return false;
        }
        let Some(who) = self.owner.get() else { return false };
        queue.over = Some((timer::now(), Appointment::new(Time::ZERO, patience, who.clone())));
        true
    }

    /// Whether more waits than is allowed.
    pub(crate) fn is_over(&self) -> bool {
        self.queue.lock().over.is_some()
    }

    /// Whether that has been so for too long.
    pub(crate) fn waited_too_long(&self) -> bool {
        let Some((_, patience)) = self.replies else { return false };
        let queue = self.queue.lock();
        queue
            .over
            .as_ref()
            .is_some_and(|(since, _)| timer::now().saturating_duration_since(*since) >= patience)
    }

    /// Runs `body`, which may queue messages, and returns all that wait, without announcing
    /// them: the caller has them.
    pub(crate) fn feeding(&self, body: impl FnOnce()) -> Vec<ByteString> {
        self.queue.lock().feeding += 1;
        body();
        let (frames, wakes, asks) = {
            let mut queue = self.queue.lock();
            queue.feeding -= 1;
            let bytes = queue.bytes;
            let (frames, wakes) = queue.empty();
            (frames, wakes, self.hand(&mut queue, bytes))
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
    /// it has sent what it had. True if it has to be asked to come.
    fn hand(&self, queue: &mut OutboxQueue, bytes: usize) -> bool {
        let Some((most, _)) = self.replies else { return false };
        queue.handed += bytes;
        let often = queue.handed - queue.asked > self.max_bytes.min(most / 2);
        let asks = self.look(queue) || often;
        if asks {
            queue.asked = queue.handed;
        }
        asks
    }

    pub(crate) fn has_room(&self) -> bool {
        self.queue.lock().bytes <= self.max_bytes
    }

    pub(crate) fn take(&self) -> Vec<ByteString> {
        let (frames, wakes, over) = {
            let mut queue = self.queue.lock();
            let (frames, wakes) = queue.empty();
            (queue.handed, queue.asked) = (0, 0);
            (frames, wakes, queue.over.take())
        };
        drop(over);
        for wake in wakes {
            wake();
        }
        frames
    }
}

impl OutboxQueue {
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

    fn on_writable(&self, _: StreamId, wake: Wake) {
        {
            let mut queue = self.queue.lock();
            if queue.bytes > self.max_bytes && !queue.closed {
                queue.wakes.push(wake);
                return;
            }
        }
        wake();
    }

    fn close(&self) {
        let wakes = {
            let mut queue = self.queue.lock();
            queue.closed = true;
            std::mem::take(&mut queue.wakes)
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
        OutboundKind::Notification | OutboundKind::Cancellation => 'n',
        OutboundKind::Request => 'q',
    }
}
