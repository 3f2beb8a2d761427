//! The two lanes of an inbox and what waits in one: items in order, counted in number and
//! bytes.
//!
//! Owns: the order, the counts. Must not know: who waits for what.
//!
//! What may be cancelled while it waits stands here only as a [`Ticket`]: its table makes
//! the item when it is taken. So a cancelled request leaves nothing but its ticket behind,
//! and is never delivered.

use std::collections::VecDeque;

use crate::bridge::boundary::item::Item;

/// Who takes a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Lane {
    /// The host's loop, with `take`.
    #[default]
    Loop,
    /// A worker thread of the host, with `take_sync`.
    Worker,
}

/// Stands for an item that a table makes when it is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ticket {
    /// Which table.
    pub(crate) table: usize,
    /// What of it.
    pub(crate) number: u64,
    /// Bytes of payload of the item.
    pub(crate) size: usize,
}

#[derive(Debug)]
enum Entry {
    Ticket(Ticket),
    Item(Box<Item>, usize),
}

/// What waits in one lane.
#[derive(Debug, Default)]
pub(crate) struct LaneQueue {
    entries: VecDeque<Entry>,
    live: usize,
    bytes: usize,
}

impl LaneQueue {
    pub(crate) fn push_ticket(&mut self, ticket: Ticket) {
        self.live += 1;
        self.bytes += ticket.size;
        self.entries.push_back(Entry::Ticket(ticket));
    }

    pub(crate) fn push(&mut self, item: Item) {
        let size = item.size();
        self.live += 1;
        self.bytes += size;
        self.entries.push_back(Entry::Item(Box::new(item), size));
    }

    /// What a ticket of this size stands for is no longer wanted.
    pub(crate) fn forget(&mut self, size: usize, is_waiting: impl Fn(&Ticket) -> bool) {
        self.live -= 1;
        self.bytes -= size;
        // Tickets of what is gone are few bytes, but must not pile up.
        if self.entries.len() > 64 && self.entries.len() > 2 * self.live {
            self.entries.retain(|entry| match entry {
                Entry::Ticket(ticket) => is_waiting(ticket),
                Entry::Item(..) => true,
            });
        }
    }

    /// The next item and its size. `redeem` makes the item of a ticket, unless it is no
    /// longer wanted.
    pub(crate) fn pop(&mut self, mut redeem: impl FnMut(&Ticket) -> Option<Item>) -> Option<(Item, usize)> {
        loop {
            let (item, size) = match self.entries.pop_front()? {
                Entry::Item(item, size) => (*item, size),
                Entry::Ticket(ticket) => match redeem(&ticket) {
                    Some(item) => (item, ticket.size),
                    // It was counted out when it was forgotten.
                    None => continue,
                },
            };
            self.live -= 1;
            self.bytes -= size;
            return Some((item, size));
        }
    }

    /// Size of the item that [`LaneQueue::pop`] would return.
    pub(crate) fn peek(&mut self, is_waiting: impl Fn(&Ticket) -> bool) -> Option<usize> {
        while let Some(entry) = self.entries.front() {
            match entry {
                Entry::Ticket(ticket) if !is_waiting(ticket) => drop(self.entries.pop_front()),
                Entry::Ticket(Ticket { size, .. }) | Entry::Item(_, size) => return Some(*size),
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
