//! The streams of one legacy session, and where their events are kept.
//!
//! Owns: what the rest of the HTTP server sees of them. Must not know: requests, or the
//! table of sessions.

mod event_recorder;
mod event_storage;
mod recording;
mod stream_table;
mod streams;

pub use event_recorder::{EventRecorder, KeptEvent};
pub(super) use streams::Streams;
