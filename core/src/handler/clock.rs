//! Sources of the engine's time: the machine's, which tests can move ahead, or one that
//! stands still.
//!
//! Owns: what time it is, and alarms of clocks that tests move. Must not know: who waits for
//! what.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use mcpbolt_proto::session::Time;

/// Called once when its time has come, or earlier.
pub type Alarm = Box<dyn FnOnce() + Send>;

/// Source of the engine's time.
pub trait Clock: Send + Sync + 'static {
    /// Time since a fixed start.
    fn now(&self) -> Time;

    /// Rings `alarm` when this clock shows `at`. A clock that runs like the machine's
    /// gives it back: the engine's own timer does it.
    fn ring_at(&self, at: Time, alarm: Alarm) -> Option<Alarm> {
        let _ = at;
        Some(alarm)
    }
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
        self.0.elapsed().saturating_add(ahead())
    }
}

/// How far tests have moved the engine's time, in nanoseconds.
static AHEAD: AtomicU64 = AtomicU64::new(0);

/// How far the engine's time is ahead of the machine's; zero outside tests.
pub(crate) fn ahead() -> Duration {
    Duration::from_nanos(AHEAD.load(Ordering::Relaxed))
}

/// Moves the time of every engine in the process forward, never back.
#[cfg(feature = "bridge")]
pub(crate) fn move_ahead(by: Duration) {
    AHEAD.fetch_add(u64::try_from(by.as_nanos()).unwrap_or(u64::MAX), Ordering::Relaxed);
}

/// A clock that stands still until a test moves it. Every deadline of a client that has
/// it comes when the test says so, at once and on the test's thread.
///
/// ```
/// use std::sync::Arc;
/// use std::time::Duration;
/// use mcpbolt::client::Client;
/// use mcpbolt::handler::ManualClock;
///
/// let clock = Arc::new(ManualClock::default());
/// let client = Client::builder("example", "1.0").clock(clock.clone()).build();
/// clock.advance(Duration::from_secs(60));
/// # let _ = client;
/// ```
#[derive(Default)]
pub struct ManualClock(Mutex<Manual>);

#[derive(Default)]
struct Manual {
    now: Time,
    next: u64,
    alarms: BTreeMap<(Time, u64), Alarm>,
}

impl ManualClock {
    /// Lets time pass, and rings what falls due on the way, in order.
    pub fn advance(&self, by: Duration) {
        let end = self.0.lock().now.saturating_add(by);
        loop {
            let due = {
                let mut manual = self.0.lock();
                let first = manual.alarms.first_entry().filter(|alarm| alarm.key().0 <= end);
                let due = first.map(|alarm| (alarm.key().0, alarm.remove()));
                manual.now = due.as_ref().map_or(end, |(at, _)| manual.now.max(*at));
                due
            };
            match due {
                Some((_, alarm)) => alarm(),
                None => return,
            }
        }
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Time {
        self.0.lock().now
    }

    fn ring_at(&self, at: Time, alarm: Alarm) -> Option<Alarm> {
        let mut manual = self.0.lock();
        let key = (at, manual.next);
        manual.next += 1;
        manual.alarms.insert(key, alarm);
        None
    }
}

impl fmt::Debug for ManualClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ManualClock({:?})", self.now())
    }
}
