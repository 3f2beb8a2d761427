//! The rules of apps. Owns: nothing of its own. Must not know: pages, servers, clients.

use mcpbolt::bridge;

use crate::error::Result;

/// One decision about apps; arguments and result are JSON text, see `decide_app` of the engine.
#[uniffi::export]
pub fn app_decision(name: String, arguments: String) -> Result<String> {
    Ok(bridge::decide_app(&name, &arguments)?)
}
