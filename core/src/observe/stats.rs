//! Counters of one server or client.
//!
//! Owns: what is counted when, and the text for Prometheus. Must not know: how the sum over the
//! process is made.

use std::fmt::{self, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use mcpbolt_proto::protocol::{Error, Method};

use super::counters::{self, Counters, QueueProbe, Stripe};
use super::snapshot::Snapshot;

/// What is counted. Cheap to update from any thread; part of [`process_stats`] as well.
///
/// ```
/// use mcpbolt::observe::Stats;
///
/// let stats = Stats::default();
/// assert_eq!(stats.snapshot().connections, 0);
/// assert!(stats.prometheus().contains("mcpbolt_connections 0"));
/// ```
///
/// [`process_stats`]: super::process_stats
pub struct Stats(Arc<Counters>);

impl fmt::Debug for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Stats").field(&self.snapshot()).finish()
    }
}

impl Default for Stats {
    fn default() -> Self {
        Self(counters::register())
    }
}

impl Drop for Stats {
    fn drop(&mut self) {
        counters::retire(&self.0);
    }
}

/// One more of something that is open, until dropped.
pub(crate) struct Gauge(Arc<Counters>, fn(&Stripe) -> &AtomicU64);

impl fmt::Debug for Gauge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Gauge")
    }
}

impl Drop for Gauge {
    fn drop(&mut self) {
        (self.1)(self.0.here()).fetch_sub(1, Ordering::Relaxed);
    }
}

impl Stats {
    pub(crate) fn opened(&self) {
        let here = self.0.here();
        here.connections.fetch_add(1, Ordering::Relaxed);
        here.connections_total.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn closed(&self) {
        self.0.here().connections.fetch_sub(1, Ordering::Relaxed);
    }

    /// Counts an open session until the gauge is dropped.
    pub(crate) fn session(&self) -> Gauge {
        self.gauge(|counters| &counters.sessions)
    }

    /// Counts an open stream until the gauge is dropped.
    pub(crate) fn stream(&self) -> Gauge {
        self.gauge(|counters| &counters.streams)
    }

    fn gauge(&self, which: fn(&Stripe) -> &AtomicU64) -> Gauge {
        which(self.0.here()).fetch_add(1, Ordering::Relaxed);
        Gauge(Arc::clone(&self.0), which)
    }

    /// Bytes were put into a queue.
    pub(crate) fn queued(&self, bytes: usize) {
        self.0.here().queued_bytes.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    /// Bytes left a queue.
    pub(crate) fn unqueued(&self, bytes: usize) {
        self.0.here().queued_bytes.fetch_sub(bytes as u64, Ordering::Relaxed);
    }

    /// Asks there how many bytes are queued, besides those pushed. Once.
    pub(crate) fn watch_queue(&self, probe: QueueProbe) {
        let _ = self.0.queue.set(probe);
    }

    pub(crate) fn received(&self, bytes: usize) {
        self.0.here().bytes_in.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    pub(crate) fn sent(&self, bytes: usize) {
        self.0.here().bytes_out.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    pub(crate) fn problem(&self) {
        self.0.here().problems.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn dropped(&self, messages: u64) {
        self.0.here().dropped.fetch_add(messages, Ordering::Relaxed);
    }

    pub(crate) fn started(&self) {
        self.0.here().in_flight.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn ended(&self, row: Option<&'static Method>, failed: bool, took: Duration) {
        let here = self.0.here();
        here.in_flight.fetch_sub(1, Ordering::Relaxed);
        here.ended(row, failed, took);
    }

    /// Counts a failure by its kind.
    pub(crate) fn failed(&self, error: &Error) {
        self.0.here().failed(error.kind);
    }

    /// All counters now.
    pub fn snapshot(&self) -> Snapshot {
        self.0.sum().snapshot()
    }

    /// All counters as Prometheus text.
    pub fn prometheus(&self) -> String {
        let sum = self.0.sum();
        let now = sum.snapshot();
        let mut text = String::new();
        let plain = [
            ("mcpbolt_connections", "gauge", now.connections),
            ("mcpbolt_connections_total", "counter", now.connections_total),
            ("mcpbolt_sessions", "gauge", now.sessions),
            ("mcpbolt_streams", "gauge", now.streams),
            ("mcpbolt_calls_in_flight", "gauge", now.in_flight),
            ("mcpbolt_queued_bytes", "gauge", now.queued_bytes),
            ("mcpbolt_received_bytes_total", "counter", now.bytes_in),
            ("mcpbolt_sent_bytes_total", "counter", now.bytes_out),
            ("mcpbolt_dropped_messages_total", "counter", now.dropped),
            ("mcpbolt_problems_total", "counter", now.problems),
        ];
        for (name, kind, value) in plain {
            let _ = writeln!(text, "# TYPE {name} {kind}\n{name} {value}");
        }
        let _ = writeln!(text, "# TYPE mcpbolt_calls_total counter");
        for (method, counts) in &now.methods {
            let ok = counts.calls.saturating_sub(counts.errors);
            let _ = writeln!(text, "mcpbolt_calls_total{{method=\"{method}\",outcome=\"ok\"}} {ok}");
            let _ = writeln!(
                text,
                "mcpbolt_calls_total{{method=\"{method}\",outcome=\"error\"}} {}",
                counts.errors
            );
        }
        let _ = writeln!(text, "# TYPE mcpbolt_errors_total counter");
        for (kind, count) in &now.errors {
            let _ = writeln!(text, "mcpbolt_errors_total{{kind=\"{kind:?}\"}} {count}");
        }
        let _ = writeln!(text, "# TYPE mcpbolt_call_seconds histogram");
        for (bound, sum) in &now.latency {
            let bound = bound.map_or_else(|| "+Inf".to_owned(), |b| b.as_secs_f64().to_string());
            let _ = writeln!(text, "mcpbolt_call_seconds_bucket{{le=\"{bound}\"}} {sum}");
        }
        let _ = writeln!(text, "mcpbolt_call_seconds_sum {}", sum.latency.total().as_secs_f64());
        let _ = writeln!(text, "mcpbolt_call_seconds_count {}", sum.latency.count());
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observe::MethodSnapshot;
    use mcpbolt_proto::protocol::{ErrorKind, methods};

    #[test]
    fn the_process_counts_what_is_open_and_keeps_what_was() {
        let before = super::super::process_stats();
        let stats = Stats::default();
        stats.opened();
        let stream = stats.stream();
        stats.queued(7);
        stats.started();
        stats.failed(&Error::new(ErrorKind::UrlElicitationRequired, "x"));
        stats.ended(methods::lookup("resources/templates/list"), true, Duration::from_micros(10));
        assert_eq!((stats.snapshot().streams, stats.snapshot().queued_bytes), (1, 7));
        drop(stream);
        assert_eq!(stats.snapshot().streams, 0);
        assert_eq!(stats.snapshot().errors, [(ErrorKind::UrlElicitationRequired, 1)]);
        drop(stats);
        let after = super::super::process_stats();
        let calls = |of: &Snapshot| of.methods.get("resources/templates/list").map_or(0, |m| m.calls);
        assert!(calls(&after) > calls(&before), "what ended is still counted");
        assert!(after.connections_total > before.connections_total);
        assert!(after.errors.iter().any(|(kind, _)| *kind == ErrorKind::UrlElicitationRequired));
    }

    #[test]
    fn what_one_thread_opens_another_may_close() {
        let stats = Stats::default();
        std::thread::scope(|threads| {
            for _ in 0..40 {
                threads.spawn(|| {
                    stats.started();
                    stats.ended(methods::lookup("tools/call"), false, Duration::from_micros(10));
                    stats.opened();
                    stats.queued(5);
                });
            }
        });
        let open = stats.snapshot();
        assert_eq!((open.in_flight, open.connections, open.queued_bytes), (0, 40, 200));
        (0..40).for_each(|_| stats.closed());
        stats.unqueued(200);
        let closed = stats.snapshot();
        assert_eq!((closed.connections, closed.connections_total, closed.queued_bytes), (0, 40, 0));
        assert_eq!(closed.methods["tools/call"], MethodSnapshot { calls: 40, errors: 0 });
        assert!(stats.prometheus().contains("mcpbolt_call_seconds_count 40"));
        stats.closed();
        assert_eq!(stats.snapshot().connections, 0, "not a number without end");
    }

    #[test]
    fn calls_that_went_well_never_become_fewer_while_others_are_counted() {
        const CALLS: u64 = 50_000;
        let stats = Stats::default();
        let ok = || {
            let text = stats.prometheus();
            let line = text.lines().find(|line| line.contains("\"tools/call\",outcome=\"ok\""));
            line.and_then(|line| line.rsplit(' ').next()?.parse::<u64>().ok()).unwrap_or_default()
        };
        std::thread::scope(|threads| {
            let counting = threads.spawn(|| {
                for turn in 0..CALLS {
                    stats.started();
                    // Nearly all fail: what was counted in between shows at once.
                    stats.ended(methods::lookup("tools/call"), turn % 1_000 > 0, Duration::ZERO);
                }
            });
            let mut last = 0;
            while !counting.is_finished() {
                let now = ok();
                assert!((last..=CALLS / 1_000).contains(&now), "{now} after {last}");
                last = now;
            }
        });
        assert_eq!(ok(), CALLS / 1_000);
    }

    #[test]
    fn methods_without_a_row_share_one_counter() {
        let stats = Stats::default();
        for (method, failed) in [("tools/call", false), ("x/one", true), ("x/two", false)] {
            stats.started();
            stats.ended(methods::lookup(method), failed, Duration::from_micros(10));
        }
        let now = stats.snapshot();
        assert_eq!(now.in_flight, 0);
        assert_eq!(now.methods["other"], MethodSnapshot { calls: 2, errors: 1 });
        let text = stats.prometheus();
        assert!(text.contains("mcpbolt_calls_total{method=\"tools/call\",outcome=\"ok\"} 1"), "{text}");
        assert!(text.contains("mcpbolt_call_seconds_bucket{le=\"+Inf\"} 3"), "{text}");
    }
}
