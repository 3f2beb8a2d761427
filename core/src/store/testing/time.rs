//! How time passes for a store under test.
//!
//! Owns: the unit that lives are measured in, and letting it pass. Must not know: what expires.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::super::clock::ManualClock;
use super::super::future::BoxFuture;

/// How time passes for a store under test: on a clock that the test moves, or by waiting.
///
/// ```
/// use mcpbolt::store::testing::Time;
/// use std::time::Duration;
///
/// // A store that expires by a clock of its own, such as a server's: 16 units are waited for.
/// let time = Time::real(Duration::from_millis(500));
/// # let _ = time;
/// ```
pub struct Time<'a> {
    unit: Duration,
    pass: Box<dyn Fn(Duration) -> BoxFuture<'a, ()> + Send + Sync + 'a>,
}

impl<'a> Time<'a> {
    /// On a clock that the store goes by.
    pub fn manual(clock: &Arc<ManualClock>) -> Self {
        let clock = Arc::clone(clock);
        Self::new(Duration::from_secs(1), move |by| {
            clock.advance(by);
            Box::pin(std::future::ready(()))
        })
    }

    /// By waiting. Lives are a few `unit`s long: a test machine must not stall for one.
    pub fn real(unit: Duration) -> Self {
        Self::new(unit, |by| Box::pin(tokio::time::sleep(by)))
    }

    /// By a function that lets so much time pass for the store.
    pub fn new(unit: Duration, pass: impl Fn(Duration) -> BoxFuture<'a, ()> + Send + Sync + 'a) -> Self {
        Self { unit, pass: Box::new(pass) }
    }

    /// So many units, as a time to live.
    pub(super) fn units(&self, units: u32) -> Duration {
        self.unit * units
    }

    /// Lets so many units pass.
    pub(super) async fn pass(&self, units: u32) {
        (self.pass)(self.unit * units).await;
    }
}

impl fmt::Debug for Time<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Time").field("unit", &self.unit).finish_non_exhaustive()
    }
}
