//! Counters as a JSON object.
//!
//! Owns: the names of its members. Must not know: what counts.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;

use mcpbolt_proto::jsonrpc::RawJson;

use crate::bridge::boundary::errors::names_of;
use crate::observe::Snapshot;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Counters {
    connections: u64,
    connections_total: u64,
    sessions: u64,
    streams: u64,
    in_flight: u64,
    queued_bytes: u64,
    bytes_in: u64,
    bytes_out: u64,
    dropped: u64,
    problems: u64,
    /// Seconds.
    p50: Option<f64>,
    p99: Option<f64>,
    /// Upper bound in seconds (none: no bound), and how many calls took no longer.
    latency: Vec<(Option<f64>, u64)>,
    methods: BTreeMap<&'static str, Method>,
    errors: BTreeMap<&'static str, u64>,
}

#[derive(Serialize)]
struct Method {
    calls: u64,
    errors: u64,
}

/// The counters as JSON: the names of the snapshot in camelCase, times in seconds.
pub(crate) fn encode(now: &Snapshot) -> RawJson {
    let seconds = |time: Option<Duration>| time.map(|time| time.as_secs_f64());
    let method =
        |method: &crate::observe::MethodSnapshot| Method { calls: method.calls, errors: method.errors };
    let counters = Counters {
        connections: now.connections,
        connections_total: now.connections_total,
        sessions: now.sessions,
        streams: now.streams,
        in_flight: now.in_flight,
        queued_bytes: now.queued_bytes,
        bytes_in: now.bytes_in,
        bytes_out: now.bytes_out,
        dropped: now.dropped,
        problems: now.problems,
        p50: seconds(now.p50),
        p99: seconds(now.p99),
        latency: now.latency.iter().map(|(bound, calls)| (seconds(*bound), *calls)).collect(),
        methods: now.methods.iter().map(|(name, counted)| (*name, method(counted))).collect(),
        errors: now.errors.iter().map(|(kind, count)| (names_of(*kind).name, *count)).collect(),
    };
    RawJson::encode(&counters).unwrap_or_else(|_| RawJson::null())
}
