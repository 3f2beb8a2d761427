//! Waits that differ from client to client.
//!
//! Owns: how much is added at random. Must not know: what is waited for.

use std::time::Duration;

/// A wait with up to a quarter of it added at random, so that clients do not come back together.
pub(crate) fn spread(wait: Duration) -> Duration {
    let quarter = u32::try_from(wait.as_millis() / 4).unwrap_or(u32::MAX);
    wait.saturating_add(Duration::from_millis(u64::from(random_below(quarter))))
}

/// A random number that spreads clients over time. Quality does not matter.
fn random_below(bound: u32) -> u32 {
    let mut bytes = [0; 4];
    let _ = getrandom::fill(&mut bytes);
    let scaled = u64::from(u32::from_le_bytes(bytes)) * u64::from(bound);
    u32::try_from(scaled >> 32).unwrap_or(0)
}
