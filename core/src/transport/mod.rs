//! How bytes travel, and the connection that ties a session to them.
//!
//! Owns: stdio, child processes, HTTP, in-memory pairs, the engine's timer.
//! Must not know: tools, resources, prompts.
//!
//! Programs name a transport by a [`Target`](crate::client::Target) or call
//! `Server::serve_…`. Below that stand [`client_connection`] and [`connection`], each with an
//! example of a connection by hand.

pub mod child_client;
pub mod child_process;
pub mod client;
pub mod client_connection;
pub mod connection;
pub mod custom;
pub mod duplex_client;
mod event;
#[cfg(any(feature = "http-server", feature = "http-client"))]
pub mod legacy_sse;
pub mod lines;
mod link;
pub mod memory;
mod parked;
pub mod signals;
pub(crate) mod spread;
pub mod stdio;
pub mod stdio_server;
#[cfg(any(feature = "http-server", feature = "http-client"))]
pub mod streamable_http;
#[cfg(any(feature = "http-server", feature = "http-client"))]
pub mod tls;

pub use crate::handler::timer;
