//! Counters of one server or client.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use parking_lot::RwLock;

use mcpbolt_proto::protocol::methods;

use super::Histogram;

/// What is counted. Cheap to update from any thread.
///
/// ```
/// use mcpbolt::server::Server;
///
/// let server = Server::builder("notes", "1.0.0").build();
/// let page = server.engine().stats().prometheus(); // for a metrics endpoint
/// assert!(page.contains("mcpbolt_calls_in_flight 0"));
/// ```
#[derive(Debug, Default)]
pub struct Stats {
    connections: AtomicU64,
    connections_total: AtomicU64,
    in_flight: AtomicU64,
    bytes_in: AtomicU64,
    bytes_out: AtomicU64,
    dropped: AtomicU64,
    problems: AtomicU64,
    latency: Histogram,
    methods: RwLock<BTreeMap<&'static str, Arc<MethodStats>>>,
}

#[derive(Debug, Default)]
struct MethodStats {
    calls: AtomicU64,
    errors: AtomicU64,
}

/// [`Stats`] at one moment.
///
/// ```
/// use mcpbolt::server::Server;
///
/// let now = Server::builder("notes", "1.0.0").build().stats();
/// println!("{} calls run on {} connections, p99 {:?}", now.in_flight, now.connections, now.p99);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// Open connections and sessions.
    pub connections: u64,
    /// Connections and sessions ever opened.
    pub connections_total: u64,
    /// Calls that are not answered yet.
    pub in_flight: u64,
    /// Bytes of messages received.
    pub bytes_in: u64,
    /// Bytes of messages sent.
    pub bytes_out: u64,
    /// Messages dropped because a queue was full.
    pub dropped: u64,
    /// Inputs that belonged to no request.
    pub problems: u64,
    /// Half of the calls took no longer.
    pub p50: Option<Duration>,
    /// 99 of 100 calls took no longer.
    pub p99: Option<Duration>,
    /// By method; methods of the program's own count as `other`.
    pub methods: BTreeMap<&'static str, MethodSnapshot>,
}

/// Counters of one method.
///
/// ```
/// use mcpbolt::server::Server;
///
/// let now = Server::builder("notes", "1.0.0").build().stats();
/// for (method, counts) in &now.methods {
///     println!("{method}: {} calls, {} failed", counts.calls, counts.errors);
/// }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MethodSnapshot {
    /// Calls that ended.
    pub calls: u64,
    /// Calls that ended with an error.
    pub errors: u64,
}

impl Stats {
    pub(crate) fn opened(&self) {
        self.connections.fetch_add(1, Ordering::Relaxed);
        self.connections_total.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn closed(&self) {
        self.connections.fetch_sub(1, Ordering::Relaxed);
    }

    pub(crate) fn received(&self, bytes: usize) {
        self.bytes_in.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    pub(crate) fn sent(&self, bytes: usize) {
        self.bytes_out.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    pub(crate) fn problem(&self) {
        self.problems.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn dropped(&self) {
        self.dropped.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn started(&self) {
        self.in_flight.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn ended(&self, method: &str, failed: bool, took: Duration) {
        self.in_flight.fetch_sub(1, Ordering::Relaxed);
        self.latency.record(took);
        // Names of the program's own could be many: only the table's are kept apart.
        let name = methods::lookup(method).map_or("other", |row| row.name);
        let counters = self.methods.read().get(name).cloned();
        let counters = counters.unwrap_or_else(|| Arc::clone(self.methods.write().entry(name).or_default()));
        counters.calls.fetch_add(1, Ordering::Relaxed);
        if failed {
            counters.errors.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// All counters now.
    pub fn snapshot(&self) -> Snapshot {
        let get = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let methods = self.methods.read();
        Snapshot {
            connections: get(&self.connections),
            connections_total: get(&self.connections_total),
            in_flight: get(&self.in_flight),
            bytes_in: get(&self.bytes_in),
            bytes_out: get(&self.bytes_out),
            dropped: get(&self.dropped),
            problems: get(&self.problems),
            p50: self.latency.quantile(0.5),
            p99: self.latency.quantile(0.99),
            methods: methods
                .iter()
                .map(|(name, m)| (*name, MethodSnapshot { calls: get(&m.calls), errors: get(&m.errors) }))
                .collect(),
        }
    }

    /// All counters as Prometheus text.
    pub fn prometheus(&self) -> String {
        let now = self.snapshot();
        let mut text = String::new();
        let plain = [
            ("mcpbolt_connections", "gauge", now.connections),
            ("mcpbolt_connections_total", "counter", now.connections_total),
            ("mcpbolt_calls_in_flight", "gauge", now.in_flight),
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
            let ok = counts.calls - counts.errors;
            let _ = writeln!(text, "mcpbolt_calls_total{{method=\"{method}\",outcome=\"ok\"}} {ok}");
            let _ = writeln!(
                text,
                "mcpbolt_calls_total{{method=\"{method}\",outcome=\"error\"}} {}",
                counts.errors
            );
        }
        let _ = writeln!(text, "# TYPE mcpbolt_call_seconds histogram");
        for (bound, sum) in self.latency.cumulative() {
            let bound = bound.map_or_else(|| "+Inf".to_owned(), |b| b.as_secs_f64().to_string());
            let _ = writeln!(text, "mcpbolt_call_seconds_bucket{{le=\"{bound}\"}} {sum}");
        }
        let _ = writeln!(text, "mcpbolt_call_seconds_sum {}", self.latency.total().as_secs_f64());
        let _ = writeln!(text, "mcpbolt_call_seconds_count {}", self.latency.count());
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_methods_share_one_counter() {
        let stats = Stats::default();
        for (method, failed) in [("tools/call", false), ("x/one", true), ("x/two", false)] {
            stats.started();
            stats.ended(method, failed, Duration::from_micros(10));
        }
        let now = stats.snapshot();
        assert_eq!(now.in_flight, 0);
        assert_eq!(now.methods["other"], MethodSnapshot { calls: 2, errors: 1 });
        let text = stats.prometheus();
        assert!(text.contains("mcpbolt_calls_total{method=\"tools/call\",outcome=\"ok\"} 1"), "{text}");
        assert!(text.contains("mcpbolt_call_seconds_bucket{le=\"+Inf\"} 3"), "{text}");
    }
}
