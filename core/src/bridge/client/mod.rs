//! A client whose program lives in the host, and transports without a session.
//!
//! Owns: opening connections to servers, their handshakes, requests and ends. Must not know:
//! how the host takes items; the verbs on a connection are in `requests`, and see it as a
//! [`ClientLink`](crate::bridge::requests::client_link::ClientLink).

pub(crate) mod command_target;
pub(crate) mod connection_options;
pub(crate) mod ending;
pub(crate) mod events;
pub(crate) mod handshake;
pub(crate) mod host_client;
pub(crate) mod http_target;
pub(crate) mod link;
pub(crate) mod message_transport;
pub(crate) mod pending_request;
pub(crate) mod result_checks;
pub(crate) mod results;
pub(crate) mod rounds;
pub(crate) mod server_target;
pub(crate) mod session;
pub(crate) mod target_options;
pub(crate) mod task_rounds;
