//! options.

pub(crate) mod client;
pub(crate) mod guard_rails;
pub(crate) mod http;
pub(crate) mod outgoing_options;
pub(crate) mod server;
