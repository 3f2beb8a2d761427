//! Latencies in buckets, without a lock.
//!
//! Owns: the bounds of the buckets. Must not know: what is measured.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Upper bounds of the buckets in microseconds; the last bucket has none.
const BOUNDS: [u64; 12] =
    [50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 50_000, 250_000, 1_000_000, 10_000_000];

/// How long things took.
///
/// ```
/// use mcpbolt::observe::Histogram;
/// use std::time::Duration;
///
/// let took = Histogram::default();
/// took.record(Duration::from_micros(80));
/// took.record(Duration::from_millis(3));
/// assert_eq!(took.quantile(0.5), Some(Duration::from_micros(100))); // the bound of its bucket
/// ```
#[derive(Debug, Default)]
pub struct Histogram {
    counts: [AtomicU64; BOUNDS.len() + 1],
    total_micros: AtomicU64,
}

impl Histogram {
    /// Counts one.
    pub fn record(&self, took: Duration) {
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        let bucket = BOUNDS.iter().position(|bound| micros <= *bound).unwrap_or(BOUNDS.len());
        self.counts[bucket].fetch_add(1, Ordering::Relaxed);
        self.total_micros.fetch_add(micros, Ordering::Relaxed);
    }

    /// Adds what another counted.
    pub(super) fn absorb(&self, other: &Self) {
        for (to, from) in self.counts.iter().zip(&other.counts) {
            to.fetch_add(from.load(Ordering::Relaxed), Ordering::Relaxed);
        }
        self.total_micros.fetch_add(other.total_micros.load(Ordering::Relaxed), Ordering::Relaxed);
    }

    /// How many were counted.
    pub fn count(&self) -> u64 {
        self.counts.iter().map(|c| c.load(Ordering::Relaxed)).sum()
    }

    /// All of them together.
    pub fn total(&self) -> Duration {
        Duration::from_micros(self.total_micros.load(Ordering::Relaxed))
    }

    /// Upper bound of each bucket (`None`: no bound) and how many took no longer.
    pub fn cumulative(&self) -> Vec<(Option<Duration>, u64)> {
        let mut sum = 0;
        let bounds = BOUNDS.iter().map(|b| Some(Duration::from_micros(*b))).chain([None]);
        bounds
            .zip(&self.counts)
            .map(|(bound, count)| {
                sum += count.load(Ordering::Relaxed);
                (bound, sum)
            })
            .collect()
    }

    /// The bound below which this share (0 to 1) of them lies.
    pub fn quantile(&self, share: f64) -> Option<Duration> {
        let count = self.count();
        if count == 0 {
            return None;
        }
        #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let rank = (count as f64 * share.clamp(0.0, 1.0)).ceil() as u64; // counts stay far below 2^52
        self.cumulative().into_iter().find(|(_, sum)| *sum >= rank).and_then(|(bound, _)| bound)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_bucket_bounds() {
        let histogram = Histogram::default();
        for micros in [10, 20, 30, 900] {
            histogram.record(Duration::from_micros(micros));
        }
        assert_eq!(histogram.quantile(0.5), Some(Duration::from_micros(50)));
        assert_eq!(histogram.quantile(1.0), Some(Duration::from_millis(1)));
        assert_eq!(histogram.count(), 4);
        assert_eq!(histogram.total(), Duration::from_micros(960));
        assert_eq!(Histogram::default().quantile(0.5), None);
    }
}
