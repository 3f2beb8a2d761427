//! Events on their way into a shared log, and their places in it.
//!
//! Owns: the queue between a connection, which must not wait, and the log; the form
//! of entries and of event ids. Must not know: who reads them.

use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use bytestring::ByteString;
use tokio::sync::Notify;

use mcpbolt_proto::session::StreamId;

use crate::handler::Wake;

use super::asked_id::AskedId;
use super::replay::EventId;

/// A stream of a session that several nodes serve.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum StreamKey {
    /// What belongs to no POST, from whichever node.
    Own,
    /// A POST, by the name of who serves it.
    Post { name: String, stream: u64 },
}

/// Where a client was: what an event id says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum LogPosition {
    /// Behind this entry of the log; from the start without one.
    Own(Option<String>),
    /// Behind an event of a POST.
    Post { stream: StreamKey, number: u64, asked: Option<AskedId> },
}

impl LogPosition {
    pub(super) fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if let Some(entry) = text.strip_prefix("g.") {
            return Some(Self::Own(Some(entry.to_owned()).filter(|entry| !entry.is_empty())));
        }
        let (asked, place) = match text.strip_prefix("a.") {
            Some(text) => text.split_once('.').map(|(id, place)| (Some(id), place))?,
            None => (None, text.strip_prefix("p.")?),
        };
        let mut parts = place.rsplitn(3, '.');
        let number = parts.next()?.parse().ok()?;
        let stream = parts.next()?.parse().ok()?;
        let stream = StreamKey::Post { name: parts.next()?.to_owned(), stream };
        let asked = match asked {
            Some(id) => Some(AskedId::parse(id)?),
            None => None,
        };
        Some(Self::Post { stream, number, asked })
    }

    pub(super) fn stream(&self) -> StreamKey {
        match self {
            Self::Own(_) => StreamKey::Own,
            Self::Post { stream, .. } => stream.clone(),
        }
    }
}

impl fmt::Display for LogPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Own(entry) => write!(f, "g.{}", entry.as_deref().unwrap_or_default()),
            Self::Post { stream: StreamKey::Post { name, stream }, number, asked } => match asked {
                Some(id) => write!(f, "a.{id}.{name}.{stream}.{number}"),
                None => write!(f, "p.{name}.{stream}.{number}"),
            },
            Self::Post { stream: StreamKey::Own, .. } => f.write_str("g."),
        }
    }
}

/// The number of the last event of a stream whose answer the log has no more. Others count from 1.
pub(super) const LOST: u64 = 0;

/// One event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Event {
    pub(super) stream: StreamKey,
    /// Who made an event of the session's own stream, to which all nodes write; unknown of entries
    /// that older releases wrote.
    pub(super) maker: Option<Arc<str>>,
    /// Counts within the stream of a POST, or what one node writes to the session's own.
    pub(super) number: u64,
    /// Nothing follows on this stream.
    pub(super) last: bool,
    /// Empty for an end without an answer.
    pub(super) text: ByteString,
}

impl Event {
    pub(super) fn encode(&self) -> Bytes {
        let head = match &self.stream {
            // Older releases read no further than the g.
            StreamKey::Own => match &self.maker {
                Some(maker) => format!("1 g {maker} {}", self.number),
                None => "1 g".to_owned(),
            },
            StreamKey::Post { name, stream } => {
                format!("1 p {name} {stream} {} {}", self.number, u8::from(self.last))
            }
        };
        [head.as_bytes(), b"\n", self.text.as_bytes()].concat().into()
    }

    /// `None` for entries of a version that is not ours.
    pub(super) fn decode(entry: &Bytes) -> Option<Self> {
        let at = memchr::memchr(b'\n', entry)?;
        let text = ByteString::try_from(entry.slice(at + 1..)).ok()?;
        let mut head = std::str::from_utf8(&entry[..at]).ok()?.split(' ');
        if head.next() != Some("1") {
            return None;
        }
        if head.next() == Some("g") {
            let maker = head.next().map(Arc::from);
            let number = head.next().and_then(|number| number.parse().ok()).unwrap_or_default();
            return Some(Self { stream: StreamKey::Own, maker, number, last: false, text });
        }
        let name = head.next()?.to_owned();
        let stream = head.next()?.parse().ok()?;
        let number = head.next()?.parse().ok()?;
        let last = head.next()? == "1";
        Some(Self { stream: StreamKey::Post { name, stream }, maker: None, number, last, text })
    }
}

/// Events that are not in the log yet.
pub(super) struct Journal {
    /// Of this node's share of the session.
    pub(super) name: Arc<str>,
    queue: VecDeque<Event>,
    bytes: usize,
    max_bytes: usize,
    wake: Arc<Notify>,
    wakes: Vec<Wake>,
    /// Events were taken and may not be in the log yet.
    writing: bool,
    discarded: bool,
}

impl Journal {
    pub(super) fn new(name: Arc<str>, max_bytes: usize, wake: Arc<Notify>) -> Self {
        let (queue, wakes) = (VecDeque::new(), Vec::new());
        Self { name, queue, bytes: 0, max_bytes, wake, wakes, writing: false, discarded: false }
    }

    pub(super) fn key(&self, stream: StreamId) -> StreamKey {
        if stream == StreamId::CONNECTION {
            return StreamKey::Own;
        }
        StreamKey::Post { name: self.name.to_string(), stream: stream.0 }
    }

    /// Queues an event. While the log takes nothing, the oldest make room.
    pub(super) fn push(&mut self, id: EventId, text: ByteString, last: bool) {
        if self.discarded {
            return;
        }
        let stream = self.key(id.stream);
        self.bytes += text.len();
        let maker = (stream == StreamKey::Own).then(|| self.name.clone());
        self.queue.push_back(Event { stream, maker, number: id.number, last, text });
        self.make_room();
        self.wake.notify_one();
    }

    /// Queues the end of a stream that was over before.
    pub(super) fn push_lost(&mut self, stream: StreamKey) {
        if !self.discarded {
            let text = ByteString::new();
            self.queue.push_back(Event { stream, maker: None, number: LOST, last: true, text });
            self.wake.notify_one();
        }
    }

    /// All that waits, and who waits for room. [`Journal::written`] says when it is in
    /// the log.
    pub(super) fn take(&mut self) -> (VecDeque<Event>, Vec<Wake>) {
        self.bytes = 0;
        self.writing |= !self.queue.is_empty();
        (std::mem::take(&mut self.queue), std::mem::take(&mut self.wakes))
    }

    /// What was taken is in the log, or lost; but for `left`, which is to be taken again. Where
    /// there is too much of it, the oldest make room.
    pub(super) fn written(&mut self, left: VecDeque<Event>) {
        self.writing = false;
        if self.discarded {
            return;
        }
        for event in left.into_iter().rev() {
            self.bytes += event.text.len();
            self.queue.push_front(event);
        }
        self.make_room();
    }

    fn make_room(&mut self) {
        while self.bytes / 2 > self.max_bytes {
            let Some(oldest) = self.queue.pop_front() else { break };
            self.bytes -= oldest.text.len();
        }
    }

    /// Whether the log has everything.
    pub(super) fn is_written(&self) -> bool {
        self.queue.is_empty() && !self.writing
    }

    pub(super) fn is_full(&self) -> bool {
        self.bytes > self.max_bytes
    }

    pub(super) fn on_writable(&mut self, wake: Wake) {
        self.wakes.push(wake);
    }

    /// The session is over for all nodes: nothing is worth keeping.
    pub(super) fn discard(&mut self) -> Vec<Wake> {
        self.discarded = true;
        self.take().1
    }

    pub(super) fn wake(&self) {
        self.wake.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_entries_survive_the_wire() {
        let post = StreamKey::Post { name: "n-1.7".to_owned(), stream: 3 };
        for place in [
            LogPosition::Own(None),
            LogPosition::Own(Some("a.b-2".to_owned())),
            LogPosition::Post { stream: post.clone(), number: 9, asked: None },
            LogPosition::Post { stream: post.clone(), number: 9, asked: AskedId::parse("_Lg") },
        ] {
            assert_eq!(LogPosition::parse(&place.to_string()), Some(place));
        }
        for text in ["", "7-1", "p.", "p.1.2", "p.n.x.2", "a.1", "a.x.n.1.2", "g"] {
            assert_eq!(LogPosition::parse(text), None, "{text}");
        }
        let own = |maker: Option<&str>| (StreamKey::Own, maker.map(Arc::from));
        for ((stream, maker), number, last) in
            [(own(None), 0, false), (own(Some("n-1.7")), 2, false), ((post, None), 4, true)]
        {
            let event = Event { stream, maker, number, last, text: "{\"a\":\"\\n\"}".into() };
            assert_eq!(Event::decode(&event.encode()), Some(event));
        }
        assert_eq!(Event::decode(&Bytes::from_static(b"2 g\n{}")), None);
    }

    #[test]
    fn a_log_that_takes_nothing_costs_bounded_memory() {
        let mut journal = Journal::new("n.1".into(), 10, Arc::default());
        for number in 1..=100 {
            journal.push(EventId { stream: StreamId(1), number }, "123456".into(), false);
        }
        assert!(journal.is_full());
        let (kept, _) = journal.take();
        assert_eq!(kept.back().map(|event| event.number), Some(100));
        assert!(kept.len() <= 4, "{}", kept.len());
        let numbers: Vec<_> = kept.iter().map(|event| event.number).collect();
        journal.push(EventId { stream: StreamId(1), number: 101 }, "123456".into(), false);
        journal.written(kept);
        let (again, _) = journal.take();
        let back: Vec<_> = again.iter().map(|event| event.number).collect();
        assert!(back.len() <= 4 && back.ends_with(&[100, 101]), "{numbers:?}, then {back:?}");
    }
}
