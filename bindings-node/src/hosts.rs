//! The rule of hosts of several servers. Owns: nothing of its own. Must not know: servers, clients.

use mcpbolt::bridge;
use napi_derive::napi;

use crate::error::{Result, throw};

/// What the tools of several servers are called; argument and result are JSON text.
#[napi]
#[allow(unreachable_pub, reason = "the macro wants it")]
pub fn host_names(servers: String) -> Result<String> {
    bridge::host_names(&servers).map_err(throw)
}
