//! HTTP+SSE of 2024-11-05: an event stream out, POSTs in.

#[cfg(feature = "http-client")]
pub(crate) mod client;
#[cfg(feature = "http-server")]
pub mod server;
