//! For tests: waiting until nothing moves, instead of sleeping.

use std::time::{Duration, Instant};

use crate::transport::timer;

use crate::bridge::queue::inbox::Inbox;

/// How often calls are looked at that tell nobody when they park.
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
        let (calls, clients) = {
            let state = self.lock();
            if !state.is_idle() {
                return false;
            }
            let calls: Vec<_> = state.table.rows.values().map(|row| row.call.clone()).collect();
            let clients: Vec<_> = state.clients.values().cloned().collect();
            (calls, clients)
        };
        let still = calls.iter().all(|call| call.is_parked())
            && clients.iter().all(|session| !session.waits_for_answers())
            && !timer::is_due();
        // Whatever moved meanwhile left something here.
        still && {
            let state = self.lock();
            state.is_idle() && state.table.rows.len() == calls.len()
        }
    }
}
