//! How long calls and sessions last: four histograms.
//!
//! Owns: their names, unit and buckets. Must not know: what is measured.

use std::sync::OnceLock;
use std::time::Instant;

use opentelemetry::metrics::Histogram;
use opentelemetry::{KeyValue, global};

use super::SCOPE;

/// Upper bounds of the buckets in seconds, as the semantic conventions want them.
const BOUNDS: [f64; 14] = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Client,
    Server,
}

struct Instruments {
    client_call: Histogram<f64>,
    server_call: Histogram<f64>,
    client_session: Histogram<f64>,
    server_session: Histogram<f64>,
}

/// Made once, of the meter provider that the program has set by then.
fn instruments() -> &'static Instruments {
    static MADE: OnceLock<Instruments> = OnceLock::new();
    MADE.get_or_init(|| {
        let meter = global::meter(SCOPE);
        let make = |name: &'static str, what: &'static str| {
            let made = meter.f64_histogram(name).with_unit("s").with_description(what);
            made.with_boundaries(BOUNDS.to_vec()).build()
        };
        Instruments {
            client_call: make(
                "mcp.client.operation.duration",
                "From when a request is sent until its answer is there",
            ),
            server_call: make(
                "mcp.server.operation.duration",
                "From when a request is received until its answer is sent",
            ),
            client_session: make("mcp.client.session.duration", "How long a session lasted, at its client"),
            server_session: make("mcp.server.session.duration", "How long a session lasted, at its server"),
        }
    })
}

pub(super) fn call(side: Side, since: Instant, attributes: &[KeyValue]) {
    let all = instruments();
    record(if side == Side::Client { &all.client_call } else { &all.server_call }, since, attributes);
}

pub(super) fn session(side: Side, since: Instant, attributes: &[KeyValue]) {
    let all = instruments();
    record(if side == Side::Client { &all.client_session } else { &all.server_session }, since, attributes);
}

fn record(histogram: &Histogram<f64>, since: Instant, attributes: &[KeyValue]) {
    histogram.record(since.elapsed().as_secs_f64(), attributes);
}
