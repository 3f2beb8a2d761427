//! The rows about large messages, which the languages have alike: one way and the other, three
//! sizes, both transports.
//!
//! Owns: their names, what ours must reach beside the official package. Must not know: who
//! that is.

use mcpbolt_bench::long::Way;
use mcpbolt_bench::payload::Era;

use super::{Bound, Entrant, Metric, Row, STATELESS, Transport, Work, row};

const ROWS: [(&str, &str, Way, usize, Transport); 12] = [
    ("in-64k-stdio", "64 KiB argument, stdio", Way::There, 64 << 10, Transport::Stdio),
    ("in-1m-stdio", "1 MiB argument, stdio", Way::There, 1 << 20, Transport::Stdio),
    ("in-10m-stdio", "10 MiB argument, stdio", Way::There, 10 << 20, Transport::Stdio),
    ("out-64k-stdio", "64 KiB result, stdio", Way::Back, 64 << 10, Transport::Stdio),
    ("out-1m-stdio", "1 MiB result, stdio", Way::Back, 1 << 20, Transport::Stdio),
    ("out-10m-stdio", "10 MiB result, stdio", Way::Back, 10 << 20, Transport::Stdio),
    ("in-64k-http", "64 KiB argument, HTTP 2026-07-28", Way::There, 64 << 10, STATELESS),
    ("in-1m-http", "1 MiB argument, HTTP 2026-07-28", Way::There, 1 << 20, STATELESS),
    ("in-10m-http", "10 MiB argument, HTTP 2026-07-28", Way::There, 10 << 20, STATELESS),
    ("out-64k-http", "64 KiB result, HTTP 2026-07-28", Way::Back, 64 << 10, STATELESS),
    ("out-1m-http", "1 MiB result, HTTP 2026-07-28", Way::Back, 1 << 20, STATELESS),
    ("out-10m-http", "10 MiB result, HTTP 2026-07-28", Way::Back, 10 << 20, STATELESS),
];

/// All of them; `entrants` are who serves over a transport.
pub(super) fn rows(entrants: impl Fn(Transport) -> Vec<Entrant>) -> Vec<Row> {
    let made = |(id, title, way, bytes, transport)| {
        let era = if transport == Transport::Stdio { Era::Legacy } else { Era::Modern };
        row(id, title, Work::Long(way, bytes), era, transport)
            .by(entrants(transport))
            .goal(Metric::Bytes, Bound::AtLeast(1.5))
            .goal(Metric::Memory, Bound::AtMost(1.0))
    };
    ROWS.into_iter().map(made).collect()
}

/// What servers are told over a transport: they have the tools that take and give long texts.
pub(super) fn flags(transport: Transport) -> &'static [&'static str] {
    if transport == Transport::Stdio { &["--large"] } else { &["--large", "--stateless"] }
}

/// rmcp, for scale.
pub(super) fn rmcp(transport: Transport) -> Entrant {
    super::serving(
        "rmcp",
        super::Role::Shown,
        vec!["{bin}/rmcp-server".to_owned()],
        transport,
        flags(transport),
    )
}
