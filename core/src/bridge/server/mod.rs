//! server.

pub(crate) mod engine_answers;
pub(crate) mod host_handler;
pub(crate) mod host_server;
pub(crate) mod initialized;
pub(crate) mod slots;
pub(crate) mod snapshot;
pub(crate) mod used_states;
