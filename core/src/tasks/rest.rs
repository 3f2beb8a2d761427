//! Who waits until no task runs.
//!
//! Owns: the list of them. Must not know: tasks, or why somebody waits.

use parking_lot::Mutex;

use crate::handler::TransportKind;
use crate::handler::lasting::{Of, Then};

/// All that wait, each for the tasks of calls that came in certain ways.
#[derive(Default)]
pub(super) struct AtRest(Mutex<Vec<(Of, Then)>>);

impl AtRest {
    pub(super) fn add(&self, of: Of, then: Then) {
        self.0.lock().push((of, then));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.lock().is_empty()
    }

    /// Calls those that wait for none of these, which are the tasks that run.
    pub(super) fn tell(&self, running: &[TransportKind]) {
        let waits = |of: Of| running.iter().any(|kind| of(*kind));
        let over: Vec<_> = self.0.lock().extract_if(.., |(of, _)| !waits(*of)).collect();
        for (_, then) in over {
            then();
        }
    }
}
