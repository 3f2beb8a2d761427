//! Items about the connections of a host's servers.
//!
//! Owns: that a connection counts as known from its first item on, and which ends are told.
//! Must not know: what the items say.

use std::sync::Arc;

use crate::bridge::boundary::item::Item;
use crate::bridge::queue::inbox::Inbox;
use crate::bridge::queue::limits::InboxLimits;
use crate::handler::Link;

use super::calls::OpenCalls;

impl Inbox {
    /// A connection of a server begins.
    pub(crate) fn connected(&self, connection: u64, link: &Arc<dyn Link>) {
        self.lock().of::<OpenCalls>().connections.insert(connection, link);
    }

    /// Tells the end of a connection, if the host ever heard of it.
    pub(crate) fn disconnected(&self, connection: u64) {
        let entry = {
            let mut state = self.lock();
            let open = state.of::<OpenCalls>();
            open.unwritable.remove(&connection);
            open.connections.remove(connection)
        };
        let closed = Item::Closed { connection, failure: None };
        match entry {
            Some(entry) if entry.is_named && entry.is_http => self.post_deferred(closed),
            Some(entry) if entry.is_named => self.post(closed),
            _ => {}
        }
    }

    /// Queues an item that names a connection, and that must arrive.
    pub(crate) fn post_about(&self, connection: u64, item: Item) {
        let wakeup = {
            let mut state = self.lock();
            state.of::<OpenCalls>().connections.name(connection);
            state.push(item)
        };
        wakeup.fire();
    }

    /// Queues an item that names a connection, within caps that its server may have named.
    /// Above them it is dropped.
    pub(crate) fn post_about_within(&self, caps: Option<InboxLimits>, connection: u64, item: Item) {
        let wakeup = {
            let mut state = self.lock();
            if self.is_full(&state, caps, item.size()) {
                state.dropped += 1;
                return;
            }
            state.of::<OpenCalls>().connections.name(connection);
            state.push(item)
        };
        wakeup.fire();
    }
}
