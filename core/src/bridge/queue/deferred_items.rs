//! Items that only let the host forget something: the end of an origin, of a connection
//! over HTTP.
//!
//! Over HTTP each call has such items, and nobody waits for them. So they wake nobody:
//! they are taken with the next item that matters, or a moment later. Must not know:
//! what the host forgets.

use std::sync::{Arc, Weak};
use std::time::Duration;

use crate::transport::timer::{self, Due};

use crate::bridge::boundary::item::Item;
use crate::bridge::queue::inbox::{Inbox, Wakeup};

/// How long such an item may wait for others.
const MOMENT: Duration = Duration::from_millis(5);

impl Inbox {
    /// Queues an item that nobody waits for.
    pub(crate) fn post_tidy(&self, item: Item) {
        let (first, wakeup) = {
            let mut state = self.lock();
            if !state.push_only(item) {
                return;
            }
            if self.birth.check().is_err() {
                // The clock is the parent's.
                (false, state.arrived())
            } else {
                (!std::mem::replace(&mut state.tidies, true), Wakeup::none())
            }
        };
        wakeup.fire();
        if first {
            let me: Weak<dyn Due> = self.me.clone();
            timer::schedule(MOMENT, me);
        }
    }

    pub(crate) fn origin_closed(&self, origin: Option<u64>) {
        if let Some(origin) = origin {
            self.post_tidy(Item::OriginClosed { origin });
        }
    }
}

impl Due for Inbox {
    fn due(self: Arc<Self>) {
        let wakeup = {
            let mut state = self.lock();
            state.tidies = false;
            state.wake_if_any()
        };
        wakeup.fire();
    }
}
