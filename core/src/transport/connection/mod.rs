//! A server's connection: one session, one lock, and a sink for its messages.
//!
//! Owns: what transports see of it. Must not know: how bytes travel, who answers.

mod outputs;
mod server;
mod sink;

pub use server::ServerConnection;
pub use sink::{Sink, Wire, is_response};
