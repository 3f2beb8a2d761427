//! How stores in memory answer: at once, or that they are full.
//!
//! Owns: the two forms. Must not know: what is stored.

use mcpbolt_proto::protocol::{Error, ErrorKind};

use super::super::future::BoxFuture;

/// A future that is ready: memory never waits.
pub(super) fn ready<'a, T: Send + 'a>(value: T) -> BoxFuture<'a, T> {
    Box::pin(std::future::ready(value))
}

pub(super) fn full(what: &str) -> Error {
    Error::new(ErrorKind::Store, format!("the {what} is full"))
}
