//! How long calls and sessions last: four histograms.
//!
//! Owns: making them, and which is meant. Must not know: what is measured.

use std::sync::OnceLock;
use std::time::Instant;

use opentelemetry::metrics::Histogram;
use opentelemetry::{KeyValue, global};

use super::SCOPE;
use crate::observe::conventions::{
    self, BOUNDS, CLIENT_OPERATION, CLIENT_SESSION, SERVER_OPERATION, SERVER_SESSION,
};

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
        let make = |(name, what): conventions::Histogram| {
            let made = meter.f64_histogram(name).with_unit("s").with_description(what);
            made.with_boundaries(BOUNDS.to_vec()).build()
        };
        let calls = Sides { client: make(CLIENT_OPERATION), server: make(SERVER_OPERATION) };
        let sessions = Sides { client: make(CLIENT_SESSION), server: make(SERVER_SESSION) };
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
