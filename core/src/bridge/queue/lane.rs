//! Items in order, bounded in number and bytes. Requests stand in it by number only,
//! so that a cancelled one leaves nothing behind.

use std::collections::VecDeque;

use crate::bridge::boundary::item::Item;

/// One place in the queue.
#[derive(Debug)]
pub(crate) enum Entry {
    /// A request; the table of calls has the rest, or nothing if it was cancelled.
    Request { call: u64, size: usize },
    /// Anything else.
    Item(Box<Item>, usize),
}

/// What waits for one kind of taker.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    entries: VecDeque<Entry>,
    live: usize,
    bytes: usize,
}

impl Queue {
    pub(crate) fn push_request(&mut self, call: u64, size: usize) {
        self.live += 1;
        self.bytes += size;
        self.entries.push_back(Entry::Request { call, size });
    }

    pub(crate) fn push(&mut self, item: Item) {
        let size = item.size();
        self.live += 1;
        self.bytes += size;
        self.entries.push_back(Entry::Item(Box::new(item), size));
    }

    /// A queued request of this size is gone from the table of calls.
    pub(crate) fn forget(&mut self, size: usize, is_alive: impl Fn(u64) -> bool) {
        self.live -= 1;
        self.bytes -= size;
        // The rows of requests that are gone are few bytes, but must not pile up.
        if self.entries.len() > 64 && self.entries.len() > 2 * self.live {
            self.entries.retain(|entry| match entry {
                Entry::Request { call, .. } => is_alive(*call),
                Entry::Item(..) => true,
            });
        }
    }

    /// The next entry and its size; the caller knows which requests are gone.
    pub(crate) fn pop(&mut self, is_alive: impl Fn(u64) -> bool) -> Option<(Entry, usize)> {
        loop {
            let entry = self.entries.pop_front()?;
            let size = match &entry {
                Entry::Request { call, .. } if !is_alive(*call) => continue,
                Entry::Request { size, .. } | Entry::Item(_, size) => *size,
            };
            self.live -= 1;
            self.bytes -= size;
            return Some((entry, size));
        }
    }

    /// Size of the next entry that [`Queue::pop`] would return.
    pub(crate) fn peek(&mut self, is_alive: impl Fn(u64) -> bool) -> Option<usize> {
        while let Some(entry) = self.entries.front() {
            match entry {
                Entry::Request { call, .. } if !is_alive(*call) => drop(self.entries.pop_front()),
                Entry::Request { size, .. } | Entry::Item(_, size) => return Some(*size),
            }
        }
        None
    }

    pub(crate) fn len(&self) -> usize {
        self.live
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }
}
