//! What servers, clients, requests and HTTP endpoints can be told, as JSON objects.
//!
//! Owns: the names of options, their defaults, the errors that name a wrong one.
//! Must not know: inboxes, connections, or what is done with an option.

pub(crate) mod client;
pub(crate) mod extension_rows;
pub(crate) mod guard_rails;
pub(crate) mod http;
pub(crate) mod json;
pub(crate) mod outgoing_options;
pub(crate) mod request;
pub(crate) mod resource_server;
pub(crate) mod server;
