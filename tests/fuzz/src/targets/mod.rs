//! The targets: each panics when a promise is broken, and on nothing else.

mod codec;
mod http;
mod schema;
mod session;
mod sse;
mod uri;

/// One target.
pub(crate) struct Target {
    pub(crate) name: &'static str,
    pub(crate) run: fn(&[u8]),
}

/// Every target.
pub(crate) const TARGETS: &[Target] = &[
    Target { name: "codec", run: codec::codec },
    Target { name: "splice", run: codec::splice },
    Target { name: "sse", run: sse::sse },
    Target { name: "classify", run: http::classify },
    Target { name: "uri", run: uri::uri },
    Target { name: "session", run: session::session },
    Target { name: "params", run: http::params },
    Target { name: "schema", run: schema::schema },
];

/// Splits an input at its first line break.
fn two_parts(data: &[u8]) -> (&[u8], &[u8]) {
    match data.iter().position(|byte| *byte == b'\n') {
        Some(at) => (&data[..at], &data[at + 1..]),
        None => (data, &[]),
    }
}
