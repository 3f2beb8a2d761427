//! Connections whose bytes the host carries.
//!
//! Owns: cutting what is fed into messages, what waits to be sent, back-pressure between
//! both. Must not know: who opens such a connection.

pub(crate) mod backlog;
pub(crate) mod client;
pub(crate) mod framing;
pub(crate) mod outbox;
pub(crate) mod server;
