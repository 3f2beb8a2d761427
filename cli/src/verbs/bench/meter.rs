//! What a measurement shows while it runs.
//!
//! Owns: how much of it is done, and the rate and latency of the last second. Must not know: what is
//! asked, how it is drawn.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use super::super::ping::millis;
use super::figures::rate;

/// What the figures are of: long enough for eyes, short enough to see a server slow down.
const WINDOW: Duration = Duration::from_secs(1);

/// What all workers have done so far.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Totals {
    pub(super) answers: u64,
    pub(super) failures: u64,
    /// How long all answers took together.
    pub(super) waited: Duration,
}

/// The last second of a measurement.
#[derive(Debug)]
pub(super) struct Meter {
    begun: Instant,
    duration: Duration,
    requests: Option<u64>,
    seen: VecDeque<(Instant, Totals)>,
}

impl Meter {
    pub(super) fn new(begun: Instant, duration: Duration, requests: Option<u64>) -> Self {
        Self { begun, duration, requests, seen: [(begun, Totals::default())].into() }
    }

    /// Takes what was done until now.
    pub(super) fn see(&mut self, now: Instant, totals: Totals) {
        // One that is older stays, so that the window is full.
        while self.seen.get(1).is_some_and(|(at, _)| now.duration_since(*at) >= WINDOW) {
            self.seen.pop_front();
        }
        self.seen.push_back((now, totals));
    }

    /// How much is done, by time or by requests, whichever ends it first.
    pub(super) fn part(&self) -> f64 {
        let Some((now, totals)) = self.seen.back() else { return 0.0 };
        let by_time = now.duration_since(self.begun).as_secs_f64() / self.duration.as_secs_f64();
        #[expect(clippy::cast_precision_loss, reason = "for people")]
        let share = |of: u64| (totals.answers + totals.failures) as f64 / of as f64;
        self.requests.map_or(by_time, |requests| by_time.max(share(requests)))
    }

    /// Rate and latency as they are now.
    pub(super) fn figures(&self) -> String {
        let (Some((from, before)), Some((until, now))) = (self.seen.front(), self.seen.back()) else {
            return String::new();
        };
        let answers = now.answers - before.answers;
        let latency = match u32::try_from(answers) {
            Ok(answers @ 1..) => {
                format!("{:.2} ms", millis(now.waited.saturating_sub(before.waited) / answers))
            }
            _ => "no answer".to_owned(),
        };
        let failed = match now.failures {
            0 => String::new(),
            failures => format!(", {failures} failed"),
        };
        let rate = rate(answers, until.duration_since(*from));
        format!("{rate:.0} answers a second, {latency}{failed}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn totals(answers: u64, waited_ms: u64) -> Totals {
        Totals { answers, failures: 0, waited: Duration::from_millis(waited_ms) }
    }

    #[test]
    fn figures_are_of_the_last_second() {
        let begun = Instant::now();
        let after = |ms| begun + Duration::from_millis(ms);
        let mut meter = Meter::new(begun, Duration::from_secs(4), None);
        assert_eq!(meter.figures(), "0 answers a second, no answer");
        meter.see(after(1_000), totals(100, 1_000));
        assert_eq!(meter.figures(), "100 answers a second, 10.00 ms");
        meter.see(after(1_500), totals(110, 1_500));
        meter.see(after(2_000), Totals { failures: 3, ..totals(120, 2_000) });
        assert_eq!(meter.figures(), "20 answers a second, 50.00 ms, 3 failed");
        assert!((meter.part() - 0.5).abs() < 1e-9);
    }

    #[test]
    fn a_number_of_requests_may_end_it_before_its_time_does() {
        let begun = Instant::now();
        let mut meter = Meter::new(begun, Duration::from_secs(10), Some(8));
        meter.see(begun + Duration::from_secs(1), Totals { failures: 2, ..totals(4, 1_000) });
        assert!((meter.part() - 0.75).abs() < 1e-9);
    }
}
