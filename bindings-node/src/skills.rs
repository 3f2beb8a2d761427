//! The rules of skills. Owns: nothing of its own. Must not know: files, servers, clients.

use mcpbolt::bridge;
use napi::bindgen_prelude::Uint8Array;
use napi_derive::napi;

use crate::error::{Result, throw};

/// Makes one decision about skills; arguments and result are JSON text.
#[napi]
#[allow(unreachable_pub, reason = "the macro wants it")]
pub fn skill_decision(name: String, given: String) -> Result<String> {
    bridge::decide_skill(&name, &given).map_err(throw)
}

/// The digest of a file: `sha256:` and 64 hexadecimal digits.
#[napi]
#[allow(unreachable_pub, reason = "the macro wants it")]
pub fn skill_digest(bytes: Uint8Array) -> String {
    bridge::skill_digest(&bytes)
}

/// Checks the bytes of a file against its skill's entry; the result is JSON text.
#[napi]
#[allow(unreachable_pub, reason = "the macro wants it")]
pub fn verify_skill(skill: String, uri: String, bytes: Uint8Array) -> Result<String> {
    bridge::verify_skill(&skill, &uri, &bytes).map_err(throw)
}
