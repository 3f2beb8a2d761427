//! Text that a client can read and not change, in the format of the official TypeScript package.
//!
//! Owns: the signature and the form of the text. Must not know: what is signed, or for how long
//! it is valid.
//!
//! The text is `v1.`, the body as base64url, a dot, and HMAC-SHA-256 over what stands before it.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::hmac;

const PREFIX: &str = "v1.";
const OWNER_LABEL: &str = "mcp.requestState.bind:";
const OWNER: usize = 16;

/// Signs text with a key of the program's.
///
/// ```
/// use mcpbolt::seal::Signer;
///
/// let signer = Signer::new(b"a secret of at least 32 random bytes");
/// let text = signer.sign(br#"{"step":2}"#);
/// assert_eq!(signer.open(&text)?, br#"{"step":2}"#);
/// # Ok::<(), mcpbolt::seal::SignedTextError>(())
/// ```
pub struct Signer(hmac::Key);

/// Why signed text is refused. Never quotes it.
///
/// ```
/// use mcpbolt::seal::{SignedTextError, Signer};
///
/// let foreign = Signer::new(&[1; 32]).sign(b"{}");
/// assert_eq!(Signer::new(&[2; 32]).open(&foreign), Err(SignedTextError::Changed));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SignedTextError {
    /// Not text that a signer wrote.
    #[error("malformed")]
    Malformed,
    /// Signed with another key, or changed since.
    #[error("mac")]
    Changed,
}

impl Signer {
    /// A signer with a secret, which should have at least 32 random bytes.
    pub fn new(secret: &[u8]) -> Self {
        Self(hmac::Key::new(hmac::HMAC_SHA256, secret))
    }

    /// Signs a body. The result is URL-safe text.
    pub fn sign(&self, body: &[u8]) -> String {
        let mut text = format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(body));
        let tag = hmac::sign(&self.0, text.as_bytes());
        text.push('.');
        text.push_str(&URL_SAFE_NO_PAD.encode(tag));
        text
    }

    /// The body of text that was signed with the same secret.
    ///
    /// # Errors
    /// `Malformed` or `Changed`.
    pub fn open(&self, text: &str) -> Result<Vec<u8>, SignedTextError> {
        let (signed, tag) = text.rsplit_once('.').ok_or(SignedTextError::Malformed)?;
        let body = signed.strip_prefix(PREFIX).filter(|body| !body.is_empty());
        let body = body.ok_or(SignedTextError::Malformed)?;
        let tag = URL_SAFE_NO_PAD.decode(tag).map_err(|_| SignedTextError::Changed)?;
        hmac::verify(&self.0, signed.as_bytes(), &tag).map_err(|_| SignedTextError::Changed)?;
        URL_SAFE_NO_PAD.decode(body).map_err(|_| SignedTextError::Malformed)
    }

    /// A digest that tells owners apart without saying who they are.
    pub fn owner(&self, name: &str) -> String {
        let tag = hmac::sign(&self.0, format!("{OWNER_LABEL}{name}").as_bytes());
        URL_SAFE_NO_PAD.encode(&tag.as_ref()[..OWNER])
    }

    /// Whether a digest is that of an owner; takes the same time for each wrong one.
    pub fn is_owner(&self, digest: &str, name: &str) -> bool {
        let own = self.owner(name);
        let differs = own.bytes().zip(digest.bytes()).fold(0, |all, (one, other)| all | (one ^ other));
        own.len() == digest.len() && differs == 0
    }
}

/// Shows nothing of the key.
impl fmt::Debug for Signer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Signer")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_changed_is_refused() {
        let signer = Signer::new(&[7; 32]);
        let text = signer.sign(b"secret");
        assert_eq!(signer.open(&text).unwrap(), b"secret");
        let (body, tag) = text.rsplit_once('.').unwrap();
        let other = signer.sign(b"Secret");
        let swapped = format!("{}.{tag}", other.rsplit_once('.').unwrap().0);
        for changed in [swapped, format!("{body}."), format!("{body}.!!"), format!("{text}A")] {
            assert_eq!(signer.open(&changed), Err(SignedTextError::Changed), "{changed}");
        }
        for bad in ["", "v1", "v1..", "v2.AA.AA", &text[3..]] {
            assert_eq!(signer.open(bad), Err(SignedTextError::Malformed), "{bad}");
        }
    }

    #[test]
    fn owners_are_told_apart() {
        let signer = Signer::new(&[7; 32]);
        let digest = signer.owner("ada");
        assert_eq!(digest.len(), 22);
        assert!(signer.is_owner(&digest, "ada"));
        assert!(!signer.is_owner(&digest, "bob"));
        assert!(!signer.is_owner("", "ada"));
        assert!(!Signer::new(&[8; 32]).is_owner(&digest, "ada"));
    }
}
