//! fed.

pub(crate) mod backlog;
pub(crate) mod client;
pub(crate) mod outbox;
