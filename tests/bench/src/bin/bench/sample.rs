//! What one measurement found, and what many come to.

use std::time::{Duration, Instant};

use crate::suite::Metric;

/// Latencies of one load, and how long it took.
pub struct Latencies {
    nanos: Vec<u32>,
    started: Instant,
    took: Duration,
}

impl Latencies {
    /// The load starts now.
    pub fn start() -> Self {
        Self { nanos: Vec::with_capacity(1 << 16), started: Instant::now(), took: Duration::ZERO }
    }

    /// A call took so long.
    pub fn push(&mut self, took: Duration) {
        self.nanos.push(u32::try_from(took.as_nanos()).unwrap_or(u32::MAX));
    }

    /// Takes in the calls of a load that ran at the same time.
    pub fn merge(&mut self, other: Self) {
        self.nanos.extend(other.nanos);
    }

    /// The load is over.
    pub fn stop(&mut self) {
        self.took = self.started.elapsed();
    }

    /// Calls answered.
    pub fn calls(&self) -> usize {
        self.nanos.len()
    }

    /// Rate and percentiles.
    pub fn sample(mut self) -> Sample {
        self.nanos.sort_unstable();
        let at = |share: f64| {
            let place = (self.nanos.len().saturating_sub(1) as f64 * share).round() as usize;
            self.nanos.get(place).map_or(f64::NAN, |nanos| f64::from(*nanos) / 1000.0)
        };
        let mut sample = Sample::default();
        sample.set(Metric::Rate, self.nanos.len() as f64 / self.took.as_secs_f64().max(1e-9));
        sample.set(Metric::P50, at(0.5));
        sample.set(Metric::P99, at(0.99));
        sample.set(Metric::P999, at(0.999));
        sample
    }
}

/// The figures of one measurement.
#[derive(Debug, Clone, Default)]
pub struct Sample {
    values: [Option<f64>; Metric::ALL.len()],
}

impl Sample {
    /// A figure, if it was measured.
    pub fn get(&self, metric: Metric) -> Option<f64> {
        self.values[metric as usize]
    }

    /// Notes a figure.
    pub fn set(&mut self, metric: Metric, value: f64) {
        self.values[metric as usize] = Some(value);
    }

    /// Notes processor time for so many calls.
    pub fn cpu(&mut self, spent: Duration, calls: usize) {
        if calls > 0 {
            self.set(Metric::Cpu, spent.as_secs_f64() * 1e6 / calls as f64);
        }
    }

    /// Notes memory in bytes.
    pub fn memory(&mut self, bytes: u64) {
        self.set(Metric::Memory, bytes as f64 / 1e6);
    }
}

/// Middle, least and greatest of some figures.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    /// The median.
    pub median: f64,
    /// The least.
    pub min: f64,
    /// The greatest.
    pub max: f64,
}

impl Spread {
    /// Of these figures; `None` without any.
    pub fn of(figures: impl IntoIterator<Item = f64>) -> Option<Self> {
        let mut figures: Vec<f64> = figures.into_iter().filter(|figure| figure.is_finite()).collect();
        figures.sort_by(f64::total_cmp);
        let (min, max) = (*figures.first()?, *figures.last()?);
        let middle = figures.len() / 2;
        let median = if figures.len() % 2 == 1 {
            figures[middle]
        } else {
            f64::midpoint(figures[middle - 1], figures[middle])
        };
        Some(Self { median, min, max })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_of_an_even_number_lies_between() {
        let spread = Spread::of([4.0, 1.0, 3.0, 2.0]);
        assert_eq!(spread, Some(Spread { median: 2.5, min: 1.0, max: 4.0 }));
        assert_eq!(Spread::of([f64::NAN]), None);
    }
}
