//! requests.

pub(crate) mod blocking;
pub(crate) mod calls;
pub(crate) mod connections;
pub(crate) mod host_requests;
pub(crate) mod server_requests;
pub(crate) mod stats;
pub(crate) mod verbs;
