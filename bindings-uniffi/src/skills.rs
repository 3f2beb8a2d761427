//! The rules of skills. Owns: nothing of its own. Must not know: files, servers, clients.

use mcpbolt::bridge;

use crate::error::Result;

/// One decision about skills; arguments and result are JSON text, see `decide_skill` of the
/// engine.
#[uniffi::export]
pub fn skill_decision(name: String, arguments: String) -> Result<String> {
    Ok(bridge::decide_skill(&name, &arguments)?)
}

/// The digest of a file.
#[uniffi::export]
pub fn skill_digest(content: Vec<u8>) -> String {
    bridge::skill_digest(&content)
}

/// Compares the bytes of a file with its skill's entry; JSON text, see `verify_skill` of the
/// engine.
#[uniffi::export]
pub fn verify_skill(skill: String, uri: String, content: Vec<u8>) -> Result<String> {
    Ok(bridge::verify_skill(&skill, &uri, &content)?)
}
