//! Where the events of a session go.
//!
//! Owns: what differs between the places. Must not know: streams and who reads them.

use bytestring::ByteString;

use crate::handler::Wake;

use super::super::asked_id::AskedId;
use super::super::journal::{Journal, LogPosition};
use super::super::replay::{EventId, Replay};
use super::event_recorder::Recorded;

/// Where events are kept for streams that break off.
pub(super) enum EventStorage {
    /// In this process.
    Here(Replay),
    /// On the way to a log that other nodes read too.
    Shared(Journal),
    /// With a store that is asked before they leave.
    Recorded(Box<Recorded>),
}

impl EventStorage {
    pub(super) fn push(&mut self, id: EventId, text: ByteString, last: bool) {
        match self {
            Self::Here(replay) => replay.push(id, text),
            Self::Shared(journal) => journal.push(id, text, last),
            Self::Recorded(recorded) => recorded.sent(id.stream),
        }
    }

    /// The text of an event id; a store may have failed to give one. `asked`: the request that the
    /// stream answers.
    pub(super) fn tag(&self, id: EventId, asked: Option<&AskedId>) -> Option<String> {
        match self {
            Self::Here(_) => Some(id.to_string()),
            Self::Shared(journal) => {
                let (stream, asked) = (journal.key(id.stream), asked.cloned());
                Some(LogPosition::Post { stream, number: id.number, asked }.to_string())
            }
            Self::Recorded(recorded) => recorded.current(),
        }
    }

    pub(super) fn journal(&mut self) -> Option<&mut Journal> {
        match self {
            Self::Shared(journal) => Some(journal),
            _ => None,
        }
    }

    pub(super) fn recorded(&mut self) -> Option<&mut Recorded> {
        match self {
            Self::Recorded(recorded) => Some(recorded),
            _ => None,
        }
    }

    /// Whether what is to be kept waits already.
    pub(super) fn is_full(&self) -> bool {
        match self {
            Self::Here(_) => false,
            Self::Shared(journal) => journal.is_full(),
            Self::Recorded(recorded) => recorded.is_full(),
        }
    }

    pub(super) fn on_writable(&mut self, wake: Wake) {
        match self {
            Self::Here(_) => wake(),
            Self::Shared(journal) => journal.on_writable(wake),
            Self::Recorded(recorded) => recorded.on_writable(wake),
        }
    }
}
