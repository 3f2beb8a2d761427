//! For tests: waiting until nothing moves, instead of sleeping.

use std::time::{Duration, Instant};

use crate::transport::timer;

use super::inbox::Inbox;

/// How often calls are looked at that tell nobody when they park.
const LOOK: Duration = Duration::from_millis(2);

impl Inbox {
    /// Waits until the inbox is empty, every call is completed or parked, no service is
    /// asked and no deadline is due. `false` if that was not so within `timeout`.
    pub fn settle(&self, timeout: Duration) -> bool {
        let end = Instant::now() + timeout;
        loop {
            let calls: Vec<_> = {
                let state = self.lock();
                let quiet = state.main.len() + state.worker.len() + state.services.len() == 0;
                if quiet {
                    state.table.rows.values().map(|row| row.call.clone()).collect()
                } else {
                    Vec::new()
                }
            };
            let quiet = self.is_empty() && calls.iter().all(|call| call.is_parked()) && !timer::is_due();
            if quiet && self.lock().services.len() == 0 && self.open_calls() == calls.len() {
                return true;
            }
            if Instant::now() >= end {
                return false;
            }
            let mut state = self.lock();
            self.changed.wait_for(&mut state, LOOK);
        }
    }
}
