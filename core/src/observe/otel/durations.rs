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
    calls: Sides,
    sessions: Sides,
}

struct Sides {
    client: Histogram<f64>,
    server: Histogram<f64>,
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
        let calls = Sides {
            client: make(
                "mcp.client.operation.duration",
                "From when a request is sent until its answer is there",
            ),
            server: make(
                "mcp.server.operation.duration",
                "From when a request is received until its answer is sent",
            ),
        };
        let sessions = Sides {
            client: make("mcp.client.session.duration", "How long a session lasted, at its client"),
            server: make("mcp.server.session.duration", "How long a session lasted, at its server"),
        };
        Instruments { calls, sessions }
    })
}

pub(super) fn call(side: Side, since: Instant, attributes: &[KeyValue]) {
    instruments().calls.record(side, since, attributes);
}

pub(super) fn session(side: Side, since: Instant, attributes: &[KeyValue]) {
    instruments().sessions.record(side, since, attributes);
}

impl Sides {
    fn record(&self, side: Side, since: Instant, attributes: &[KeyValue]) {
        let histogram = match side {
            Side::Client => &self.client,
            Side::Server => &self.server,
        };
        histogram.record(since.elapsed().as_secs_f64(), attributes);
    }
}
