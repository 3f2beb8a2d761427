//! Streamable HTTP, both halves.
//!
//! Owns: one endpoint, POST, GET and DELETE, on hyper (server) and reqwest (client).
//! Must not know: the rules themselves, which are in `mcpbolt_proto::http`.

#[cfg(feature = "http-client")]
pub mod client;
#[cfg(any(feature = "http-client", feature = "http-server"))]
mod lost_node;
#[cfg(feature = "http-server")]
pub mod server;
