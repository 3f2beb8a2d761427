//! States that were taken once and are not taken again.
//!
//! Owns: which they are, and when they may be forgotten. Must not know: what a state is,
//! what numbers it, who carries it.
//!
//! Bounded: where there are too many, those that expire first are void from then on,
//! taken or not. So a full table makes states live shorter, and never lets one pass twice.
//!
//! ```
//! use mcpbolt_proto::session::Time;
//! use mcpbolt_proto::session::used_states::{StateId, UsedStates};
//!
//! let mut used = UsedStates::new();
//! let state = StateId { number: 42, expires: Time::from_secs(600) };
//! assert!(used.take(Time::ZERO, state, 100).is_ok());
//! assert!(used.take(Time::ZERO, state, 100).is_err());
//! ```

use std::collections::BTreeSet;

use crate::protocol::Error;

use super::Time;

/// Tells a state from all others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct StateId {
    /// From when on it is void anyway, in the time of [`UsedStates::take`].
    pub expires: Time,
    /// No other state has it: random, or a digest of something that is.
    pub number: u128,
}

/// The used states of a process.
#[derive(Debug)]
pub struct UsedStates {
    used: BTreeSet<StateId>,
    /// What expires by then is not known any more, and void.
    void: Time,
}

impl UsedStates {
    /// An empty table.
    pub const fn new() -> Self {
        Self { used: BTreeSet::new(), void: Time::ZERO }
    }

    /// Takes a state that has not been taken yet, and remembers at most `max`.
    ///
    /// # Errors
    /// `InvalidParams` if it was taken already, or has expired.
    pub fn take(&mut self, now: Time, state: StateId, max: usize) -> Result<(), Error> {
        while self.used.first().is_some_and(|first| first.expires <= now) {
            self.forget_first();
        }
        if state.expires <= self.void.max(now) || !self.used.insert(state) {
            return Err(used_or_expired());
        }
        while self.used.len() > max {
            self.forget_first();
        }
        Ok(())
    }

    fn forget_first(&mut self) {
        if let Some(first) = self.used.pop_first() {
            self.void = self.void.max(first.expires);
        }
    }

    /// How many are remembered.
    pub fn len(&self) -> usize {
        self.used.len()
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.used.is_empty()
    }
}

impl Default for UsedStates {
    fn default() -> Self {
        Self::new()
    }
}

/// What a client learns whose `requestState` is not good a second time, or any more.
pub fn used_or_expired() -> Error {
    Error::invalid_params("requestState was already used or has expired; send the request again without it")
        .with_data(serde_json::json!({ "reason": "invalid_request_state" }))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAX: usize = 2;

    fn state(number: u128, seconds: u64) -> StateId {
        StateId { number, expires: Time::from_secs(seconds) }
    }

    fn at(seconds: u64) -> Time {
        Time::from_secs(seconds)
    }

    #[test]
    fn a_state_is_taken_once_until_it_expires_and_never_after() {
        let mut used = UsedStates::new();
        used.take(at(0), state(1, 10), MAX).unwrap();
        let error = used.take(at(9), state(1, 10), MAX).unwrap_err();
        assert!(error.message.contains("already used") && error.message.contains("without it"), "{error}");
        used.take(at(9), state(2, 10), MAX).unwrap();
        assert!(used.take(at(10), state(3, 10), MAX).is_err(), "expired");
        used.take(at(10), state(4, 20), MAX).unwrap();
        assert_eq!(used.len(), 1, "what expired is forgotten");
        assert!(used.take(at(5), state(1, 10), MAX).is_err(), "also when the clock went back");
    }

    #[test]
    fn beyond_the_bound_states_live_shorter_and_none_passes_twice() {
        let mut used = UsedStates::new();
        for number in 1..=100 {
            let expires = 100 + u64::try_from(number).unwrap();
            used.take(at(0), state(number, expires), MAX).unwrap();
            assert!(used.len() <= MAX);
        }
        assert!((1..=100).all(|number| {
            let expires = 100 + u64::try_from(number).unwrap();
            used.take(at(0), state(number, expires), MAX).is_err()
        }));
        assert!(used.take(at(0), state(1000, 150), MAX).is_err(), "older than what is remembered");
        used.take(at(0), state(1000, 200), MAX).unwrap();
        let mut nothing = UsedStates::new();
        nothing.take(at(0), state(1, 10), 0).unwrap();
        assert!(nothing.take(at(0), state(1, 10), 0).is_err() && nothing.is_empty());
    }
}
