//! client.

pub(crate) mod exchange;
pub(crate) mod host_client;
pub(crate) mod http_target;
pub(crate) mod message_transport;
pub(crate) mod result_checks;
pub(crate) mod session;
pub(crate) mod target;
