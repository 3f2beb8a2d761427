//! Changes that come faster than the client reads.
//!
//! Owns: which of them wait for room. Must not know: who asked for which, or who tells them.

use std::collections::VecDeque;

use mcpbolt_proto::session::Change;

/// Changes that wait, each of them once.
#[derive(Default)]
pub(super) struct LateChanges(VecDeque<Change>);

impl LateChanges {
    /// Whether none waits.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Keeps a change, behind all others. How many were lost because `most` wait already.
    pub(super) fn keep(&mut self, change: &Change, most: usize) -> u64 {
        self.0.retain(|known| known != change);
        self.0.push_back(change.clone());
        let is_over = self.0.len() > most;
        if is_over {
            self.0.pop_front();
        }
        u64::from(is_over)
    }

    /// All that wait, the oldest first.
    pub(super) fn take(&mut self) -> VecDeque<Change> {
        std::mem::take(&mut self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_word_on_each_thing_is_kept_in_order() {
        let mut late = LateChanges::default();
        let resource = |uri: &str| Change::Resource(uri.to_owned());
        for change in [resource("a"), Change::Tools, resource("b"), resource("a")] {
            assert_eq!(late.keep(&change, 3), 0);
        }
        assert_eq!(late.0, [Change::Tools, resource("b"), resource("a")]);
        assert_eq!(late.keep(&resource("c"), 3), 1);
        assert_eq!(late.0, [resource("b"), resource("a"), resource("c")]);
    }
}
