//! What an inbox takes no more of. Owns: when it is full, what is dropped then. Must not
//! know: what items mean.

use crate::bridge::boundary::item::Item;
use crate::bridge::options::server::InboxLimits;
use crate::bridge::queue::inbox::{Inbox, State};

impl Inbox {
    /// Notifications and log items that were dropped because the inbox was full.
    pub fn dropped(&self) -> u64 {
        self.state.lock().dropped
    }

    /// Above its own caps, or those that a server named.
    pub(crate) fn is_full(&self, state: &State, caps: Option<InboxLimits>, more: usize) -> bool {
        let caps = caps.unwrap_or(self.limits);
        state.main.len() + state.worker.len() >= caps.max_items
            || state.main.bytes() + state.worker.bytes() + more > caps.max_bytes
    }

    /// Queues an item that may be dropped when the inbox is full.
    pub(crate) fn post_droppable(&self, item: Item) {
        self.post_within(None, item);
    }

    /// The same within caps that a server may have named.
    pub(crate) fn post_within(&self, caps: Option<InboxLimits>, item: Item) {
        let wakeup = {
            let mut state = self.state.lock();
            if self.is_full(&state, caps, item.size()) {
                state.dropped += 1;
                return;
            }
            state.push(item)
        };
        wakeup.fire();
    }
}
