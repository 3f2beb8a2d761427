//! For tests: waiting until nothing moves, instead of sleeping.
//!
//! Owns: when an inbox counts as idle. Must not know: what may be going on in its tables.

use std::time::{Duration, Instant};

use crate::transport::timer;

use super::inbox::Inbox;

/// How often to look again: some things come to rest without a word, such as a call that
/// parks.
const LOOK: Duration = Duration::from_millis(2);

impl Inbox {
    /// Waits until the inbox is empty, every call and every request of a server is
    /// completed or parked, no service is asked, no request of a client waits for its
    /// answer (listen streams may), and no deadline is due. `false` if that was not so
    /// within `timeout`.
    pub fn settle(&self, timeout: Duration) -> bool {
        let begun = Instant::now();
        loop {
            if self.is_quiet() {
                return true;
            }
            if begun.elapsed() >= timeout {
                return false;
            }
            let mut state = self.lock();
            self.changed.wait_for(&mut state, LOOK);
        }
    }

    fn is_quiet(&self) -> bool {
        let (open, checks) = {
            let state = self.lock();
            if !state.is_idle() {
                return false;
            }
            state.look()
        };
        // Without the lock: calls and connections have locks of their own, which come first.
        let still = checks.into_iter().all(|is_still| is_still()) && !timer::is_due();
        // What moved meanwhile has left something here.
        still && {
            let state = self.lock();
            state.is_idle() && state.open() == open
        }
    }
}
