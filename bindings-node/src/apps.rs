//! The rules of apps. Owns: nothing of its own. Must not know: browsers, servers, clients.

use mcpbolt::bridge;
use napi_derive::napi;

use crate::error::{Result, throw};

/// Makes one decision about apps; arguments and result are JSON text.
#[napi]
#[allow(unreachable_pub, reason = "the macro wants it")]
pub fn app_decision(name: String, given: String) -> Result<String> {
    bridge::decide_app(&name, &given).map_err(throw)
}
