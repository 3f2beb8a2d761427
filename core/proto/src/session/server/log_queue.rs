//! Log messages that wait for their turn.
//!
//! Owns: how many wait, and how many were lost to make room. Must not know: who wants which
//! level, or when a message may leave.

use std::collections::VecDeque;

use crate::jsonrpc::RawObject;

use super::super::throttle::Throttle;
use super::super::{ExchangeId, StreamId, Time};

/// Most bytes of messages that wait.
const MOST_BYTES: usize = 1 << 20;

/// The messages of one session that wait.
#[derive(Debug, Default)]
pub(super) struct Logs {
    pub(super) throttle: Throttle,
    pub(super) waiting: VecDeque<Waiting>,
    pub(super) bytes: usize,
    pub(super) lost: u64,
    pub(super) again: Option<Time>,
}

#[derive(Debug)]
pub(super) struct Waiting {
    pub(super) exchange: Option<ExchangeId>,
    pub(super) stream: StreamId,
    pub(super) params: RawObject,
    pub(super) size: usize,
}

impl Logs {
    /// When something that waits may leave.
    pub(super) fn due(&self) -> Option<Time> {
        self.again
    }

    /// Keeps a message; the oldest make room. How many were lost.
    pub(super) fn hold(&mut self, waiting: Waiting, most: usize, at: Time) -> u64 {
        self.bytes += waiting.size;
        self.waiting.push_back(waiting);
        let before = self.lost;
        while self.waiting.len() > most || self.bytes > MOST_BYTES {
            let Some(oldest) = self.waiting.pop_front() else { break };
            self.bytes -= oldest.size;
            self.lost += 1;
        }
        if !self.waiting.is_empty() {
            self.wait_until(at);
        }
        self.lost - before
    }

    pub(super) fn wait_until(&mut self, at: Time) {
        self.again = Some(self.again.map_or(at, |known| known.min(at)));
    }

    pub(super) fn remove(&mut self, at: usize) -> Option<Waiting> {
        let waiting = self.waiting.remove(at)?;
        self.bytes -= waiting.size;
        Some(waiting)
    }

    /// All that waits for one exchange, oldest first.
    pub(super) fn of(&mut self, exchange: ExchangeId) -> Vec<Waiting> {
        let mut found = Vec::new();
        while let Some(at) = self.waiting.iter().position(|w| w.exchange == Some(exchange)) {
            found.extend(self.remove(at));
        }
        found
    }
}
