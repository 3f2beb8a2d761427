//! HTTP between the engine and the host: the engine's listener, mounts in web servers of the
//! host's, routes of the host's, requests that its HTTP client carries, and the rules for transports
//! that it serves itself.
//!
//! Owns: exchanges and their bodies as items and verbs. Must not know: what a message says,
//! who calls what.

pub(crate) mod body_verbs;
pub(crate) mod client_hooks;
pub(crate) mod endpoint_options;
pub(crate) mod exchange;
pub(crate) mod fetch;
pub(crate) mod incoming_head;
pub(crate) mod listener;
pub(crate) mod mount;
pub(crate) mod routes;
pub(crate) mod transport_rules;
pub(crate) mod upload;
