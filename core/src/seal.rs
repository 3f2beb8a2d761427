//! TEMPORARY STUB: the owner of this file replaces it.
use mcpbolt_proto::jsonrpc::RawJson;
/// t
#[derive(Clone)]
pub struct Sealer;
/// t
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// t
    #[error("x")]
    UnknownKey {
        /// t
        remedy: &'static str,
    },
    /// t
    #[error("y")]
    Malformed,
}
impl Sealer {
    /// t
    pub fn new_random() -> Self {
        Self
    }
    /// t
    pub fn seal(&self, _: &[u8], p: &[u8]) -> String {
        String::from_utf8_lossy(p).into_owned()
    }
    /// t
    pub fn open(&self, _: &[u8], s: &str) -> Result<Vec<u8>, OpenError> {
        Ok(s.as_bytes().to_vec())
    }
}
/// t
pub fn canonical_digest(_: Option<&RawJson>, _: &[&str]) -> [u8; 32] {
    [0; 32]
}
/// t
pub fn random_bytes<const N: usize>() -> [u8; N] {
    let mut b = [0; N];
    let _ = getrandom::fill(&mut b);
    b
}
