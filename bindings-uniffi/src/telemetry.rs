//! What spans and durations say. Owns: nothing of its own. Must not know: what records them.

use mcpbolt::bridge;

use crate::error::Result;

/// One decision about spans and durations; arguments and result are JSON text, see
/// `decide_telemetry` of the engine.
#[uniffi::export]
pub fn telemetry_decision(name: String, arguments: String) -> Result<String> {
    Ok(bridge::decide_telemetry(&name, &arguments)?)
}
