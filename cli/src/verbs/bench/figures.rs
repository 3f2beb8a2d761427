//! What was measured, as figures.
//!
//! Owns: rates and percentiles, and how they are printed. Must not know: what was asked.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::json;

use super::super::ping::millis;
use crate::exit::Failure;
use crate::output::{BAD, BOLD, DIM, Output, safe};

/// Widest bar of the picture.
const BAR: usize = 40;
/// Bars of the picture.
const BARS: usize = 8;

/// What one worker saw, or all together.
#[derive(Debug, Default)]
pub(super) struct Measured {
    pub(super) times: Vec<Duration>,
    failures: BTreeMap<String, u64>,
}

impl Measured {
    pub(super) fn failed(&mut self, why: String) {
        *self.failures.entry(why).or_default() += 1;
    }

    pub(super) fn add(&mut self, other: Self) {
        self.times.extend(other.times);
        for (why, times) in other.failures {
            *self.failures.entry(why).or_default() += times;
        }
    }
}

/// The figures of one measurement.
#[derive(Debug)]
pub(super) struct Figures {
    /// In order.
    times: Vec<Duration>,
    failures: BTreeMap<String, u64>,
    took: Duration,
    connect: Duration,
    concurrency: u32,
}

impl Figures {
    pub(super) fn of(mut measured: Measured, took: Duration, connect: Duration, concurrency: u32) -> Self {
        measured.times.sort_unstable();
        Self { times: measured.times, failures: measured.failures, took, connect, concurrency }
    }

    pub(super) fn all_failed(&self) -> bool {
        self.times.is_empty()
    }

    /// The time within which so many of a hundred answers came.
    fn percentile(&self, percent: usize) -> Duration {
        let at = (self.times.len() * percent).div_ceil(100).saturating_sub(1);
        self.times.get(at).copied().unwrap_or_default()
    }

    fn mean(&self) -> Duration {
        let count = u32::try_from(self.times.len().max(1)).unwrap_or(u32::MAX);
        self.times.iter().sum::<Duration>() / count
    }

    pub(super) fn print(&self, output: &Output, revision: &str) -> Result<(), Failure> {
        let answers = self.times.len() as u64;
        let rate = rate(answers, self.took);
        if output.is_json() {
            return output.document(&json!({
                "protocolVersion": revision,
                "concurrency": self.concurrency,
                "seconds": self.took.as_secs_f64(),
                "connectMs": millis(self.connect),
                "answers": answers,
                "perSecond": rate.round(),
                "failures": self.failures,
                "latencyMs": {
                    "min": millis(self.percentile(0)), "mean": millis(self.mean()),
                    "p50": millis(self.percentile(50)), "p90": millis(self.percentile(90)),
                    "p99": millis(self.percentile(99)), "max": millis(self.percentile(100)),
                },
            }));
        }
        output.print(&format!(
            "{} in {:.2} s, {} under way at a time ({revision}, connected in {:.1} ms)",
            output.paint(BOLD, &format!("{answers} answers")),
            self.took.as_secs_f64(),
            self.concurrency,
            millis(self.connect),
        ))?;
        output.print(&format!("{} answers a second", output.paint(BOLD, &format!("{rate:.0}"))))?;
        for (why, times) in &self.failures {
            output.print(&output.paint(BAD, &format!("{times} failed: {}", safe(why))))?;
        }
        if self.times.is_empty() {
            return Ok(());
        }
        let shown = [("min", 0), ("p50", 50), ("p90", 90), ("p99", 99), ("max", 100)];
        let shown = shown.map(|(name, percent)| format!("{name} {:.2}", millis(self.percentile(percent))));
        output.print(&format!("latency in ms: {}, mean {:.2}", shown.join(", "), millis(self.mean())))?;
        if output.is_rich() { self.picture(output) } else { Ok(()) }
    }

    /// How many answers took how long, up to the ninety-ninth of a hundred.
    fn picture(&self, output: &Output) -> Result<(), Failure> {
        let (low, high) = (self.percentile(0), self.percentile(99));
        let step = (high.saturating_sub(low)) / u32::try_from(BARS).unwrap_or(1);
        if step.is_zero() {
            return Ok(());
        }
        let mut counts = [0_usize; BARS];
        for time in self.times.iter().filter(|time| **time <= high) {
            let bar = (time.saturating_sub(low).as_nanos() / step.as_nanos()) as usize;
            counts[bar.min(BARS - 1)] += 1;
        }
        let most = counts.iter().copied().max().unwrap_or(1).max(1);
        for (at, count) in counts.iter().enumerate() {
            let until = low + step * u32::try_from(at + 1).unwrap_or(1);
            let bar = "█".repeat(count * BAR / most);
            output.print(&format!(
                "  ≤ {:>8.2} ms {bar} {}",
                millis(until),
                output.paint(DIM, &count.to_string())
            ))?;
        }
        Ok(())
    }
}

/// So many a second.
pub(super) fn rate(count: u64, took: Duration) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "for people")]
    let count = count as f64;
    count / took.as_secs_f64().max(f64::EPSILON)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_times_that_were_measured() {
        let times = (1..=200).rev().map(Duration::from_millis).collect();
        let measured = Measured { times, failures: BTreeMap::new() };
        let figures = Figures::of(measured, Duration::from_secs(2), Duration::ZERO, 1);
        let at = |percent| figures.percentile(percent).as_millis();
        assert_eq!([at(0), at(50), at(99), at(100)], [1, 100, 198, 200]);
        assert_eq!(figures.mean(), Duration::from_micros(100_500));
        assert!((rate(200, figures.took) - 100.0).abs() < 1e-9);
    }
}
