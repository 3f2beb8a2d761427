//! OpenTelemetry: a span and a duration of each call, a duration of each session.
//!
//! Owns: what is recorded when, by the semantic conventions for MCP. Must not know: who exports.
//! All goes to the program's global providers; without one nothing is recorded and nothing is
//! sent.

mod attributes;
mod calls;
mod durations;
mod sessions;
mod spans;

pub(crate) use calls::CallSpan;
pub(crate) use sessions::SessionSpan;

/// What records are said to come from.
const SCOPE: &str = "mcpbolt";
