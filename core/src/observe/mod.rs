//! What operators see: counters, frames, and the tracing targets.
//!
//! Owns: [`Stats`] and its sum over the process, the frame trace of `MCPBOLT_TRACE`, the
//! words of the events, the audit of requests, what spans and durations say. Must not know: who is counted.
//!
//! Everything else goes through `tracing`, under five targets that never carry
//! payloads: `mcpbolt::protocol` (each message: direction, method, id, bytes),
//! `mcpbolt::transport` (connect, close, reconnect), `mcpbolt::session` (state changes),
//! `mcpbolt::security` (what was refused) and `mcpbolt::performance` (slow calls).
//! `docs/guide/debugging.md` has the table.

mod audit;
#[cfg(any(feature = "bridge", feature = "opentelemetry"))]
pub(crate) mod conventions;
mod counters;
pub(crate) mod events;
mod histogram;
#[cfg(not(feature = "opentelemetry"))]
#[path = "no_otel.rs"]
mod otel;
#[cfg(feature = "opentelemetry")]
mod otel;
mod panics;
mod redact;
mod snapshot;
mod stats;
mod trace;

pub use audit::{AUDIT_QUEUE, Audit, AuditOutcome, AuditRecord, AuditSink, JsonLines};
pub use counters::process_stats;
pub use histogram::Histogram;
pub(crate) use otel::{CallSpan, SessionSpan};
pub(crate) use panics::contained;
pub use redact::Redactor;
pub use snapshot::{MethodSnapshot, Snapshot};
pub(crate) use stats::Gauge;
pub use stats::Stats;
pub(crate) use trace::frame;
pub use trace::{Direction, FrameTrace};
