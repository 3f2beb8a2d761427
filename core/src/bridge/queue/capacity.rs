//! What an inbox takes no more of.
//!
//! Owns: when it is full, what is dropped then. Must not know: what items mean.

use crate::bridge::boundary::item::Item;

use super::inbox::Inbox;
use super::limits::InboxLimits;
use super::state::InboxState;

impl Inbox {
    /// Notifications and log items that were dropped because the inbox was full.
    pub fn dropped(&self) -> u64 {
        self.lock().dropped
    }

    /// Whether `more` bytes are too many: above the inbox's own caps, or above those that a
    /// server named.
    pub(crate) fn is_full(&self, state: &InboxState, caps: Option<InboxLimits>, more: usize) -> bool {
        let caps = caps.unwrap_or(self.limits);
        state.len() >= caps.max_items || state.bytes() + more > caps.max_bytes
    }

    /// Queues an item that may be dropped when the inbox is full.
    pub(crate) fn post_droppable(&self, item: Item) {
        let wakeup = {
            let mut state = self.lock();
            if self.is_full(&state, None, item.size()) {
                state.dropped += 1;
                return;
            }
            state.push(item)
        };
        wakeup.fire();
    }
}
