//! OpenTelemetry: a span and a duration of each call, a duration of each session.
//!
//! Owns: what is recorded when. Must not know: who exports; how anything is named, which is in
//! `conventions`.
//! All goes to the program's global providers; without one nothing is recorded and nothing is
//! sent.

mod calls;
mod durations;
mod sessions;
mod spans;

pub(crate) use calls::CallSpan;
pub(crate) use sessions::SessionSpan;

use opentelemetry::KeyValue;

use super::conventions::Attribute;

/// What records are said to come from.
const SCOPE: &str = "mcpbolt";

fn key_values(attributes: Vec<Attribute>) -> Vec<KeyValue> {
    attributes.into_iter().map(|(key, value)| KeyValue::new(key, value)).collect()
}
