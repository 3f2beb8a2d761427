//! Placeholder.

pub mod child_process;
pub mod lines;
pub mod signals;
pub mod stdio;
