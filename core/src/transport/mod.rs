//! How bytes travel, and the connection that ties a session to them.
//!
//! Owns: stdio, child processes, HTTP, in-memory pairs, the engine's timer. Must not
//! know: tools, resources, prompts.

pub mod child_process;
pub mod client;
pub mod client_connection;
pub mod connection;
pub mod custom;
pub mod duplex_client;
#[cfg(any(feature = "http-server", feature = "http-client"))]
pub mod legacy_sse;
pub mod lines;
mod link;
pub mod memory;
pub mod signals;
pub mod stdio;
pub mod stdio_server;
#[cfg(any(feature = "http-server", feature = "http-client"))]
pub mod streamable_http;
pub mod timer;
#[cfg(any(feature = "http-server", feature = "http-client"))]
pub mod tls;
