//! What operators see: counters, frames, and the tracing targets.
//!
//! Owns: [`Stats`], the frame trace of `MCPBOLT_TRACE`. Must not know: who is counted.
//!
//! Everything else goes through `tracing`, under five targets that never carry
//! payloads: `mcpbolt::protocol` (each message: direction, method, id, bytes),
//! `mcpbolt::transport` (connect, close, reconnect), `mcpbolt::session` (state changes),
//! `mcpbolt::security` (what was refused) and `mcpbolt::performance` (slow calls).

mod histogram;
mod stats;
mod trace;

pub use histogram::Histogram;
pub use stats::{MethodSnapshot, Snapshot, Stats};
pub use trace::{Direction, FrameTrace};
