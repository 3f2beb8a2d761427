//! Events kept for streams that are resumed, and their ids.
//!
//! Owns: one bounded log per session. Ids are `<stream>-<number>`: a client that comes back
//! says with one text which stream it means and where it was. Must not know: who reads them, or
//! what an event says.

use std::collections::VecDeque;

use bytestring::ByteString;

use mcpbolt_proto::limits::Limits;
use mcpbolt_proto::session::StreamId;
use mcpbolt_proto::session::server::IN_PLACE;

/// The place of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct EventId {
    pub(super) stream: StreamId,
    pub(super) number: u64,
}

impl EventId {
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (stream, number) = text.trim().split_once('-')?;
        Some(Self { stream: StreamId(stream.parse().ok()?), number: number.parse().ok()? })
    }
}

impl std::fmt::Display for EventId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut number = itoa::Buffer::new();
        f.write_str(number.format(self.stream.0))?;
        f.write_str("-")?;
        f.write_str(number.format(self.number))
    }
}

/// Events up to this size are copied: replies are written into more room than they need,
/// and would keep it. So are large ones, which have that of a host's buffer.
const SMALL: usize = 1024;

/// The last events of one session, oldest first.
pub(super) struct Replay {
    events: VecDeque<(EventId, ByteString)>,
    bytes: usize,
    max_events: usize,
    max_bytes: usize,
}

impl Replay {
    pub(super) fn new(limits: &Limits) -> Self {
        Self {
            events: VecDeque::new(),
            bytes: 0,
            max_events: limits.replay_events,
            max_bytes: Limits::size(limits.replay_bytes),
        }
    }

    /// Keeps an event; the oldest make room.
    pub(super) fn push(&mut self, id: EventId, text: ByteString) {
        if self.max_events == 0 || self.max_bytes == 0 {
            return;
        }
        self.bytes += text.len();
        let is_roomy = text.len() <= SMALL || text.len() >= IN_PLACE;
        let text = if is_roomy { ByteString::from(&*text) } else { text };
        self.events.push_back((id, text));
        // The newest stays however large it is: it may be the answer that somebody comes back for.
        while self.events.len() > self.max_events || (self.bytes > self.max_bytes && self.events.len() > 1) {
            let Some((_, oldest)) = self.events.pop_front() else { return };
            self.bytes -= oldest.len();
        }
    }

    /// What was said on a stream after an event (on that stream only).
    pub(super) fn after(&self, last: EventId) -> impl Iterator<Item = (EventId, &ByteString)> {
        let later = move |id: &EventId| id.stream == last.stream && id.number > last.number;
        self.events.iter().filter(move |(id, _)| later(id)).map(|(id, text)| (*id, text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(stream: u64, number: u64) -> EventId {
        EventId { stream: StreamId(stream), number }
    }

    #[test]
    fn only_the_named_stream_is_replayed() {
        let mut replay = Replay::new(&Limits::default());
        for (stream, number) in [(1, 1), (2, 1), (1, 2), (2, 2)] {
            replay.push(id(stream, number), format!("{stream}{number}").into());
        }
        let texts = |last| replay.after(last).map(|(_, text)| text.to_string()).collect::<Vec<_>>();
        assert_eq!(texts(id(1, 0)), ["11", "12"]);
        assert_eq!(texts(id(2, 1)), ["22"]);
        assert!(texts(id(3, 0)).is_empty());
    }

    #[test]
    fn the_oldest_events_make_room() {
        let limits = Limits { replay_events: 3, replay_bytes: 5, ..Limits::default() };
        let mut replay = Replay::new(&limits);
        for number in 1..=4 {
            replay.push(id(1, number), "x".into());
        }
        assert_eq!(replay.after(id(1, 0)).count(), 3);
        replay.push(id(1, 5), "12345".into());
        assert_eq!(replay.after(id(1, 0)).map(|(id, _)| id.number).collect::<Vec<_>>(), [5]);
        replay.push(id(1, 6), "more than there is room for".into());
        assert_eq!(replay.after(id(1, 0)).map(|(id, _)| id.number).collect::<Vec<_>>(), [6]);
        replay.push(id(1, 7), "x".into());
        assert_eq!(replay.after(id(1, 0)).map(|(id, _)| id.number).collect::<Vec<_>>(), [7]);
    }

    #[test]
    fn ids_survive_the_wire() {
        assert_eq!(EventId::parse(&id(7, 9).to_string()), Some(id(7, 9)));
        for text in ["", "7", "7-", "-1", "a-b", "1-2-3"] {
            assert_eq!(EventId::parse(text), None, "{text}");
        }
    }
}
