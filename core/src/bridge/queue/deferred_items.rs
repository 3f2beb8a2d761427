//! Items that only let the host forget something: a cause that is over, the end of a
//! connection over HTTP.
//!
//! Owns: when they are delivered. Must not know: what the host forgets.
//!
//! Over HTTP each call has such items, and no host waits for them. So they do not wake the
//! host: they are taken with the next item that matters, or a moment later.

use std::sync::{Arc, Weak};
use std::time::Duration;

use crate::bridge::boundary::item::Item;
use crate::transport::timer::{self, Due};

use super::inbox::Inbox;
use super::wake::Wakeup;

/// How long such an item may wait for others.
const MOMENT: Duration = Duration::from_millis(5);

impl Inbox {
    /// Queues an item without waking the host for it.
    pub(crate) fn post_deferred(&self, item: Item) {
        let (first, wakeup) = {
            let mut state = self.lock();
            if !state.push_only(item) {
                return;
            }
            if self.process.check().is_err() {
                // The clock is the parent's and does not run here: wake at once.
                (false, state.arrived())
            } else {
                (!std::mem::replace(&mut state.clock_is_set, true), Wakeup::default())
            }
        };
        wakeup.fire();
        if first {
            let me: Weak<dyn Due> = self.me.clone();
            timer::schedule(MOMENT, me);
        }
    }
}

impl Due for Inbox {
    fn due(self: Arc<Self>) {
        let wakeup = {
            let mut state = self.lock();
            state.clock_is_set = false;
            state.wake_if_any()
        };
        wakeup.fire();
    }
}
