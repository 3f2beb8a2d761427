//! What was counted, at one moment.
//!
//! Owns: the fields that operators read. Must not know: how they are counted.

use std::collections::BTreeMap;
use std::time::Duration;

use mcpbolt_proto::protocol::ErrorKind;

/// [`Stats`](super::Stats) at one moment.
///
/// ```
/// let now = mcpbolt::observe::Stats::default().snapshot();
/// assert!(now.methods.is_empty() && now.errors.is_empty());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Snapshot {
    /// Open connections.
    pub connections: u64,
    /// Connections ever opened.
    pub connections_total: u64,
    /// Sessions that are agreed on and not over. The modern era has none on a server.
    pub sessions: u64,
    /// Open event streams over HTTP, and open listen requests elsewhere. Of a client: open
    /// listen requests.
    pub streams: u64,
    /// Calls that are not answered yet.
    pub in_flight: u64,
    /// Bytes of messages that wait to be sent.
    pub queued_bytes: u64,
    /// Bytes of messages received.
    pub bytes_in: u64,
    /// Bytes of messages sent.
    pub bytes_out: u64,
    /// Messages dropped because a queue was full or their rate too high.
    pub dropped: u64,
    /// Inputs that belonged to no request.
    pub problems: u64,
    /// Half of the calls took no longer.
    pub p50: Option<Duration>,
    /// 99 of 100 calls took no longer.
    pub p99: Option<Duration>,
    /// Latencies: upper bound (`None`: no bound) and how many calls took no longer.
    pub latency: Vec<(Option<Duration>, u64)>,
    /// By method; methods of the program's own count as `other`.
    pub methods: BTreeMap<&'static str, MethodSnapshot>,
    /// Failed calls by kind; kinds that never happened are absent.
    pub errors: Vec<(ErrorKind, u64)>,
}

/// Counters of one method.
///
/// ```
/// use mcpbolt::observe::MethodSnapshot;
///
/// let half = MethodSnapshot { calls: 4, errors: 2 };
/// assert!(half.errors < half.calls);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MethodSnapshot {
    /// Calls that ended.
    pub calls: u64,
    /// Calls that ended with an error.
    pub errors: u64,
}
