//! The engine's time, which tests can move.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use mcpbolt_proto::session::Time;

/// Source of the engine's time.
pub trait Clock: Send + Sync + 'static {
    /// Time since a fixed start.
    fn now(&self) -> Time;
}

/// The machine's monotonic clock.
#[derive(Debug)]
pub struct SystemClock(Instant);

impl Default for SystemClock {
    fn default() -> Self {
        Self(Instant::now())
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Time {
        self.0.elapsed() + ahead()
    }
}

/// How far tests have moved the engine's time, in nanoseconds.
static AHEAD: AtomicU64 = AtomicU64::new(0);

/// How far the engine's time is ahead of the machine's; zero outside tests.
pub(crate) fn ahead() -> Duration {
    Duration::from_nanos(AHEAD.load(Ordering::Relaxed))
}

/// Moves the time of every engine in the process forward, never back.
pub(crate) fn move_ahead(by: Duration) {
    AHEAD.fetch_add(u64::try_from(by.as_nanos()).unwrap_or(u64::MAX), Ordering::Relaxed);
}
