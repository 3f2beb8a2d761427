//! What crosses the boundary, and what every entry does first.
//!
//! Owns: items, outcomes, failures and their names, batches as text; containing panics and
//! noticing forks. Must not know: who queues an item or completes a call.

pub(crate) mod batch;
pub(crate) mod errors;
pub(crate) mod fork_guard;
pub(crate) mod grant;
pub(crate) mod http_head;
pub(crate) mod item;
pub(crate) mod outcome;
pub(crate) mod panics;
