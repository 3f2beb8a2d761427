//! The rule of hosts of several servers. Owns: nothing of its own. Must not know: servers, clients.

use mcpbolt::bridge;

use crate::error::Result;

/// What the tools of several servers are called; argument and result are JSON text, see
/// `host_names` of the engine.
#[uniffi::export]
pub fn host_names(servers: String) -> Result<String> {
    Ok(bridge::host_names(&servers)?)
}
