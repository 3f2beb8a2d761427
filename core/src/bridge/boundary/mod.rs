//! boundary.

pub(crate) mod batch;
pub(crate) mod errors;
pub(crate) mod fork_guard;
pub(crate) mod item;
pub(crate) mod outcome;
pub(crate) mod panics;
