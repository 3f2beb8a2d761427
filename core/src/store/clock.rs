//! The time that stores go by.
//!
//! Owns: the machine's clock, and one that tests move. Must not know: what expires.

use std::fmt;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

/// Time since a start that stays the same.
///
/// ```
/// use mcpbolt::store::{Clock, ManualClock};
/// use std::time::Duration;
///
/// fn seconds(clock: &dyn Clock) -> u64 {
///     clock.now().as_secs()
/// }
/// let clock = ManualClock::default();
/// clock.advance(Duration::from_secs(90));
/// assert_eq!(seconds(&clock), 90);
/// ```
pub trait Clock: Send + Sync + fmt::Debug {
    /// Now.
    fn now(&self) -> Duration;
}

/// The monotonic clock of the system, from when this was made.
#[derive(Debug, Clone, Copy)]
pub struct SystemClock(Instant);

impl SystemClock {
    /// A clock that starts now.
    pub fn new() -> Self {
        Self(Instant::now())
    }
}

impl Default for SystemClock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

/// A clock that a test moves.
///
/// ```
/// use std::time::Duration;
/// use mcpbolt::store::{Clock, ManualClock};
///
/// let clock = ManualClock::default();
/// clock.advance(Duration::from_secs(5));
/// assert_eq!(clock.now(), Duration::from_secs(5));
/// ```
#[derive(Debug, Default)]
pub struct ManualClock(Mutex<Duration>);

impl ManualClock {
    /// Lets time pass.
    pub fn advance(&self, by: Duration) {
        *self.0.lock() += by;
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Duration {
        *self.0.lock()
    }
}
