//! What a connection was fed while its replies were not taken.
//!
//! Owns: keeping it in order and within a bound. Must not know: connections, or what the
//! bytes say.

use std::collections::VecDeque;

use bytes::Bytes;

use mcpbolt_proto::session::StreamId;

use crate::bridge::queue::causes::CauseHold;

/// What was fed at once.
pub(crate) struct FedPart {
    pub(crate) bytes: Bytes,
    pub(crate) stream: StreamId,
    pub(crate) cause: CauseHold,
}

/// What was fed and not looked at yet.
#[derive(Default)]
pub(crate) struct Backlog {
    parts: VecDeque<FedPart>,
    bytes: usize,
    /// A caller is looking at a part that was kept.
    is_working: bool,
}

impl Backlog {
    /// Whether nothing is kept and nothing that was kept is being looked at.
    pub(crate) fn is_idle(&self) -> bool {
        self.parts.is_empty() && !self.is_working
    }

    /// Whether so many bytes more may be kept; the error says how many it would be in all.
    /// One part is always kept, however large: it is here already.
    pub(crate) fn room_for(&self, more: usize, most: usize) -> Result<(), usize> {
        let after = self.bytes + more;
        if after > most && !self.parts.is_empty() { Err(after) } else { Ok(()) }
    }

    pub(crate) fn push(&mut self, part: FedPart) {
        self.bytes += part.bytes.len();
        self.parts.push_back(part);
    }

    /// The next part, to be looked at until [`Backlog::done`]; one at a time.
    pub(crate) fn next(&mut self) -> Option<FedPart> {
        if self.is_working {
            return None;
        }
        let part = self.parts.pop_front()?;
        self.bytes -= part.bytes.len();
        self.is_working = true;
        Some(part)
    }

    pub(crate) fn done(&mut self) {
        self.is_working = false;
    }

    /// Takes out everything that is kept.
    pub(crate) fn clear(&mut self) -> VecDeque<FedPart> {
        self.bytes = 0;
        std::mem::take(&mut self.parts)
    }
}
