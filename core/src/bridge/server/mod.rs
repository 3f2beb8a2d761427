//! A server whose handlers live in the host.
//!
//! Owns: what the host told the engine about the server, who answers a method, opening and
//! closing connections and listeners. Must not know: how a call reaches the host's code.

mod carried_tokens;
pub(crate) mod config;
pub(crate) mod engine_answers;
pub(crate) mod guard_rails;
pub(crate) mod host_handler;
pub(crate) mod host_server;
mod host_tasks;
pub(crate) mod initialized;
pub(crate) mod list_changes;
pub(crate) mod list_results;
pub(crate) mod lists;
pub(crate) mod slots;
pub(crate) mod snapshot;
mod task_verbs;
pub(crate) mod token_scopes;
pub(crate) mod used_states;
