//! The three primitives in the memory of one process.
//!
//! Owns: bounds in entries and bytes, and the end of life on a clock. Must not know: what the
//! bytes mean, or that there are other nodes.

mod answers;
mod bus;
mod log;
mod table;

pub use bus::MemoryBus;
pub use log::MemoryLog;
pub use table::MemoryTable;
