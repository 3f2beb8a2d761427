//! Keys of what has a secret id.
//!
//! Owns: the hash. Must not know: whose id it is.

use sha2::{Digest, Sha256};

/// The key under which something with a secret id is stored: SHA-256 in hexadecimal,
/// so that a leaked store hands out no live session.
///
/// ```
/// let key = mcpbolt::store::hashed("7f3c");
/// assert_eq!(key.len(), 64);
/// assert_ne!(key, mcpbolt::store::hashed("7f3d"));
/// ```
pub fn hashed(id: &str) -> String {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    let digest = Sha256::digest(id.as_bytes());
    digest
        .iter()
        .flat_map(|byte| [HEX[usize::from(byte >> 4)], HEX[usize::from(byte & 15)]])
        .map(char::from)
        .collect()
}
