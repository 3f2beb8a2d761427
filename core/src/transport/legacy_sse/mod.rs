//! HTTP+SSE of 2024-11-05: an event stream out, POSTs in. Deprecated since 2025-03-26
//! (SEP-2596); earliest removal three months after that SEP is final.
//!
//! Owns: the two ends of that transport. Must not know: sessions of Streamable HTTP.

#[cfg(feature = "http-client")]
pub(crate) mod client;
#[cfg(feature = "http-server")]
pub mod server;
#[cfg(feature = "http-server")]
pub(crate) mod sessions;
